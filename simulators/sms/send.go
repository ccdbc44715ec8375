package sms

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"marquee/simulators/journal"
)

// Special phones have one outcome each, whatever is sent to them.
const (
	PhoneLimited      = "13800001001" // isv.BUSINESS_LIMIT_CONTROL
	PhoneIllegal      = "13800001002" // isv.MOBILE_NUMBER_ILLEGAL, though it looks right
	PhoneNoBalance    = "13800001003" // isv.AMOUNT_NOT_ENOUGH: the account is out of money
	PhoneSystemError  = "13800001004" // isp.SYSTEM_ERROR
	PhoneNotDelivered = "13800001005" // OK, and nothing arrives
)

// template is the text of the one template there is; ${code} is its one variable.
const template = "您的验证码为${code}，5分钟内有效，请勿泄露给他人。"

// limits are what the vendor allows for verification codes to one phone, on business time.
var limits = []limit{{time.Minute, 1, "分钟级"}, {time.Hour, 5, "小时级"}, {24 * time.Hour, 10, "天级"}}

var mobile = regexp.MustCompile(`^(?:\+?86)?(1[3-9][0-9]{9})$`)

// send is the SendSms call. Its parameters stand in the query, or in the form of the body.
func (s *Simulator) send(w http.ResponseWriter, r *http.Request) {
	deny := func(code, message string) {
		journal.From(r.Context()).Refuse(code + ": " + message)
		s.business(w, code, message)
	}
	if err := r.ParseForm(); err != nil {
		deny("isv.INVALID_PARAMETERS", "参数异常")
		return
	}
	for _, name := range []string{"PhoneNumbers", "SignName", "TemplateCode"} {
		if r.Form.Get(name) == "" {
			s.refuse(w, &refusal{http.StatusBadRequest, "Missing" + name, name + " is mandatory for this action.", ""})
			return
		}
	}
	number := mobile.FindStringSubmatch(r.Form.Get("PhoneNumbers"))
	switch {
	case number == nil || number[1] == PhoneIllegal:
		deny("isv.MOBILE_NUMBER_ILLEGAL", r.Form.Get("PhoneNumbers")+"invalid mobile number")
		return
	case r.Form.Get("SignName") != s.keys.SignName:
		deny("isv.SMS_SIGNATURE_ILLEGAL", "该账号下找不到对应签名")
		return
	case r.Form.Get("TemplateCode") != s.keys.TemplateCode:
		deny("isv.SMS_TEMPLATE_ILLEGAL", "该账号下找不到对应模板")
		return
	case number[1] == PhoneNoBalance:
		deny("isv.AMOUNT_NOT_ENOUGH", "账户余额不足")
		return
	case number[1] == PhoneSystemError:
		deny("isp.SYSTEM_ERROR", "系统出现错误，请重新调用")
		return
	}
	code, problem := templateCode(r.Form.Get("TemplateParam"))
	if problem != "" {
		deny(problem, "模板变量不符合要求")
		return
	}
	fault, limited := s.plan.Take(Name, opSend, doLimit)
	if limited {
		journal.From(r.Context()).Suffer(fault.ID, fault.Do)
	}
	if limited || number[1] == PhoneLimited {
		deny("isv.BUSINESS_LIMIT_CONTROL", "触发分钟级流控Permits:1")
		return
	}
	bizID, limit := s.take(number[1], s.delivered(r, number[1]), code)
	if limit != "" {
		deny("isv.BUSINESS_LIMIT_CONTROL", limit)
		return
	}
	write(w, http.StatusOK, answer{Code: "OK", Message: "OK", RequestID: s.requestID(), BizID: bizID})
}

// delivered says whether a message that is taken also arrives.
func (s *Simulator) delivered(r *http.Request, phone string) bool {
	fault, lost := s.plan.Take(Name, opSend, doNotDelivered)
	if lost {
		journal.From(r.Context()).Suffer(fault.ID, fault.Do)
	}
	return !lost && phone != PhoneNotDelivered
}

// templateCode reads the template's variable; problem is a business code when the JSON does not fit the template.
func templateCode(param string) (code, problem string) {
	var variables map[string]json.RawMessage
	if err := json.Unmarshal([]byte(param), &variables); err != nil {
		return "", "isv.INVALID_JSON_PARAM"
	}
	var number json.Number
	if value := variables["code"]; json.Unmarshal(value, &code) != nil && json.Unmarshal(value, &number) == nil {
		code = number.String() // a number is the text it is written as
	}
	if code == "" {
		return "", "isv.TEMPLATE_MISSING_PARAMETERS"
	}
	if len(code) > 20 {
		return "", "isv.PARAM_LENGTH_LIMIT"
	}
	return code, ""
}

// take counts a message against the phone's limits and puts it into the inbox. limit is the refusal's text.
func (s *Simulator) take(phone string, delivered bool, code string) (bizID, limit string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	if l, over := s.sent.over(limits, phone, now); over {
		return "", fmt.Sprintf("触发%s流控Permits:%d", l.name, l.most)
	}
	s.sent.count(phone, now)
	if delivered {
		text := "【" + s.keys.SignName + "】" + strings.ReplaceAll(template, "${code}", code)
		s.inbox.put(phone, text, code, now)
	}
	return fmt.Sprintf("%d%s", 100000000000000000+s.serial, "^0"), ""
}

// nextID is a request id of the vendor's shape. The caller holds the lock.
func (s *Simulator) nextID() string {
	s.serial++
	return fmt.Sprintf("%08X-0000-5000-8000-%012X", s.serial, s.serial)
}

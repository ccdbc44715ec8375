package sms

import (
	"cmp"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/tc3"
)

// Host is the host name of Alibaba Cloud's API.
const Host = "dysmsapi.aliyuncs.com"

// regionalHosts are the host names that the vendor's SDK uses for some regions.
var regionalHosts = []string{
	"dysmsapi-proxy.cn-beijing.aliyuncs.com", "dysmsapi-xman.cn-hongkong.aliyuncs.com",
	"dysmsapi.ap-southeast-1.aliyuncs.com", "dysmsapi.ap-southeast-5.aliyuncs.com",
	"dysmsapi.eu-central-1.aliyuncs.com", "dysmsapi.us-east-1.aliyuncs.com",
}

// codeLimits are what the vendor allows for verification codes to one phone ("SMS throttling" of its documentation).
var codeLimits = []limit{{time.Minute, 1, "分钟级"}, {time.Hour, 5, "小时级"}, {24 * time.Hour, 10, "天级"}}

// noticeLimits are what the vendor allows for notices to one phone. They are counted separately from codes.
var noticeLimits = []limit{{24 * time.Hour, 50, "天级"}}

// mobile matches a mainland number with or without the country code.
var mobile = regexp.MustCompile(`^(?:\+?86)?(1[3-9][0-9]{9})$`)

// alibabaOperations are the calls of Alibaba Cloud's API, by their action.
var alibabaOperations = map[string]string{
	"SendSms": opSend, "SendBatchSms": opSendBatch, "QuerySendDetails": opQueryDetails,
}

// alibaba simulates Alibaba Cloud's API. An error of the API itself, such as a wrong signature, has an HTTP error
// status. A business error, such as an illegal phone number, is HTTP 200.
type alibaba struct {
	vendorAPI

	nonces        tc3.Nonces
	noticeLimiter *limiter // for notices; the other limiter is for verification codes
}

// handler journals the calls and applies the faults of HTTP and TCP.
func (a *alibaba) handler() *faults.Endpoint {
	return &faults.Endpoint{
		Provider: Name, Plan: a.Plan, Journal: a.Journal, Next: http.HandlerFunc(a.serve),
		BadBody: "InvalidParameter", Authenticate: a.authenticate, Sign: a.sign,
		Rejects: func(r *http.Request) bool { return alibabaCallOf(r).action == "" },
		Operation: func(r *http.Request, body []byte) string {
			return alibabaOperations[newAlibabaCall(r, body).action]
		},
		Action: func(r *http.Request, body []byte) string { return newAlibabaCall(r, body).action },
		Error: func(w http.ResponseWriter, r *http.Request, code, message string) {
			code = cmp.Or(code, "isp.SYSTEM_ERROR")
			message = cmp.Or(message, alibabaTexts[code])
			if strings.HasPrefix(code, "Throttling") { // of the vendor's API gateway, not of the service behind it
				message = cmp.Or(message, "Request was denied due to user flow control.")
				a.reject(w, r, &journal.Rejection{Status: http.StatusBadRequest, Code: code, Message: message})
				return
			}
			a.answerBusiness(w, r, code, cmp.Or(message, code))
		},
	}
}

// alibabaTexts are the vendor's texts of its codes, for planned errors without a text.
var alibabaTexts = map[string]string{
	"isp.SYSTEM_ERROR": "系统出现错误，请重新调用", "isv.AMOUNT_NOT_ENOUGH": "账户余额不足",
	"isv.BUSINESS_LIMIT_CONTROL": "触发分钟级流控Permits:1", "isv.INVALID_JSON_PARAM": "JSON参数不合法，只接受字符串值",
	"isv.INVALID_PARAMETERS": "参数格式不正确", "isv.MOBILE_COUNT_OVER_LIMIT": "手机号码数量超过限制",
	"isv.MOBILE_NUMBER_ILLEGAL": "手机号码格式错误", "isv.OUT_OF_SERVICE": "业务停机",
	"isv.SMS_SIGNATURE_ILLEGAL": "该账号下找不到对应签名", "isv.SMS_TEMPLATE_ILLEGAL": "该账号下找不到对应模板",
	"isv.TEMPLATE_MISSING_PARAMETERS": "模板变量缺少参数", "isv.TEMPLATE_PARAMS_ILLEGAL": "模板变量中存在非法参数",
}

// serve authenticates a call, checks its version, and runs its action.
func (a *alibaba) serve(w http.ResponseWriter, r *http.Request) {
	if !a.authenticate(w, r, nil) {
		return
	}
	call := alibabaCallOf(r)
	switch {
	case call.version != "2017-05-25":
		a.reject(w, r, badRequest("InvalidVersion", "Specified parameter Version is not valid.", ""))
	default:
		switch alibabaOperations[call.action] {
		case opSend:
			a.send(w, r)
		case opSendBatch:
			a.sendBatch(w, r)
		case opQueryDetails:
			a.queryDetails(w, r)
		default:
			a.reject(w, r, &journal.Rejection{
				Status: http.StatusNotFound, Code: "InvalidAction.NotFound",
				Message: "Specified api is not found, please check your url and method.",
			})
		}
	}
}

// authenticate checks the signature of a call. It answers a rejected call itself, and returns false.
func (a *alibaba) authenticate(w http.ResponseWriter, r *http.Request, _ []byte) bool {
	rejected := a.verify(r, time.Now().In(shanghai))
	if rejected != nil {
		rejected.Record(journal.From(r.Context()))
		a.reject(w, r, rejected)
	}
	return rejected == nil
}

// sign sets the headers that every answer of the vendor has, for the answer of a stub. The vendor signs no answers.
func (a *alibaba) sign(w http.ResponseWriter, _ *http.Request, _ []byte) {
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.Header().Set("x-acs-request-id", requestID(a.serial.Add(1)))
}

// missing checks that a call has the named parameters, in the query or in the form of the body. If one is missing, it
// answers the call with an error and returns true.
func (a *alibaba) missing(w http.ResponseWriter, r *http.Request, names ...string) bool {
	if err := r.ParseForm(); err != nil {
		a.rejectBusiness(w, r, "isv.INVALID_PARAMETERS", "参数异常")
		return true
	}
	for _, name := range names {
		if r.Form.Get(name) == "" {
			a.reject(w, r, badRequest("Missing"+name, name+" is mandatory for this action.", ""))
			return true
		}
	}
	return false
}

// rejectBusiness answers a call with a business error, and records the error in the journal.
func (a *alibaba) rejectBusiness(w http.ResponseWriter, r *http.Request, code, message string) {
	journal.From(r.Context()).Reject(code + ": " + message)
	a.answerBusiness(w, r, code, message)
}

// send is the SendSms call ("SendSms" of the vendor's 2017-05-25 API reference), with phones separated by commas. A
// missing parameter is an error of the API, anything else is a business error.
func (a *alibaba) send(w http.ResponseWriter, r *http.Request) {
	if a.missing(w, r, "PhoneNumbers", "SignName", "TemplateCode") {
		return
	}
	phones := strings.Split(r.Form.Get("PhoneNumbers"), ",")
	if len(phones) > maxPhones {
		a.rejectBusiness(w, r, "isv.MOBILE_COUNT_OVER_LIMIT", "手机号码数量超过限制")
		return
	}
	messages := []outgoing{}
	for _, phone := range phones {
		m, problem := a.message(phone, r.Form.Get("SignName"), r.Form.Get("TemplateCode"), r.Form.Get("TemplateParam"))
		if problem != nil {
			a.rejectBusiness(w, r, problem.Code, problem.Message)
			return
		}
		messages = append(messages, m)
	}
	a.submit(w, r, opSend, messages, r.Form.Get("OutId"))
}

// outgoing is a message to one phone.
type outgoing struct {
	phone, template, text string

	code string // "" in a notice
}

// message checks one message of a call and returns it, or the business error for which it is rejected.
func (a *alibaba) message(phone, signName, template, param string) (outgoing, *journal.Rejection) {
	reject := func(code, message string) (outgoing, *journal.Rejection) {
		return outgoing{}, journal.NewRejection(code, message)
	}
	number := mobile.FindStringSubmatch(phone)
	switch {
	case number == nil || number[1] == PhoneIllegal:
		return reject("isv.MOBILE_NUMBER_ILLEGAL", phone+"invalid mobile number")
	case signName != a.Credentials.SignName:
		return reject("isv.SMS_SIGNATURE_ILLEGAL", "该账号下找不到对应签名")
	case template != a.Credentials.TemplateCode && noticeText(a.Credentials, template, "") == "":
		return reject("isv.SMS_TEMPLATE_ILLEGAL", "该账号下找不到对应模板")
	case number[1] == PhoneNoBalance:
		return reject("isv.AMOUNT_NOT_ENOUGH", "账户余额不足")
	case number[1] == PhoneSystemError:
		return reject("isp.SYSTEM_ERROR", "系统出现错误，请重新调用")
	}
	name := "code"
	if template != a.Credentials.TemplateCode {
		name = "time"
	}
	value, problem := templateVariable(param, name)
	switch {
	case problem != "":
		return reject(problem, "模板变量不符合要求")
	case number[1] == PhoneLimited:
		return reject("isv.BUSINESS_LIMIT_CONTROL", "触发分钟级流控Permits:1")
	}
	if notice := noticeText(a.Credentials, template, value); notice != "" {
		return outgoing{phone: number[1], template: template, text: notice}, nil
	}
	return outgoing{number[1], template, textMessage(a.Credentials.SignName, value), value}, nil
}

// submit accepts the messages of a call under one BizId, unless a limit or a planned fault rejects them all.
func (a *alibaba) submit(
	w http.ResponseWriter, r *http.Request, operation string, messages []outgoing, outID string,
) {
	note := journal.From(r.Context())
	if a.fault(note, operation, doLimit) != "" {
		a.rejectBusiness(w, r, "isv.BUSINESS_LIMIT_CONTROL", "触发分钟级流控Permits:1")
		return
	}
	undelivered := a.fault(note, operation, doNotDelivered) != ""
	wait := reportAfter
	if late, hit := a.Plan.Apply(note, Name, operation, doReportLate); hit {
		wait = late.Delay(lateReport)
	}
	phones := []string{}
	for _, m := range messages {
		phones = append(phones, m.phone)
	}
	limiter := a.limiter
	if messages[0].code == "" { // a call has one template
		limiter = a.noticeLimiter
	}
	at, broken := limiter.add(phones...)
	if broken != nil {
		a.rejectBusiness(w, r, "isv.BUSINESS_LIMIT_CONTROL", fmt.Sprintf("触发%s流控Permits:%d", broken.name, broken.max))
		return
	}
	bizID := fmt.Sprintf("%d^0", 100000000000000000+a.serial.Add(1))
	accepted := []delivery{}
	for _, m := range messages {
		d := delivery{Operation: opReport, Number: bizID, Phone: m.phone, Template: m.template,
			OutID: outID, Text: m.text, SentAt: at, ReportedAt: at.Add(wait),
			Undelivered: undelivered || m.phone == PhoneNotDelivered}
		if !d.Undelivered {
			a.inbox.put(m.phone, d.Text, m.code, at)
		}
		accepted = append(accepted, d)
	}
	a.deliveries.add(accepted...)
	a.reporter.replace(nil, ReportState{Operation: opReport, Number: bizID, Due: at.Add(wait)})
	a.write(w, r, http.StatusOK, answer{Code: "OK", Message: "OK", BizID: bizID})
}

// templateVariable reads the template's only variable from the JSON in param. problem is the business error's code if
// the JSON does not match the template. A number is read as a text: 123456 as "123456".
func templateVariable(param, name string) (value, problem string) {
	var variables map[string]json.RawMessage
	if err := json.Unmarshal([]byte(param), &variables); err != nil {
		return "", "isv.INVALID_JSON_PARAM"
	}
	var number json.Number
	if given := variables[name]; json.Unmarshal(given, &value) != nil && json.Unmarshal(given, &number) == nil {
		value = number.String()
	}
	if value == "" {
		return "", "isv.TEMPLATE_MISSING_PARAMETERS"
	}
	if utf8.RuneCountInString(value) > 20 {
		return "", "isv.PARAM_LENGTH_LIMIT"
	}
	return value, ""
}

// answer is the body of every answer. Its field names are capitalized like the vendor's.
type answer struct {
	Code      string
	Message   string
	RequestID string `json:"RequestId"           xml:"RequestId"`
	BizID     string `json:"BizId,omitempty"     xml:"BizId,omitempty"`
	HostID    string `json:"HostId,omitempty"    xml:"HostId,omitempty"`

	TotalCount string   `json:",omitempty"                  xml:",omitempty"` // of queries
	Details    *details `json:"SmsSendDetailDTOs,omitempty" xml:"SmsSendDetailDTOs,omitempty"`

	Recommend string `json:",omitempty" xml:",omitempty"`
}

// reject answers a call with an error of the API: the vendor's gateway rejects it before the SMS service handles it.
func (a *alibaba) reject(w http.ResponseWriter, r *http.Request, rejected *journal.Rejection) {
	a.write(w, r, rejected.Status, answer{
		Code: rejected.Code, Message: rejected.Message, HostID: Host,
		Recommend: "https://api.aliyun.com/troubleshoot?q=" + rejected.Code,
	})
}

// answerBusiness answers with a business code, which is HTTP 200 as a success.
func (a *alibaba) answerBusiness(w http.ResponseWriter, r *http.Request, code, message string) {
	a.write(w, r, http.StatusOK, answer{Code: code, Message: message})
}

// write sends an answer in the format that the call requests, with a new request id, which is also in a header.
func (a *alibaba) write(w http.ResponseWriter, r *http.Request, status int, body answer) {
	body.RequestID = requestID(a.serial.Add(1))
	w.Header().Set("x-acs-request-id", body.RequestID)
	call := alibabaCallOf(r)
	if call.isXML() {
		w.Header().Set("Content-Type", "text/xml;charset=utf-8")
		w.WriteHeader(status)
		name := xml.StartElement{Name: xml.Name{Local: call.action + "Response"}}
		if status >= http.StatusBadRequest || alibabaOperations[call.action] == "" {
			name.Name.Local = "Error"
		}
		_, _ = io.WriteString(w, xml.Header)
		_ = xml.NewEncoder(w).EncodeElement(body, name)
		return
	}
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// requestID returns a request id in the format of both vendors.
func requestID(serial int64) string { return fmt.Sprintf("%08X-0000-5000-8000-%012X", serial, serial) }

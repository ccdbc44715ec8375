package sms

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"marquee/simulators/journal"
)

// tencentTemplate is the text of the one template there is; {1} is its one variable.
const tencentTemplate = "您的验证码为{1}，5分钟内有效，请勿泄露给他人。"

// tencentLimits are the vendor's defaults for one phone, on business time.
var tencentLimits = []limit{
	{30 * time.Second, 1, "LimitExceeded.PhoneNumberThirtySecondLimit"},
	{time.Hour, 5, "LimitExceeded.PhoneNumberOneHourLimit"},
	{24 * time.Hour, 10, "LimitExceeded.PhoneNumberDailyLimit"},
}

const tencentMostPhones = 200

// tencentRequest is the body of SendSms.
type tencentRequest struct {
	PhoneNumberSet                       []string
	SmsSdkAppId, TemplateId, SignName    string //nolint:revive // the vendor's spelling
	TemplateParamSet                     []string
	ExtendCode, SessionContext, SenderId string //nolint:revive // the vendor's spelling
}

var tencentParameters = []string{
	"PhoneNumberSet", "SmsSdkAppId", "TemplateId", "SignName", "TemplateParamSet", "ExtendCode", "SessionContext", "SenderId",
}

// tencentStatus is what became of the message to one phone.
type tencentStatus struct {
	SerialNo, PhoneNumber string
	Fee                   int
	SessionContext        string
	Code, Message         string
	IsoCode               string
}

var (
	tencentMobile = regexp.MustCompile(`^(?:\+86|0086|86)?(1[3-9][0-9]{9})$`)
	abroad        = regexp.MustCompile(`^(?:\+|00)(?:[1-79]|8[0-57-9])[0-9]{5,14}$`)
	shortDigits   = regexp.MustCompile(`^[0-9]{1,6}$`)
)

// tencentSend is the SendSms call. What is wrong with the call refuses it whole; what is wrong with one phone, and what
// the vendor's reviewers have to say, stands in that phone's status.
func (s *Simulator) tencentSend(w http.ResponseWriter, r *http.Request) *tencentError {
	q, refused := readTencent(journal.From(r.Context()).Body)
	if refused != nil {
		return refused
	}
	if refused := s.checkTencent(q); refused != nil {
		return refused
	}
	fault, limited := s.plan.Take(Name, opTencentSend, doLimit)
	if !limited {
		var lost bool
		if fault, lost = s.plan.Take(Name, opTencentSend, doNotDelivered); !lost {
			fault.Do = ""
		}
	}
	if fault.Do != "" {
		journal.From(r.Context()).Suffer(fault.ID, fault.Do)
	}
	statuses, failed := []tencentStatus{}, []string{}
	for _, phone := range q.PhoneNumberSet {
		status := s.tencentSendOne(q, phone, fault.Do)
		if status.Code != "Ok" {
			failed = append(failed, status.PhoneNumber+" "+status.Code)
		}
		statuses = append(statuses, status)
	}
	if len(failed) > 0 {
		journal.From(r.Context()).Refuse(strings.Join(failed, "; "))
	}
	s.tencentWrite(w, map[string]any{"SendStatusSet": statuses})
	return nil
}

// readTencent decodes the body. A parameter that the vendor does not know, and a value of another type, are refused.
func readTencent(body []byte) (tencentRequest, *tencentError) {
	var q tencentRequest
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return q, &tencentError{"InvalidParameter", "The request body is not a JSON object.", err.Error()}
	}
	for name, value := range fields {
		if !slices.Contains(tencentParameters, name) {
			return q, &tencentError{code: "UnknownParameter", message: "The parameter `" + name + "` is not recognized."}
		}
		one, _ := json.Marshal(map[string]json.RawMessage{name: value})
		if err := json.Unmarshal(one, &q); err != nil {
			return q, &tencentError{"InvalidParameter", "The value type of parameter `" + name + "` is not valid.", err.Error()}
		}
	}
	for _, p := range []struct{ name, value string }{{"SmsSdkAppId", q.SmsSdkAppId}, {"TemplateId", q.TemplateId}} {
		if p.value == "" {
			return q, &tencentError{code: "MissingParameter", message: "The request is missing a required parameter `" + p.name + "`."}
		}
	}
	return q, nil
}

// checkTencent finds what refuses the whole call.
func (s *Simulator) checkTencent(q tencentRequest) *tencentError {
	home, elsewhere := 0, 0
	for _, phone := range q.PhoneNumberSet {
		if abroad.MatchString(phone) {
			elsewhere++
		} else {
			home++
		}
	}
	switch {
	case len(q.PhoneNumberSet) == 0:
		return &tencentError{code: "MissingParameter.EmptyPhoneNumberSet", message: "The phone number set is empty."}
	case len(q.PhoneNumberSet) > tencentMostPhones:
		return &tencentError{code: "LimitExceeded.PhoneNumberCountLimit", message: fmt.Sprintf("There are %d phone numbers; %d are allowed.", len(q.PhoneNumberSet), tencentMostPhones)}
	case home > 0 && elsewhere > 0:
		return &tencentError{code: "UnsupportedOperation.ContainDomesticAndInternationalPhoneNumber", message: "The phone numbers are both of the Chinese mainland and of elsewhere."}
	case q.SmsSdkAppId != s.tencent.SDKAppID:
		return &tencentError{code: "UnauthorizedOperation.SmsSdkAppIdVerifyFail", message: "SmsSdkAppId verification failed."}
	case len(q.SessionContext) >= 512:
		return &tencentError{code: "InvalidParameterValue.ContentLengthLimit", message: "SessionContext is 512 bytes or longer."}
	}
	return nil
}

// tencentSendOne sends to one phone, unless it may not.
func (s *Simulator) tencentSendOne(q tencentRequest, number, fault string) tencentStatus {
	status := tencentStatus{PhoneNumber: number, SessionContext: q.SessionContext, IsoCode: "CN"}
	match := tencentMobile.FindStringSubmatch(number)
	phone := ""
	if match != nil {
		phone = match[1]
		status.PhoneNumber = "+86" + phone
	}
	no := func(code, message string) tencentStatus {
		status.Code, status.Message = code, message
		return status
	}
	switch {
	case abroad.MatchString(number):
		status.IsoCode = "DEF"
		return no("UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone", "chinese mainland template to global phone")
	case match == nil || phone == PhoneIllegal:
		return no("InvalidParameterValue.IncorrectPhoneNumber", "incorrect phone number")
	case q.SignName != s.tencent.SignName:
		return no("FailedOperation.SignatureIncorrectOrUnapproved", "signature is incorrect or unapproved")
	case q.TemplateId != s.tencent.TemplateID:
		return no("FailedOperation.TemplateIncorrectOrUnapproved", "template is incorrect or unapproved")
	case len(q.TemplateParamSet) != 1:
		return no("FailedOperation.TemplateParamSetNotMatchApprovedTemplate", "template params do not match the approved template")
	case !shortDigits.MatchString(q.TemplateParamSet[0]):
		return no("InvalidParameterValue.TemplateParameterFormatError", "verification code template parameter is not of 1 to 6 digits")
	case phone == PhoneNoBalance:
		return no("FailedOperation.InsufficientBalanceInSmsPackage", "insufficient balance in SMS package")
	case phone == PhoneSystemError:
		return no("InternalError.OtherError", "other error")
	case phone == PhoneLimited || fault == doLimit:
		return no(tencentLimits[0].name, "the number of SMS messages sent to one phone number within 30 seconds exceeds the upper limit")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	if l, over := s.sentTencent.over(tencentLimits, phone, now); over {
		return no(l.name, "the number of SMS messages sent to one phone number exceeds the upper limit")
	}
	s.sentTencent.count(phone, now)
	if fault != doNotDelivered && phone != PhoneNotDelivered {
		s.inbox.put(phone, "【"+s.tencent.SignName+"】"+strings.ReplaceAll(tencentTemplate, "{1}", q.TemplateParamSet[0]), q.TemplateParamSet[0], now)
	}
	s.serial++
	status.Fee, status.SerialNo = 1, fmt.Sprintf("2019:%018d", s.serial)
	return no("Ok", "send success")
}

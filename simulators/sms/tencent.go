package sms

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/tc3"
)

// TencentHost is the host name of Tencent Cloud's API.
const TencentHost = "sms.tencentcloudapi.com"

// tencentRegionalHosts are the host names of single regions ("请求结构" of the vendor's documentation).
var tencentRegionalHosts = []string{
	"sms.ap-beijing.tencentcloudapi.com", "sms.ap-guangzhou.tencentcloudapi.com", "sms.ap-nanjing.tencentcloudapi.com",
}

// tencentOperations are the calls of Tencent Cloud's API, by their action.
var tencentOperations = map[string]string{
	"SendSms": opTencentSend, actionPull: opTencentPull, actionPullPhone: opTencentPull,
}

const (
	tencentVersion    = "2021-01-11"
	tencentMostPhones = 200 // of a call
)

// tencentRegions are the regions that the vendor's SMS API supports.
var tencentRegions = []string{"ap-beijing", "ap-guangzhou", "ap-nanjing"}

// tencentLimits are the vendor's defaults for one phone.
var tencentLimits = []limit{
	{30 * time.Second, 1, "LimitExceeded.PhoneNumberThirtySecondLimit"},
	{time.Hour, 5, "LimitExceeded.PhoneNumberOneHourLimit"},
	{24 * time.Hour, 10, "LimitExceeded.PhoneNumberDailyLimit"},
}

var (
	tencentMobile = regexp.MustCompile(`^(?:\+86|0086|86)?(1[3-9][0-9]{9})$`)
	abroad        = regexp.MustCompile(`^(?:\+|00)(?:[1-79]|8[0-57-9])[0-9]{5,14}$`)
	shortDigits   = regexp.MustCompile(`^[0-9]{1,6}$`)
)

// tencent simulates Tencent Cloud's API. Every answer is HTTP 200.
type tencent struct {
	vendorAPI

	nonces tc3.Nonces
}

// handler journals the calls and applies the faults of HTTP and TCP.
func (t *tencent) handler() *faults.Endpoint {
	return &faults.Endpoint{
		Provider: Name, Plan: t.Plan, Journal: t.Journal, Next: http.HandlerFunc(t.serve),
		BadBody: "RequestSizeLimitExceeded", Authenticate: t.authenticate,
		Rejects: func(r *http.Request) bool { return tc3.CallOf(r).Action == "" },
		Operation: func(r *http.Request, body []byte) string {
			return tencentOperations[tc3.NewCall(r, body).Action]
		},
		Action: func(r *http.Request, body []byte) string { return tc3.NewCall(r, body).Action },
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			code = cmp.Or(code, "InternalError.OtherError")
			t.reject(w, journal.NewRejection(code, cmp.Or(message, tencentTexts[code], tc3.Text(code))))
		},
	}
}

// tencentTexts are the texts of the codes of this API, for planned errors without a text.
var tencentTexts = map[string]string{
	"FailedOperation.InsufficientBalanceInSmsPackage": "insufficient balance in SMS package",
	"FailedOperation.SignatureIncorrectOrUnapproved":  "signature is incorrect or unapproved",
	"FailedOperation.TemplateIncorrectOrUnapproved":   "template is incorrect or unapproved",
	"InternalError.OtherError":                        "An internal error has occurred. Retry your request.",
	"InvalidParameterValue.IncorrectPhoneNumber":      "incorrect phone number",
	"UnauthorizedOperation.SmsSdkAppIdVerifyFail":     "SmsSdkAppId verification failed.",
}

// authenticate checks the signature of a call. It answers a rejected call itself, and returns false.
func (t *tencent) authenticate(w http.ResponseWriter, r *http.Request, _ []byte) bool {
	rejected := t.verify(r, time.Now().In(shanghai))
	if rejected != nil {
		rejected.Record(journal.From(r.Context()))
		t.reject(w, rejected)
	}
	return rejected == nil
}

// serve authenticates a call, checks its common parameters, and runs its action.
func (t *tencent) serve(w http.ResponseWriter, r *http.Request) {
	if !t.authenticate(w, r, nil) {
		return
	}
	call, note := tc3.CallOf(r), journal.From(r.Context())
	rejected := checkCommonParameters(call)
	switch {
	case rejected != nil:
	case call.Action == actionPull:
		rejected = t.pull(w, call)
	case call.Action == actionPullPhone:
		rejected = t.pullPhone(w, call)
	default:
		rejected = t.send(w, note, call)
	}
	if rejected != nil {
		rejected.Record(note)
		t.reject(w, rejected)
	}
}

// checkCommonParameters rejects a call with an unknown action, another version, or a region that is missing or not
// supported.
func checkCommonParameters(c tc3.Call) *journal.Rejection {
	switch {
	case tencentOperations[c.Action] == "":
		return journal.NewRejection("InvalidAction", "The requested action `"+c.Action+"` is invalid or not found.")
	case c.Version != tencentVersion:
		return journal.NewRejection("NoSuchVersion", "The requested version `"+c.Version+"` does not exist.")
	case c.Region == "":
		return tc3.MissingParameter("Region")
	case !slices.Contains(tencentRegions, c.Region):
		return journal.NewRejection("UnsupportedRegion", "The region `"+c.Region+"` is not supported.")
	}
	return nil
}

// tencentRequest is the body of SendSms. Its fields have the vendor's names.
type tencentRequest struct {
	PhoneNumberSet                       []string
	SmsSdkAppId, TemplateId, SignName    string
	TemplateParamSet                     []string
	ExtendCode, SessionContext, SenderId string
}

// tencentParameters are the parameters of SendSms; others are rejected.
var tencentParameters = []string{
	"PhoneNumberSet", "SmsSdkAppId", "TemplateId", "SignName", "TemplateParamSet", "ExtendCode", "SessionContext",
	"SenderId",
}

// tencentStatus is the result for one phone.
type tencentStatus struct {
	SerialNo, PhoneNumber string
	Fee                   int
	SessionContext        string
	Code, Message         string
	IsoCode               string
}

// send is the SendSms call ("SendSms" of the vendor's 2021-01-11 API reference). It answers with a status for each
// phone. An error that concerns only one phone, and an unknown sign name or template, is in the phone's status. Any
// other error rejects the entire call.
func (t *tencent) send(w http.ResponseWriter, note *journal.Note, call tc3.Call) *journal.Rejection {
	q, rejected := readTencent(call)
	if rejected == nil {
		rejected = t.check(q)
	}
	if rejected != nil {
		return rejected
	}
	fault := t.fault(note, opTencentSend, doLimit)
	if fault == "" {
		fault = t.fault(note, opTencentSend, doNotDelivered)
	}
	wait := reportAfter
	if late, hit := t.Plan.Apply(note, Name, opTencentSend, doReportLate); hit {
		wait = late.Delay(lateReport)
	}
	statuses, failed := []tencentStatus{}, []string{}
	for _, phone := range q.PhoneNumberSet {
		status := t.sendOne(q, phone, fault, wait)
		if status.Code != "Ok" {
			failed = append(failed, status.PhoneNumber+" "+status.Code)
		}
		statuses = append(statuses, status)
	}
	if len(failed) > 0 {
		note.Reject(strings.Join(failed, "; "))
	}
	t.write(w, map[string]any{"SendStatusSet": statuses})
	return nil
}

// readTencent decodes the body. It returns an error for unknown parameters and values of another type.
func readTencent(call tc3.Call) (q tencentRequest, rejected *journal.Rejection) {
	if rejected := decodeTencent(call.JSON(&q), &q, tencentParameters); rejected != nil {
		return q, rejected
	}
	for _, p := range []struct{ name, value string }{{"SmsSdkAppId", q.SmsSdkAppId}, {"TemplateId", q.TemplateId}} {
		if p.value == "" {
			return q, tc3.MissingParameter(p.name)
		}
	}
	return q, nil
}

// decodeTencent decodes the body of a call. It rejects a parameter that is not in known, and a value of another type.
func decodeTencent(body []byte, into any, known []string) *journal.Rejection {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return &journal.Rejection{Code: "InvalidParameter", Message: "The request body is not a JSON object.",
			Reason: err.Error()}
	}
	for name, value := range fields {
		if !slices.Contains(known, name) {
			return journal.NewRejection("UnknownParameter", "The parameter `"+name+"` is not recognized.")
		}
		one, _ := json.Marshal(map[string]json.RawMessage{name: value})
		if err := json.Unmarshal(one, into); err != nil {
			message := "The value type of parameter `" + name + "` is not valid."
			return &journal.Rejection{Code: "InvalidParameter", Message: message, Reason: err.Error()}
		}
	}
	return nil
}

// check returns the error for which the entire call is rejected, or nil.
func (t *tencent) check(q tencentRequest) *journal.Rejection {
	foreign := 0
	for _, phone := range q.PhoneNumberSet {
		if abroad.MatchString(phone) {
			foreign++
		}
	}
	switch phones := len(q.PhoneNumberSet); {
	case phones == 0:
		return journal.NewRejection("MissingParameter.EmptyPhoneNumberSet", "The phone number set is empty.")
	case phones > tencentMostPhones:
		return journal.NewRejection("LimitExceeded.PhoneNumberCountLimit",
			fmt.Sprintf("There are %d phone numbers; %d are allowed.", phones, tencentMostPhones))
	case foreign > 0 && foreign < phones:
		return journal.NewRejection("UnsupportedOperation.ContainDomesticAndInternationalPhoneNumber",
			"The phone numbers are both of the Chinese mainland and of elsewhere.")
	case q.SmsSdkAppId != t.Tencent.SDKAppID:
		return journal.NewRejection("UnauthorizedOperation.SmsSdkAppIdVerifyFail", "SmsSdkAppId verification failed.")
	case len(q.SessionContext) >= 512:
		return journal.NewRejection("InvalidParameterValue.ContentLengthLimit", "SessionContext is 512 bytes or longer.")
	}
	return nil
}

// sendOne sends to one phone and returns the result.
func (t *tencent) sendOne(q tencentRequest, number, fault string, wait time.Duration) tencentStatus {
	status := tencentStatus{PhoneNumber: number, SessionContext: q.SessionContext, IsoCode: "CN"}
	match := tencentMobile.FindStringSubmatch(number)
	phone := ""
	if match != nil {
		phone = match[1]
		status.PhoneNumber = "+86" + phone
	}
	result := func(code, message string) tencentStatus {
		status.Code, status.Message = code, message
		return status
	}
	switch {
	case abroad.MatchString(number):
		status.IsoCode = "DEF"
		return result("UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone",
			"chinese mainland template to global phone")
	case match == nil || phone == PhoneIllegal:
		return result("InvalidParameterValue.IncorrectPhoneNumber", "incorrect phone number")
	case q.SignName != t.Tencent.SignName:
		return result("FailedOperation.SignatureIncorrectOrUnapproved", "signature is incorrect or unapproved")
	case q.TemplateId != t.Tencent.TemplateID:
		return result("FailedOperation.TemplateIncorrectOrUnapproved", "template is incorrect or unapproved")
	case len(q.TemplateParamSet) != 1:
		return result("FailedOperation.TemplateParamSetNotMatchApprovedTemplate",
			"template params do not match the approved template")
	case !shortDigits.MatchString(q.TemplateParamSet[0]):
		return result("InvalidParameterValue.TemplateParameterFormatError",
			"verification code template parameter is not of 1 to 6 digits")
	case phone == PhoneNoBalance:
		return result("FailedOperation.InsufficientBalanceInSmsPackage", "insufficient balance in SMS package")
	case phone == PhoneSystemError:
		return result("InternalError.OtherError", "other error")
	case phone == PhoneLimited || fault == doLimit:
		return result(tencentLimits[0].name,
			"the number of SMS messages sent to one phone number within 30 seconds exceeds the upper limit")
	}
	at, broken := t.limiter.add(phone)
	if broken != nil {
		return result(broken.name, "the number of SMS messages sent to one phone number exceeds the upper limit")
	}
	status.Fee, status.SerialNo = 1, fmt.Sprintf("2019:%018d", t.serial.Add(1))
	code := q.TemplateParamSet[0]
	d := delivery{Operation: opTencentReport, Number: status.SerialNo, Phone: phone, Template: q.TemplateId,
		OutID: q.SessionContext, Text: textMessage(t.Tencent.SignName, code), SentAt: at, ReportedAt: at.Add(wait),
		Undelivered: fault == doNotDelivered || phone == PhoneNotDelivered}
	if !d.Undelivered {
		t.inbox.put(phone, d.Text, code, at)
	}
	t.deliveries.add(d)
	t.reporter.replace(nil, ReportState{Operation: opTencentReport, Number: d.Number, Due: d.ReportedAt})
	return result("Ok", "send success")
}

// reject answers a call that is rejected.
func (t *tencent) reject(w http.ResponseWriter, r *journal.Rejection) {
	t.write(w, map[string]any{"Error": map[string]string{"Code": r.Code, "Message": r.Message}})
}

// write sends an answer in the vendor's envelope.
func (t *tencent) write(w http.ResponseWriter, response map[string]any) {
	response["RequestId"] = requestID(t.serial.Add(1))
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"Response": response})
}

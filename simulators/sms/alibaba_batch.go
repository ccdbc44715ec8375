package sms

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"
)

const (
	maxPhones      = 1000 // of SendSms
	maxBatchPhones = 100  // of SendBatchSms
	maxDetails     = 50   // of a page of QuerySendDetails
)

// sendBatch is the SendBatchSms call ("SendBatchSms" of the vendor's 2017-05-25 API reference): one template, and for
// each phone its sign name and variables. All messages have one BizId. If a message is rejected, so is the call.
func (a *alibaba) sendBatch(w http.ResponseWriter, r *http.Request) {
	if a.missing(w, r, "PhoneNumberJson", "SignNameJson", "TemplateCode") {
		return
	}
	var phones, signNames []string
	var params []json.RawMessage
	for _, list := range []struct {
		name string
		into any
	}{{"PhoneNumberJson", &phones}, {"SignNameJson", &signNames}, {"TemplateParamJson", &params}} {
		if text := r.Form.Get(list.name); text != "" && json.Unmarshal([]byte(text), list.into) != nil {
			a.rejectBusiness(w, r, "isv.INVALID_JSON_PARAM", list.name+"不是合法的JSON数组")
			return
		}
	}
	switch {
	case len(phones) > maxBatchPhones:
		a.rejectBusiness(w, r, "isv.MOBILE_COUNT_OVER_LIMIT", "手机号码数量超过限制")
		return
	case len(phones) == 0 || len(signNames) != len(phones) || len(params) != len(phones):
		a.rejectBusiness(w, r, "isv.INVALID_PARAMETERS", "手机号码、签名和模板变量的个数不一致")
		return
	}
	messages := []outgoing{}
	for i, phone := range phones {
		m, problem := a.message(phone, signNames[i], r.Form.Get("TemplateCode"), string(params[i]))
		if problem != nil {
			a.rejectBusiness(w, r, problem.Code, problem.Message)
			return
		}
		messages = append(messages, m)
	}
	a.submit(w, r, opSendBatch, messages, r.Form.Get("OutId"))
}

// detail is one message in the answer of queryDetails.
type detail struct {
	PhoneNum     string
	SendStatus   int // 1: no report yet, 2: failed, 3: arrived
	TemplateCode string
	Content      string
	ErrCode      string `json:",omitempty" xml:",omitempty"`
	SendDate     string
	ReceiveDate  string `json:",omitempty" xml:",omitempty"`
	OutID        string `json:"OutId"      xml:"OutId"`
}

// queryDetails is the QuerySendDetails call ("QuerySendDetails" of the vendor's 2017-05-25 API reference): the messages
// to one phone on one of the last 30 days, the newest first.
func (a *alibaba) queryDetails(w http.ResponseWriter, r *http.Request) {
	if a.missing(w, r, "PhoneNumber", "SendDate", "PageSize", "CurrentPage") {
		return
	}
	now := a.Clock.Now().In(shanghai)
	number := mobile.FindStringSubmatch(r.Form.Get("PhoneNumber"))
	size, sizeFits := whole(r.Form.Get("PageSize"), 1, maxDetails)
	current, currentFits := whole(r.Form.Get("CurrentPage"), 1, 1_000_000)
	day, err := time.ParseInLocation("20060102", r.Form.Get("SendDate"), shanghai)
	switch {
	case number == nil:
		a.rejectBusiness(w, r, "isv.MOBILE_NUMBER_ILLEGAL", r.Form.Get("PhoneNumber")+"invalid mobile number")
		return
	case err != nil || day.After(now) || now.Sub(day) > keptFor+24*time.Hour:
		a.rejectBusiness(w, r, "isv.INVALID_PARAMETERS", "SendDate应为最近30天内的yyyyMMdd")
		return
	case !sizeFits || !currentFits:
		a.rejectBusiness(w, r, "isv.INVALID_PARAMETERS", "PageSize应为1到50，CurrentPage从1开始")
		return
	}
	found := a.deliveries.find(func(d *delivery) bool {
		y, m, of := d.SentAt.In(shanghai).Date()
		bizID := r.Form.Get("BizId")
		return d.Operation == opReport && d.Phone == number[1] && (bizID == "" || bizID == d.Number) &&
			time.Date(y, m, of, 0, 0, 0, 0, shanghai).Equal(day)
	})
	slices.Reverse(found)
	list := []detail{}
	for _, d := range page(found, (current-1)*size, size) {
		one := detail{PhoneNum: d.Phone, SendStatus: 1, TemplateCode: d.Template, Content: d.Text, OutID: d.OutID,
			SendDate: d.SentAt.In(shanghai).Format(reportTime)}
		if d.reported(now) {
			one.SendStatus, one.ErrCode, one.ReceiveDate = 3, arrived, d.ReportedAt.In(shanghai).Format(reportTime)
			if d.Undelivered {
				one.SendStatus, one.ErrCode = 2, notOnService
			}
		}
		list = append(list, one)
	}
	a.write(w, r, http.StatusOK, answer{Code: "OK", Message: "OK", TotalCount: strconv.Itoa(len(found)),
		Details: &details{list}})
}

// details contains the list in an answer, because the vendor nests it in an object.
type details struct {
	List []detail `json:"SmsSendDetailDTO" xml:"SmsSendDetailDTO"`
}

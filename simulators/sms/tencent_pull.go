package sms

import (
	"net/http"

	"marquee/simulators/tc3"
)

// The calls that return reports.
const (
	actionPull      = "PullSmsSendStatus"
	actionPullPhone = "PullSmsSendStatusByPhoneNumber"

	tencentMostReports = 100 // of a call
)

// tencentPull is the body of both calls, in the vendor's spelling. Times are in seconds.
type tencentPull struct {
	SmsSdkAppId, PhoneNumber          string
	Limit, Offset, BeginTime, EndTime *uint64
}

// tencentReport is one report in an answer.
type tencentReport struct {
	UserReceiveTime                            int64
	CountryCode, SubscriberNumber, PhoneNumber string
	SerialNo, ReportStatus, Description        string
	SessionContext                             string
}

// readPull decodes and checks the common parameters of both calls.
func (t *tencent) readPull(call tc3.Call, known ...string) (q tencentPull, rejected *apiError) {
	if rejected := decodeTencent(call.JSON(&q), &q, append(known, "Limit", "SmsSdkAppId")); rejected != nil {
		return q, rejected
	}
	switch {
	case q.SmsSdkAppId == "":
		return q, missingParameter("SmsSdkAppId")
	case q.Limit == nil:
		return q, missingParameter("Limit")
	case q.SmsSdkAppId != t.Tencent.SDKAppID:
		return q, tencentError("UnauthorizedOperation.SmsSdkAppIdVerifyFail", "SmsSdkAppId verification failed.")
	case *q.Limit < 1 || *q.Limit > tencentMostReports:
		return q, tencentError("InvalidParameterValue", "Limit must be from 1 to 100.")
	}
	return q, nil
}

// pull is the PullSmsSendStatus call ("PullSmsSendStatus" of the vendor's 2021-01-11 API reference): the reports that
// no earlier call has returned.
func (t *tencent) pull(w http.ResponseWriter, call tc3.Call) *apiError {
	q, rejected := t.readPull(call)
	if rejected == nil {
		t.writeReports(w, t.deliveries.pull(opTencentReport, int(*q.Limit)))
	}
	return rejected
}

// pullPhone is the PullSmsSendStatusByPhoneNumber call of the same reference: the reports of one phone and a time.
func (t *tencent) pullPhone(w http.ResponseWriter, call tc3.Call) *apiError {
	q, rejected := t.readPull(call, "BeginTime", "EndTime", "Offset", "PhoneNumber")
	number := tencentMobile.FindStringSubmatch(q.PhoneNumber)
	switch {
	case rejected != nil:
		return rejected
	case q.BeginTime == nil:
		return missingParameter("BeginTime")
	case q.Offset == nil:
		return missingParameter("Offset")
	case number == nil:
		return tencentError("InvalidParameterValue.IncorrectPhoneNumber", "incorrect phone number")
	case q.EndTime != nil && *q.EndTime < *q.BeginTime:
		return tencentError("InvalidParameterValue.BeginTimeVerifyFail", "BeginTime is after EndTime.")
	}
	now := t.Clock.Now()
	found := t.deliveries.find(func(d *delivery) bool {
		at := uint64(d.SentAt.Unix())
		return d.Operation == opTencentReport && d.Phone == number[1] && d.reported(now) && at >= *q.BeginTime &&
			(q.EndTime == nil || at <= *q.EndTime)
	})
	t.writeReports(w, page(found, int(min(*q.Offset, keepDeliveries)), int(*q.Limit)))
	return nil
}

func (t *tencent) writeReports(w http.ResponseWriter, list []delivery) {
	reports := []tencentReport{}
	for _, d := range list {
		report := tencentReport{UserReceiveTime: d.ReportedAt.Unix(), CountryCode: "86", SubscriberNumber: d.Phone,
			PhoneNumber: "+86" + d.Phone, SerialNo: d.Number, ReportStatus: "SUCCESS", Description: "DELIVRD",
			SessionContext: d.OutID}
		if d.Lost {
			report.ReportStatus, report.Description = "FAIL", "UNDELIV"
		}
		reports = append(reports, report)
	}
	t.write(w, map[string]any{"PullSmsSendStatusSet": reports})
}

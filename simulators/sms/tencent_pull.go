package sms

import (
	"net/http"

	"marquee/simulators/journal"
	"marquee/simulators/tc3"
)

// The actions that return delivery reports.
const (
	actionPull      = "PullSmsSendStatus"
	actionPullPhone = "PullSmsSendStatusByPhoneNumber"

	tencentMostReports = 100 // of a call
)

// tencentPull is the body of PullSmsSendStatus and of PullSmsSendStatusByPhoneNumber. Its fields have the vendor's
// names. Times are unix seconds.
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

// readPull decodes the body of either call and checks the parameters that both calls have.
func (t *tencent) readPull(call tc3.Call, known ...string) (q tencentPull, rejected *journal.Rejection) {
	if rejected := decodeTencent(call.JSON(&q), &q, append(known, "Limit", "SmsSdkAppId")); rejected != nil {
		return q, rejected
	}
	switch {
	case q.SmsSdkAppId == "":
		return q, tc3.MissingParameter("SmsSdkAppId")
	case q.Limit == nil:
		return q, tc3.MissingParameter("Limit")
	case q.SmsSdkAppId != t.Tencent.SDKAppID:
		return q, journal.NewRejection("UnauthorizedOperation.SmsSdkAppIdVerifyFail", "SmsSdkAppId verification failed.")
	case *q.Limit < 1 || *q.Limit > tencentMostReports:
		return q, journal.NewRejection("InvalidParameterValue", "Limit must be from 1 to 100.")
	}
	return q, nil
}

// pull is the PullSmsSendStatus call ("PullSmsSendStatus" of the vendor's 2021-01-11 API reference): the reports that
// no earlier call has returned.
func (t *tencent) pull(w http.ResponseWriter, call tc3.Call) *journal.Rejection {
	q, rejected := t.readPull(call)
	if rejected == nil {
		t.writeReports(w, t.deliveries.pull(opTencentReport, int(*q.Limit)))
	}
	return rejected
}

// pullPhone is the PullSmsSendStatusByPhoneNumber call of the same reference: the reports about messages that were sent
// to one phone in a period.
func (t *tencent) pullPhone(w http.ResponseWriter, call tc3.Call) *journal.Rejection {
	q, rejected := t.readPull(call, "BeginTime", "EndTime", "Offset", "PhoneNumber")
	number := tencentMobile.FindStringSubmatch(q.PhoneNumber)
	switch {
	case rejected != nil:
		return rejected
	case q.BeginTime == nil:
		return tc3.MissingParameter("BeginTime")
	case q.Offset == nil:
		return tc3.MissingParameter("Offset")
	case number == nil:
		return journal.NewRejection("InvalidParameterValue.IncorrectPhoneNumber", "incorrect phone number")
	case q.EndTime != nil && *q.EndTime < *q.BeginTime:
		return journal.NewRejection("InvalidParameterValue.BeginTimeVerifyFail", "BeginTime is after EndTime.")
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
		if d.Undelivered {
			report.ReportStatus, report.Description = "FAIL", "UNDELIV"
		}
		reports = append(reports, report)
	}
	t.write(w, map[string]any{"PullSmsSendStatusSet": reports})
}

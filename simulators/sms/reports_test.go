package sms_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	dysms "github.com/alibabacloud-go/dysmsapi-20170525/v5/client"
	"github.com/alibabacloud-go/tea/tea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	tencent "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/sms/v20210111"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/sms"
	"marquee/simulators/webhook"
)

// details queries the messages to a phone on the clock's day with the vendor's SDK. change may alter the request before
// it is sent. details returns the list, the total and the code of the answer.
func (r *smsServer) details(t *testing.T, phone string, change func(*dysms.QuerySendDetailsRequest)) (
	list []*dysms.QuerySendDetailsResponseBodySmsSendDetailDTOsSmsSendDetailDTO, total, code string,
) {
	t.Helper()
	q := &dysms.QuerySendDetailsRequest{
		PhoneNumber: &phone, SendDate: tea.String(r.clock.Now().In(shanghai).Format("20060102")),
		PageSize: tea.Int64(10), CurrentPage: tea.Int64(1),
	}
	change(q)
	answer, err := r.sdk(t, r.keys.AccessKeySecret).QuerySendDetails(q)
	require.NoError(t, err)
	if answer.Body.SmsSendDetailDTOs != nil {
		list = answer.Body.SmsSendDetailDTOs.SmsSendDetailDTO
	}
	return list, tea.StringValue(answer.Body.TotalCount), tea.StringValue(answer.Body.Code)
}

var shanghai = time.FixedZone("CST", 8*60*60)

func asIs(*dysms.QuerySendDetailsRequest) {}

func TestSDK_QuerySendDetailsKnowsEveryMessageAndItsReport(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.clock.Freeze()
	q := r.request("13900000001,13900000002")
	q.OutId = tea.String("own-7")
	answer, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(q)
	require.NoError(t, err)
	require.Equal(t, "OK", *answer.Body.Code)

	list, total, code := r.details(t, "13900000001", asIs)
	require.Equal(t, "OK", code)
	require.Equal(t, "1", total)
	assert.Equal(t, int64(1), *list[0].SendStatus, "no report yet")
	assert.Nil(t, list[0].ErrCode)
	assert.Nil(t, list[0].ReceiveDate)
	r.clock.Advance(time.Minute)
	require.Equal(t, "OK", r.send(t, "13900000001"))
	r.clock.Advance(2 * time.Second)
	list, total, _ = r.details(t, "13900000001", asIs)
	require.Equal(t, "2", total)
	assert.Greater(t, *list[0].SendDate, *list[1].SendDate, "the newest first")
	first := list[1]
	assert.Equal(t, int64(3), *first.SendStatus)
	assert.Equal(t, "DELIVERED", *first.ErrCode)
	assert.Equal(t, "own-7", *first.OutId)
	assert.Equal(t, r.keys.TemplateCode, *first.TemplateCode)
	assert.Contains(t, *first.Content, "482913")
	assert.Equal(t, "13900000001", *first.PhoneNum)
	sentAt, err := time.ParseInLocation(time.DateTime, *first.SendDate, shanghai)
	require.NoError(t, err)
	assert.Equal(t, sentAt.Add(2*time.Second).Format(time.DateTime), *first.ReceiveDate)

	list, total, _ = r.details(t, "13900000001", func(q *dysms.QuerySendDetailsRequest) { q.BizId = answer.Body.BizId })
	require.Equal(t, "1", total)
	assert.Equal(t, "own-7", *list[0].OutId)
	list, total, _ = r.details(t, "13900000001", func(q *dysms.QuerySendDetailsRequest) {
		q.PageSize, q.CurrentPage = tea.Int64(1), tea.Int64(2)
	})
	require.Len(t, list, 1)
	assert.Equal(t, "2", total)
	assert.Equal(t, "own-7", *list[0].OutId)

	require.Equal(t, "OK", r.send(t, sms.PhoneNotDelivered))
	r.clock.Advance(time.Minute)
	list, _, _ = r.details(t, sms.PhoneNotDelivered, asIs)
	assert.Equal(t, int64(2), *list[0].SendStatus)
	assert.Equal(t, "MOBILE_NOT_ON_SERVICE", *list[0].ErrCode)

	list, total, code = r.details(t, "13900000009", asIs)
	assert.Empty(t, list)
	assert.Equal(t, "0", total)
	assert.Equal(t, "OK", code)
	for want, change := range map[string]func(*dysms.QuerySendDetailsRequest){
		"isv.MOBILE_NUMBER_ILLEGAL": func(q *dysms.QuerySendDetailsRequest) { q.PhoneNumber = tea.String("139") },
		"isv.INVALID_PARAMETERS":    func(q *dysms.QuerySendDetailsRequest) { q.PageSize = tea.Int64(51) },
	} {
		_, _, code = r.details(t, "13900000001", change)
		assert.Equal(t, want, code)
	}
	_, _, code = r.details(t, "13900000001",
		func(q *dysms.QuerySendDetailsRequest) { q.SendDate = tea.String("2026-01-02") })
	assert.Equal(t, "isv.INVALID_PARAMETERS", code)
	r.clock.Advance(40 * 24 * time.Hour)
	_, _, code = r.details(t, "13900000001", func(q *dysms.QuerySendDetailsRequest) {
		q.SendDate = tea.String(sentAt.Format("20060102"))
	})
	assert.Equal(t, "isv.INVALID_PARAMETERS", code, "older than 30 days")
	q2 := &dysms.QuerySendDetailsRequest{PhoneNumber: tea.String("13900000001")}
	_, err = r.sdk(t, r.keys.AccessKeySecret).QuerySendDetails(q2)
	require.ErrorContains(t, err, "MissingSendDate")
}

func TestSDK_SendBatchSmsSendsAllOrNone(t *testing.T) {
	t.Parallel()
	r := start(t)
	batch := func(change func(*dysms.SendBatchSmsRequest)) *dysms.SendBatchSmsResponseBody {
		t.Helper()
		q := &dysms.SendBatchSmsRequest{
			PhoneNumberJson: tea.String(`["13900000001","+8613900000002"]`), TemplateCode: &r.keys.TemplateCode,
			SignNameJson:      tea.String(fmt.Sprintf(`[%q,%q]`, r.keys.SignName, r.keys.SignName)),
			TemplateParamJson: tea.String(`[{"code":"111111"},{"code":"222222"}]`),
		}
		change(q)
		answer, err := r.sdk(t, r.keys.AccessKeySecret).SendBatchSms(q)
		require.NoError(t, err)
		return answer.Body
	}
	for code, change := range map[string]func(*dysms.SendBatchSmsRequest){
		"isv.INVALID_JSON_PARAM": func(q *dysms.SendBatchSmsRequest) {
			q.PhoneNumberJson = tea.String(`13900000001`)
		},
		"isv.INVALID_PARAMETERS": func(q *dysms.SendBatchSmsRequest) {
			q.SignNameJson = tea.String(`["` + r.keys.SignName + `"]`)
		},
		"isv.MOBILE_NUMBER_ILLEGAL": func(q *dysms.SendBatchSmsRequest) {
			q.PhoneNumberJson = tea.String(`["13900000001","1"]`)
		},
		"isv.MOBILE_COUNT_OVER_LIMIT": func(q *dysms.SendBatchSmsRequest) {
			q.PhoneNumberJson = tea.String(`["13900000001"` + strings.Repeat(`,"13900000001"`, 100) + `]`)
		},
		"isv.SMS_SIGNATURE_ILLEGAL": func(q *dysms.SendBatchSmsRequest) {
			q.SignNameJson = tea.String(`["别家","别家"]`)
		},
		"isv.TEMPLATE_MISSING_PARAMETERS": func(q *dysms.SendBatchSmsRequest) {
			q.TemplateParamJson = tea.String(`[{"code":"1"},{}]`)
		},
		"isv.BUSINESS_LIMIT_CONTROL": func(q *dysms.SendBatchSmsRequest) {
			q.PhoneNumberJson = tea.String(`["13900000001","13900000001"]`)
		},
	} {
		assert.Equal(t, code, *batch(change).Code)
	}
	for range 10 {
		answer := batch(func(q *dysms.SendBatchSmsRequest) {
			q.PhoneNumberJson, q.SignNameJson, q.TemplateParamJson = tea.String("1"), tea.String("1"), tea.String("1")
		})
		assert.Contains(t, *answer.Message, "PhoneNumberJson", "the same parameter in every run")
	}
	require.Empty(t, r.Messages(""), "nothing was sent")
	sent := batch(func(*dysms.SendBatchSmsRequest) {})
	require.Equal(t, "OK", *sent.Code)
	require.NotEmpty(t, *sent.BizId)
	assert.Equal(t, "111111", r.Messages("13900000001")[0].Code)
	assert.Equal(t, "222222", r.Messages("13900000002")[0].Code)
	assert.Equal(t, "send-batch", r.journal.Entries(journal.Filter{Verdict: journal.OK})[0].Operation)

	_, err := r.sdk(t, r.keys.AccessKeySecret).SendBatchSms(
		&dysms.SendBatchSmsRequest{TemplateCode: &r.keys.TemplateCode})
	require.ErrorContains(t, err, "MissingPhoneNumberJson")
	over := r.request("13900000003" + strings.Repeat(",13900000003", 1000))
	answer, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(over)
	require.NoError(t, err)
	assert.Equal(t, "isv.MOBILE_COUNT_OVER_LIMIT", *answer.Body.Code)
}

// receiver is a server that gets reports. It rejects the next denies of them, and accepts the later ones.
type receiver struct {
	bodies chan []map[string]any
	denies atomic.Int64
}

func startReceiver(t *testing.T, r *smsServer, accept string) *receiver {
	t.Helper()
	got := &receiver{bodies: make(chan []map[string]any, 20)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		assert.NoError(t, err)
		var list []map[string]any
		assert.NoError(t, json.Unmarshal(body, &list))
		if got.denies.Add(-1) >= 0 {
			_, _ = io.WriteString(w, `{"code":1,"result":1}`)
		} else {
			_, _ = io.WriteString(w, accept)
		}
		got.bodies <- list
	}))
	t.Cleanup(server.Close)
	_, err := r.targets.Add(webhook.Target{URL: server.URL})
	require.NoError(t, err)
	return got
}

// next returns the next report.
func (g *receiver) next(t *testing.T) []map[string]any {
	t.Helper()
	select {
	case list := <-g.bodies:
		return list
	case <-time.After(10 * time.Second):
		require.FailNow(t, "no report came")
		return nil
	}
}

// recorded waits until the journal has a number of entries of an operation.
func (r *smsServer) recorded(t *testing.T, operation string, n int) []journal.Entry {
	t.Helper()
	var entries []journal.Entry
	require.Eventually(t, func() bool {
		entries = r.journal.Entries(journal.Filter{Operation: operation})
		return len(entries) == n
	}, 10*time.Second, time.Millisecond)
	return entries
}

func TestReports_ReachTheTargetsAndAreRepeatedUntilAccepted(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.clock.Freeze()
	got := startReceiver(t, r, `{"code":0,"msg":"接收成功"}`)
	got.denies.Store(2)
	q := r.request("13900000001," + sms.PhoneNotDelivered)
	q.OutId = tea.String("own-7")
	answer, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(q)
	require.NoError(t, err)
	r.clock.Advance(2 * time.Second)
	report := got.next(t)
	require.Len(t, report, 2, "one report for the entire call")
	assert.Equal(t, *answer.Body.BizId, report[0]["biz_id"])
	assert.Equal(t, "own-7", report[0]["out_id"])
	assert.Equal(t, true, report[0]["success"])
	assert.Equal(t, "DELIVERED", report[0]["err_code"])
	assert.Equal(t, "1", report[0]["sms_size"])
	assert.Equal(t, "13900000001", report[0]["phone_number"])
	assert.Equal(t, false, report[1]["success"])
	for i, wait := range []time.Duration{time.Minute, 5 * time.Minute} {
		r.recorded(t, "report", i+1)
		r.clock.Advance(wait)
		assert.Equal(t, report, got.next(t))
	}
	entries := r.recorded(t, "report", 3)
	assert.Equal(t, journal.Sent, entries[0].Verdict)
	assert.Equal(t, *answer.Body.BizId, entries[0].Subject)
	assert.Equal(t, entries[0].Request, entries[0].Delivery.Body)
	assert.Equal(t, map[string]string{"Content-Type": "application/json;charset=utf-8"}, entries[0].Delivery.Headers)
	assert.Empty(t, entries[0].Delivery.KeyID, "a report is not signed")
	assert.Equal(t, journal.Failed, entries[1].Verdict)
	r.clock.Advance(24 * time.Hour)
	again, err := r.Resend("report", *answer.Body.BizId, "")
	require.NoError(t, err)
	require.Len(t, again, 1)
	assert.Equal(t, report, got.next(t), "sent again")
	_, err = r.Resend("report", "unknown", "")
	require.ErrorContains(t, err, "webhook_unknown")
}

func TestReports_FaultsAndASnapshotInBetween(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.clock.Freeze()
	got := startReceiver(t, r, `{"code":0}`)
	plan := func(operation, do string, delay int) {
		_, err := r.plan.Add(faults.Fault{Provider: sms.Name, Operation: operation, Do: do, DelayS: delay, Times: 1})
		require.NoError(t, err)
	}
	plan("report", "report-drop", 0)
	require.Equal(t, "OK", r.send(t, "13900000001"))
	r.clock.Advance(2 * time.Second)
	assert.Equal(t, journal.Faulted, r.recorded(t, "report", 1)[0].Verdict)
	plan("report", "report-duplicate", 0)
	require.Equal(t, "OK", r.send(t, "13900000002"))
	r.clock.Advance(2 * time.Second)
	assert.Equal(t, got.next(t), got.next(t))
	r.recorded(t, "report", 3)

	plan("send", "report-late", 60)
	require.Equal(t, "OK", r.send(t, "13900000003"))
	r.clock.Advance(30 * time.Second)
	list, _, _ := r.details(t, "13900000003", asIs)
	assert.Equal(t, int64(1), *list[0].SendStatus)
	saved := r.Save()
	r.Close()
	restored := sms.New(sms.Config{Clock: r.clock, Plan: faults.NewPlan(), Journal: r.journal, Credentials: r.keys,
		Targets: r.targets})
	require.NoError(t, restored.Load(saved))
	r.clock.Advance(30 * time.Second)
	assert.Equal(t, "13900000003", got.next(t)[0]["phone_number"])
	saved.Reports = append(saved.Reports, sms.ReportState{Operation: "report", Number: "unknown"})
	require.ErrorContains(t, sms.New(sms.Config{Clock: r.clock, Plan: faults.NewPlan(), Journal: r.journal}).Load(
		saved), "unknown")
}

func TestReports_ASnapshotHasAReportOrItsRetry(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.clock.Freeze()
	rejecting := startReceiver(t, r, `{"code":1}`)
	saved := make(chan []sms.ReportState, 1)
	accepting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		saved <- r.Save().Reports
		_, _ = io.WriteString(w, `{"code":0}`)
	}))
	t.Cleanup(accepting.Close)
	_, err := r.targets.Add(webhook.Target{URL: accepting.URL})
	require.NoError(t, err)
	require.Equal(t, "OK", r.send(t, "13900000001"))
	r.clock.Advance(2 * time.Second)
	rejecting.next(t)
	receivers := map[string]bool{}
	for _, report := range <-saved {
		assert.NotEmpty(t, report.Target, "a report to all targets, although it is being sent to each")
		assert.False(t, receivers[report.Target], "two reports to one target")
		receivers[report.Target] = true
	}
}

func TestReports_OfADroppedMessageAreNotInASnapshot(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.clock.Freeze()
	_, err := r.plan.Add(faults.Fault{
		Provider: sms.Name, Operation: "send", Do: "report-late", DelayS: 40 * 24 * 60 * 60, Times: 1})
	require.NoError(t, err)
	require.Equal(t, "OK", r.send(t, "13900000001"))
	require.Len(t, r.Save().Reports, 1)
	r.clock.Advance(31 * 24 * time.Hour)
	require.Equal(t, "OK", r.send(t, "13900000002"))
	saved := r.Save()
	require.Len(t, saved.Deliveries, 1)
	require.Len(t, saved.Reports, 1)
	restored := sms.New(sms.Config{Clock: r.clock, Plan: faults.NewPlan(), Journal: r.journal})
	t.Cleanup(restored.Close)
	require.NoError(t, restored.Load(saved))
}

func TestTencentSDK_PullsReportsOnceAndByPhone(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	r.clock.Freeze()
	got := startReceiver(t, r.smsServer, `{"result":0,"errmsg":"OK"}`)
	q := r.request("+8613900000001", "+86"+sms.PhoneNotDelivered)
	q.SessionContext = common.StringPtr("own-7")
	require.Equal(t, []string{"Ok", "Ok"}, r.send(t, q))
	pull := func() []*tencent.PullSmsSendStatus {
		t.Helper()
		q := tencent.NewPullSmsSendStatusRequest()
		q.Limit, q.SmsSdkAppId = common.Uint64Ptr(10), &r.keys.SDKAppID
		answer, err := r.sdk(t).PullSmsSendStatus(q)
		require.NoError(t, err)
		return answer.Response.PullSmsSendStatusSet
	}
	require.Empty(t, pull(), "no report yet")
	r.clock.Advance(2 * time.Second)
	reports := pull()
	require.Len(t, reports, 2)
	assert.Equal(t, "SUCCESS", *reports[0].ReportStatus)
	assert.Equal(t, "DELIVRD", *reports[0].Description)
	assert.Equal(t, "+8613900000001", *reports[0].PhoneNumber)
	assert.Equal(t, "own-7", *reports[0].SessionContext)
	assert.Equal(t, "FAIL", *reports[1].ReportStatus)
	require.Empty(t, pull(), "each report once")
	pushed := append(got.next(t), got.next(t)...)
	sids := []any{pushed[0]["sid"], pushed[1]["sid"]}
	assert.ElementsMatch(t, []any{*reports[0].SerialNo, *reports[1].SerialNo}, sids, "the callback reports the same")

	byPhone := tencent.NewPullSmsSendStatusByPhoneNumberRequest()
	byPhone.BeginTime, byPhone.Offset, byPhone.Limit = common.Uint64Ptr(0), common.Uint64Ptr(0), common.Uint64Ptr(100)
	byPhone.PhoneNumber, byPhone.SmsSdkAppId = common.StringPtr("+8613900000001"), &r.keys.SDKAppID
	answer, err := r.sdk(t).PullSmsSendStatusByPhoneNumber(byPhone)
	require.NoError(t, err)
	require.Len(t, answer.Response.PullSmsSendStatusSet, 1)
	assert.Equal(t, *reports[0].SerialNo, *answer.Response.PullSmsSendStatusSet[0].SerialNo)
	byPhone.BeginTime = common.Uint64Ptr(uint64(r.clock.Now().Unix() + 10))
	answer, err = r.sdk(t).PullSmsSendStatusByPhoneNumber(byPhone)
	require.NoError(t, err)
	require.Empty(t, answer.Response.PullSmsSendStatusSet)

	for code, change := range map[string]func(){
		"InvalidParameterValue.BeginTimeVerifyFail":   func() { byPhone.EndTime = common.Uint64Ptr(1) },
		"InvalidParameterValue.IncorrectPhoneNumber":  func() { byPhone.PhoneNumber = common.StringPtr("139") },
		"InvalidParameterValue":                       func() { byPhone.Limit = common.Uint64Ptr(101) },
		"UnauthorizedOperation.SmsSdkAppIdVerifyFail": func() { byPhone.SmsSdkAppId = common.StringPtr("1400000000") },
	} {
		before := *byPhone
		change()
		_, err = r.sdk(t).PullSmsSendStatusByPhoneNumber(byPhone)
		require.ErrorContains(t, err, "Code="+code+",")
		*byPhone = before
	}
}

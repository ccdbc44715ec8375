package sms_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	dysms "github.com/alibabacloud-go/dysmsapi-20170525/v5/client"
	"github.com/alibabacloud-go/tea/tea"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/sms"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

// smsServer is the provider on a socket.
type smsServer struct {
	*sms.Simulator
	clock   *testclock.Clock
	plan    *faults.Plan
	journal *journal.Journal
	keys    dataset.SMSCredentials
	server  *httptest.Server
	targets *webhook.Targets
}

func start(t *testing.T) *smsServer {
	t.Helper()
	clock := testclock.New()
	r := &smsServer{clock: clock, plan: faults.NewPlan(), journal: journal.New(100, clock.Now),
		keys: dataset.NewCredentials(1).SMS, targets: &webhook.Targets{}}
	r.Simulator = sms.New(sms.Config{Clock: clock, Plan: r.plan, Journal: r.journal, Credentials: r.keys,
		Tencent: dataset.NewCredentials(1).Tencent, Targets: r.targets})
	r.server = httptest.NewServer(r.Handler())
	t.Cleanup(r.server.Close)
	return r
}

// sdk is the vendor's own client, pointed at the simulator.
func (r *smsServer) sdk(t *testing.T, secret string) *dysms.Client {
	t.Helper()
	client, err := dysms.NewClient(&openapi.Config{
		AccessKeyId: tea.String(r.keys.AccessKeyID), AccessKeySecret: tea.String(secret),
		Endpoint: tea.String(strings.TrimPrefix(r.server.URL, "http://")), Protocol: tea.String("http"),
	})
	require.NoError(t, err)
	return client
}

func (r *smsServer) request(phone string) *dysms.SendSmsRequest {
	return &dysms.SendSmsRequest{
		PhoneNumbers: tea.String(phone), SignName: tea.String(r.keys.SignName),
		TemplateCode: tea.String(r.keys.TemplateCode), TemplateParam: tea.String(`{"code":"482913"}`),
	}
}

func (r *smsServer) send(t *testing.T, phone string) string {
	t.Helper()
	answer, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(r.request(phone))
	require.NoError(t, err)
	require.NotEmpty(t, tea.StringValue(answer.Body.RequestId))
	return tea.StringValue(answer.Body.Code)
}

func TestSDK_SendsAndTheMessageArrives(t *testing.T) {
	t.Parallel()
	r := start(t)
	answer, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(r.request("13900000001"))
	require.NoError(t, err)
	require.Equal(t, "OK", tea.StringValue(answer.Body.Code))
	require.NotEmpty(t, tea.StringValue(answer.Body.BizId))

	inbox := r.Messages("13900000001")
	require.Len(t, inbox, 1)
	require.Equal(t, "482913", inbox[0].Code)
	require.Contains(t, inbox[0].Text, "【"+r.keys.SignName+"】")
	require.Empty(t, r.Messages("13900000002"))
	require.Equal(t, "send", r.journal.Entries(journal.Filter{Verdict: journal.OK})[0].Operation)
}

func TestSDK_BusinessErrors(t *testing.T) {
	t.Parallel()
	r := start(t)
	for phone, code := range map[string]string{
		sms.PhoneLimited:     "isv.BUSINESS_LIMIT_CONTROL",
		sms.PhoneIllegal:     "isv.MOBILE_NUMBER_ILLEGAL",
		sms.PhoneNoBalance:   "isv.AMOUNT_NOT_ENOUGH",
		sms.PhoneSystemError: "isp.SYSTEM_ERROR",
		"12345":              "isv.MOBILE_NUMBER_ILLEGAL",
	} {
		require.Equal(t, code, r.send(t, phone), phone)
	}
	require.Empty(t, r.Messages(""))
	require.Equal(t, "OK", r.send(t, sms.PhoneNotDelivered))
	require.Empty(t, r.Messages(""))

	for name, change := range map[string]func(*dysms.SendSmsRequest){
		"isv.SMS_SIGNATURE_ILLEGAL":       func(q *dysms.SendSmsRequest) { q.SignName = tea.String("别家") },
		"isv.SMS_TEMPLATE_ILLEGAL":        func(q *dysms.SendSmsRequest) { q.TemplateCode = tea.String("SMS_0") },
		"isv.INVALID_JSON_PARAM":          func(q *dysms.SendSmsRequest) { q.TemplateParam = tea.String("code=1") },
		"isv.TEMPLATE_MISSING_PARAMETERS": func(q *dysms.SendSmsRequest) { q.TemplateParam = tea.String("{}") },
	} {
		q := r.request("13900000001")
		change(q)
		answer, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(q)
		require.NoError(t, err)
		require.Equal(t, name, tea.StringValue(answer.Body.Code))
	}
}

// A notice has the variable time and no code. Notices have a separate limit for each day. A snapshot keeps the count.
func TestSDK_Notices(t *testing.T) {
	t.Parallel()
	r := start(t)
	const phone = "13900000001"
	send := func(template, param string) string {
		q := r.request(phone)
		q.TemplateCode, q.TemplateParam = tea.String(template), tea.String(param)
		answer, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(q)
		require.NoError(t, err)
		return tea.StringValue(answer.Body.Code)
	}
	require.Equal(t, "OK", r.send(t, phone))
	of := r.keys.NoticeTemplates
	for _, template := range []string{of.Identity, of.Phone, of.Password, of.Device} {
		require.Equal(t, "isv.TEMPLATE_MISSING_PARAMETERS", send(template, `{"code":"123456"}`))
		require.Equal(t, "OK", send(template, `{"time":"11月25日 20:15"}`), "within the minute of the code")
		newest := r.Messages(phone)[0]
		require.Contains(t, newest.Text, "您的账号于11月25日 20:15")
		require.Empty(t, newest.Code)
	}
	for range 46 {
		require.Equal(t, "OK", send(of.Device, `{"time":"x"}`))
	}
	require.Equal(t, "isv.BUSINESS_LIMIT_CONTROL", send(of.Phone, `{"time":"x"}`))
	fresh := start(t)
	require.NoError(t, fresh.Load(r.Save()))
	require.Len(t, fresh.Save().SentNotices[phone], 50)
	r.clock.Advance(time.Minute)
	require.Equal(t, "OK", r.send(t, phone), "notices do not count as codes")
	r.clock.Advance(24 * time.Hour)
	require.Equal(t, "OK", send(of.Phone, `{"time":"x"}`))
}

func TestSDK_LimitsPerPhoneFollowTheBusinessClock(t *testing.T) {
	t.Parallel()
	r := start(t)
	const phone = "13900000001"
	require.Equal(t, "OK", r.send(t, phone))
	require.Equal(t, "isv.BUSINESS_LIMIT_CONTROL", r.send(t, phone))
	require.Equal(t, "OK", r.send(t, "13900000002"), "limits are per phone")
	for range 4 {
		r.clock.Advance(time.Minute)
		require.Equal(t, "OK", r.send(t, phone))
	}
	r.clock.Advance(time.Minute)
	require.Equal(t, "isv.BUSINESS_LIMIT_CONTROL", r.send(t, phone), "five in an hour")
	r.clock.Advance(time.Hour)
	for range 5 {
		require.Equal(t, "OK", r.send(t, phone))
		r.clock.Advance(time.Minute)
	}
	r.clock.Advance(time.Hour)
	require.Equal(t, "isv.BUSINESS_LIMIT_CONTROL", r.send(t, phone), "ten in a day")
	r.clock.Advance(24 * time.Hour)
	require.Equal(t, "OK", r.send(t, phone))
	require.Len(t, r.Messages(phone), 11)
}

func TestSDK_WrongSecretIsRejectedAndTheJournalHasTheReason(t *testing.T) {
	t.Parallel()
	r := start(t)
	_, err := r.sdk(t, "not the secret").SendSms(r.request("13900000001"))
	var rejected *tea.SDKError
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, "SignatureDoesNotMatch", tea.StringValue(rejected.Code))
	require.Equal(t, 400, tea.IntValue(rejected.StatusCode))
	require.Empty(t, r.Messages(""))

	entry := r.journal.Entries(journal.Filter{})[0]
	require.Equal(t, journal.Rejected, entry.Verdict)
	require.Regexp(t,
		`expected [0-9a-f]{64}, came [0-9a-f]{64}; the canonical request is\nPOST\n/\nPhoneNumbers=13900000001&`,
		entry.Reason)
}

func TestSDK_UnknownAccessKey(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.keys.AccessKeyID = "LTAIunknown"
	_, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(r.request("13900000001"))
	var rejected *tea.SDKError
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, "InvalidAccessKeyId.NotFound", tea.StringValue(rejected.Code))
}

func TestFaults_OfTheWireAndOfTheDomain(t *testing.T) {
	t.Parallel()
	r := start(t)
	plan := func(f faults.Fault) {
		f.Provider, f.Operation, f.Times = sms.Name, "send", 1
		_, err := r.plan.Add(f)
		require.NoError(t, err)
	}
	plan(faults.Fault{Do: "limit"})
	require.Equal(t, "isv.BUSINESS_LIMIT_CONTROL", r.send(t, "13900000001"))
	plan(faults.Fault{Do: "error", Code: "isv.OUT_OF_SERVICE", Message: "业务停机"})
	require.Equal(t, "isv.OUT_OF_SERVICE", r.send(t, "13900000001"))
	plan(faults.Fault{Do: "not-delivered"})
	require.Equal(t, "OK", r.send(t, "13900000001"))
	require.Empty(t, r.Messages(""))
	plan(faults.Fault{Do: "act-then-reset"})
	_, err := r.sdk(t, r.keys.AccessKeySecret).SendSms(r.request("13900000002"))
	require.Error(t, err)
	require.Len(t, r.Messages("13900000002"), 1, "the provider had acted")
}

func TestSDK_ThrottlingIsRejectedBeforeTheService(t *testing.T) {
	t.Parallel()
	r := start(t)
	_, err := r.plan.Add(faults.Fault{Provider: sms.Name, Operation: "send", Do: faults.Error, Code: "Throttling.User",
		Times: 1})
	require.NoError(t, err)
	_, err = r.sdk(t, r.keys.AccessKeySecret).SendSms(r.request("13900000001"))
	var rejected *tea.SDKError
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, "Throttling.User", tea.StringValue(rejected.Code))
	require.Equal(t, 400, tea.IntValue(rejected.StatusCode))
}

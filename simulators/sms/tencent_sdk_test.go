package sms_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/errors"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"
	tencent "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/sms/v20210111"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/sms"
)

// tencentServer is the provider's Tencent Cloud API on a socket.
type tencentServer struct {
	*smsServer
	keys   dataset.TencentCredentials
	server *httptest.Server
}

func startTencent(t *testing.T) *tencentServer {
	t.Helper()
	r := &tencentServer{smsServer: start(t), keys: dataset.NewCredentials(1).Tencent}
	r.server = httptest.NewServer(r.TencentHandler())
	t.Cleanup(r.server.Close)
	return r
}

// sdk is the vendor's own client, pointed at the simulator.
func (r *tencentServer) sdk(t *testing.T) *tencent.Client {
	t.Helper()
	p := profile.NewClientProfile()
	p.HttpProfile.Endpoint, p.HttpProfile.Scheme = strings.TrimPrefix(r.server.URL, "http://"), "http"
	client, err := tencent.NewClient(common.NewCredential(r.keys.SecretID, r.keys.SecretKey), "ap-guangzhou", p)
	require.NoError(t, err)
	return client
}

func (r *tencentServer) request(phones ...string) *tencent.SendSmsRequest {
	q := tencent.NewSendSmsRequest()
	q.PhoneNumberSet = common.StringPtrs(phones)
	q.SmsSdkAppId, q.TemplateId, q.SignName = &r.keys.SDKAppID, &r.keys.TemplateID, &r.keys.SignName
	q.TemplateParamSet = common.StringPtrs([]string{"482913"})
	return q
}

// send returns each phone's code.
func (r *tencentServer) send(t *testing.T, q *tencent.SendSmsRequest) (codes []string) {
	t.Helper()
	answer, err := r.sdk(t).SendSms(q)
	require.NoError(t, err)
	require.NotEmpty(t, *answer.Response.RequestId)
	for _, status := range answer.Response.SendStatusSet {
		codes = append(codes, *status.Code)
	}
	return codes
}

// rejectedCall returns the code with which the vendor rejects an entire call.
func (r *tencentServer) rejectedCall(t *testing.T, q *tencent.SendSmsRequest) string {
	t.Helper()
	_, err := r.sdk(t).SendSms(q)
	var rejected *errors.TencentCloudSDKError
	require.ErrorAs(t, err, &rejected)
	require.NotEmpty(t, rejected.GetRequestId())
	return rejected.GetCode()
}

func TestTencentSDK_SendsAndTheMessageArrivesInTheOneInbox(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	q := r.request("+8613900000001", "13900000002", "008613900000003")
	q.SessionContext = common.StringPtr("order 7")
	answer, err := r.sdk(t).SendSms(q)
	require.NoError(t, err)
	require.Len(t, answer.Response.SendStatusSet, 3)
	serials := map[string]bool{}
	for i, status := range answer.Response.SendStatusSet {
		require.Equal(t, "Ok", *status.Code)
		require.Equal(t, "send success", *status.Message)
		require.Equal(t, "+8613900000001"[:13]+string(rune('1'+i)), *status.PhoneNumber)
		require.Equal(t, "order 7", *status.SessionContext)
		require.Equal(t, "CN", *status.IsoCode)
		require.EqualValues(t, 1, *status.Fee)
		serials[*status.SerialNo] = true
	}
	require.Len(t, serials, 3)
	require.Equal(t, "OK", r.smsServer.send(t, "13900000001"), "the other vendor has its own limits")

	inbox := r.Messages("13900000001")
	require.Len(t, inbox, 2, "one inbox")
	require.Equal(t, "482913", inbox[1].Code)
	require.Equal(t, "【"+r.keys.SignName+"】您的验证码为482913，5分钟内有效，请勿泄露给他人。", inbox[1].Text)
	require.NotEmpty(t, r.journal.Entries(journal.Filter{Operation: "tencent-send", Verdict: journal.OK}))
}

func TestTencentSDK_EachPhoneHasItsOwnStatus(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	phones := map[string]string{
		sms.PhoneLimited:     "LimitExceeded.PhoneNumberThirtySecondLimit",
		sms.PhoneIllegal:     "InvalidParameterValue.IncorrectPhoneNumber",
		sms.PhoneNoBalance:   "FailedOperation.InsufficientBalanceInSmsPackage",
		sms.PhoneSystemError: "InternalError.OtherError",
		"12345":              "InvalidParameterValue.IncorrectPhoneNumber",
		"13900000001":        "Ok",
	}
	list, want := []string{}, []string{}
	for phone, code := range phones {
		list, want = append(list, phone), append(want, code)
	}
	require.Equal(t, want, r.send(t, r.request(list...)))
	require.Len(t, r.Messages(""), 1)
	require.Equal(t, []string{"Ok"}, r.send(t, r.request(sms.PhoneNotDelivered)))
	require.Len(t, r.Messages(""), 1)
	require.Equal(t, []string{"UnsupportedOperation.ChineseMainlandTemplateToGlobalPhone"},
		r.send(t, r.request("+85251234567")))
	entry := r.journal.Entries(journal.Filter{Verdict: journal.Rejected})[1]
	require.Contains(t, entry.Reason, sms.PhoneNoBalance+" FailedOperation.InsufficientBalanceInSmsPackage")

	for code, change := range map[string]func(*tencent.SendSmsRequest){
		"FailedOperation.SignatureIncorrectOrUnapproved": func(q *tencent.SendSmsRequest) {
			q.SignName = common.StringPtr("别家")
		},
		"FailedOperation.TemplateIncorrectOrUnapproved": func(q *tencent.SendSmsRequest) {
			q.TemplateId = common.StringPtr("0")
		},
		"FailedOperation.TemplateParamSetNotMatchApprovedTemplate": func(q *tencent.SendSmsRequest) {
			q.TemplateParamSet = nil
		},
		"InvalidParameterValue.TemplateParameterFormatError": func(q *tencent.SendSmsRequest) {
			q.TemplateParamSet = common.StringPtrs([]string{"abc"})
		},
	} {
		q := r.request("13900000009")
		change(q)
		require.Equal(t, []string{code}, r.send(t, q))
	}
}

func TestTencentSDK_AnErrorOfTheCallRejectsAllMessages(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	for code, change := range map[string]func(*tencent.SendSmsRequest){
		"MissingParameter.EmptyPhoneNumberSet": func(q *tencent.SendSmsRequest) { q.PhoneNumberSet = nil },
		"MissingParameter":                     func(q *tencent.SendSmsRequest) { q.SmsSdkAppId = nil },
		"UnauthorizedOperation.SmsSdkAppIdVerifyFail": func(q *tencent.SendSmsRequest) {
			q.SmsSdkAppId = common.StringPtr("1400006666")
		},
		"LimitExceeded.PhoneNumberCountLimit": func(q *tencent.SendSmsRequest) {
			q.PhoneNumberSet = common.StringPtrs(make([]string, 201))
		},
		"InvalidParameterValue.ContentLengthLimit": func(q *tencent.SendSmsRequest) {
			q.SessionContext = common.StringPtr(strings.Repeat("x", 512))
		},
		"UnsupportedOperation.ContainDomesticAndInternationalPhoneNumber": func(q *tencent.SendSmsRequest) {
			q.PhoneNumberSet = common.StringPtrs([]string{"13900000001", "+14155550100"})
		},
	} {
		q := r.request("13900000001")
		change(q)
		require.Equal(t, code, r.rejectedCall(t, q))
	}
	require.Empty(t, r.Messages(""))
}

func TestTencentSDK_WrongKeyUnknownIDAndRegionAreRejectedAndTheJournalHasTheReason(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	right := r.keys
	r.keys.SecretKey = "not the key"
	require.Equal(t, "AuthFailure.SignatureFailure", r.rejectedCall(t, r.request("13900000001")))
	entry := r.journal.Entries(journal.Filter{})[0]
	require.Equal(t, journal.Rejected, entry.Verdict)
	require.Regexp(t,
		`expected [0-9a-f]{64}, came [0-9a-f]{64}; the canonical request is\nPOST\n/\n\ncontent-type:application/json\nhost:127`, entry.Reason)

	r.keys = right
	r.keys.SecretID = "AKIDunknown"
	require.Equal(t, "AuthFailure.SecretIdNotFound", r.rejectedCall(t, r.request("13900000001")))

	r.keys = right
	client := r.sdk(t)
	client.Init("eu-frankfurt").WithCredential(common.NewCredential(right.SecretID, right.SecretKey))
	p := profile.NewClientProfile()
	p.HttpProfile.Endpoint, p.HttpProfile.Scheme = strings.TrimPrefix(r.server.URL, "http://"), "http"
	client.WithProfile(p)
	_, err := client.SendSms(r.request("13900000001"))
	require.ErrorContains(t, err, "UnsupportedRegion")
	require.Empty(t, r.Messages(""))
}

func TestTencentSDK_LimitsPerPhoneFollowTheBusinessClock(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	q := r.request("13900000001")
	require.Equal(t, []string{"Ok"}, r.send(t, q))
	require.Equal(t, []string{"LimitExceeded.PhoneNumberThirtySecondLimit"}, r.send(t, q))
	for range 4 {
		r.clock.Advance(30 * time.Second)
		require.Equal(t, []string{"Ok"}, r.send(t, q))
	}
	r.clock.Advance(30 * time.Second)
	require.Equal(t, []string{"LimitExceeded.PhoneNumberOneHourLimit"}, r.send(t, q))
	r.clock.Advance(time.Hour)
	for range 5 {
		require.Equal(t, []string{"Ok"}, r.send(t, q))
		r.clock.Advance(time.Minute)
	}
	r.clock.Advance(time.Hour)
	require.Equal(t, []string{"LimitExceeded.PhoneNumberDailyLimit"}, r.send(t, q))

	// A report that is due is handled as soon as it is loaded, and would then be missing from the second snapshot.
	require.Eventually(t, func() bool { return len(r.Save().Reports) == 0 }, 10*time.Second, time.Millisecond)
	fresh := sms.New(sms.Config{
		Clock: r.clock, Plan: faults.NewPlan(), Journal: r.journal, Credentials: r.smsServer.keys, Tencent: r.keys,
	})
	fresh.Load(r.Save())
	require.Equal(t, r.Save(), fresh.Save(), "a snapshot keeps the limits of both APIs")
	require.Len(t, fresh.Save().SentTencent["13900000001"], 10)
}

func TestTencentSDK_Faults(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	plan := func(f faults.Fault) {
		f.Provider, f.Operation, f.Times = sms.Name, "tencent-send", 1
		_, err := r.plan.Add(f)
		require.NoError(t, err)
	}
	q := r.request("13900000001")
	plan(faults.Fault{Do: "limit"})
	require.Equal(t, []string{"LimitExceeded.PhoneNumberThirtySecondLimit"}, r.send(t, q))
	plan(faults.Fault{Do: "error", Code: "RequestLimitExceeded", Message: "planned"})
	require.Equal(t, "RequestLimitExceeded", r.rejectedCall(t, q))
	plan(faults.Fault{Do: "error"})
	require.Equal(t, "InternalError.OtherError", r.rejectedCall(t, q))
	plan(faults.Fault{Do: "not-delivered"})
	require.Equal(t, []string{"Ok"}, r.send(t, q))
	require.Empty(t, r.Messages(""))
	plan(faults.Fault{Do: "act-then-reset"})
	_, err := r.sdk(t).SendSms(r.request("13900000002"))
	require.Error(t, err)
	require.Len(t, r.Messages("13900000002"), 1, "the provider had acted")
}

// bodyEdit is a transport that changes the body of a call after the SDK has signed it.
type bodyEdit struct{ old, changed string }

func (e bodyEdit) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	body = bytes.Replace(body, []byte(e.old), []byte(e.changed), 1)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return http.DefaultTransport.RoundTrip(r)
}

func TestTencentSDK_AChangedBodyIsNotTheSignedOne(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	client := r.sdk(t)
	client.WithHttpTransport(bodyEdit{"13900000001", "13900000002"})
	_, err := client.SendSms(r.request("13900000001"))
	require.ErrorContains(t, err, "AuthFailure.SignatureFailure")

	unsigned := r.sdk(t)
	p := profile.NewClientProfile()
	p.HttpProfile.Endpoint, p.HttpProfile.Scheme, p.UnsignedPayload = strings.TrimPrefix(r.server.URL,
		"http://"), "http", true
	unsigned.WithProfile(p)
	unsigned.WithHttpTransport(bodyEdit{`"SmsSdkAppId"`, `"SmsSdkAppid"`})
	_, err = unsigned.SendSms(r.request("13900000001"))
	require.ErrorContains(t, err, "UnknownParameter", "the vendor spells strictly")
	unsigned.WithHttpTransport(bodyEdit{`["13900000001"]`, `"13900000001"`})
	_, err = unsigned.SendSms(r.request("13900000001"))
	require.ErrorContains(t, err, "Code=InvalidParameter,")
	unsigned.WithHttpTransport(bodyEdit{`{`, `[`})
	_, err = unsigned.SendSms(r.request("13900000001"))
	require.ErrorContains(t, err, "Code=InvalidParameter,")
	require.Empty(t, r.Messages(""))
}

func TestTencent_EveryAnswerIsOneEnvelope(t *testing.T) {
	t.Parallel()
	r := startTencent(t)
	answer, err := http.Post(r.server.URL, "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	defer answer.Body.Close()
	require.Equal(t, http.StatusOK, answer.StatusCode, "this vendor's errors have status 200")
	var body struct {
		Response struct {
			Error     struct{ Code, Message string }
			RequestId string // the vendor's spelling
		}
	}
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&body))
	require.Equal(t, "AuthFailure.InvalidAuthorization", body.Response.Error.Code)
	require.NotEmpty(t, body.Response.Error.Message)
	require.NotEmpty(t, body.Response.RequestId)
}

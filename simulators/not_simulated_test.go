package simulators_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"
	tencent "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/sms/v20210111"

	"marquee/simulators"
	controlapi "marquee/simulators/control"
)

// A client recognizes a call that is not simulated as failed by the status, by the code in the vendor's format and by
// the header; the journal records it too.
func TestNotSimulated_IsAFailureInTheFormOfEachWire(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for name, row := range map[string]struct {
		method, host, target string
		header               map[string]string
		at                   []string // where the code is in the JSON
		code                 any      // nil: the answer is not JSON, and contains text
		text                 string
	}{
		"messaging app":    {"POST", "api.weixin.qq.com", "/wxa/getwxacode?access_token=x", nil, []string{"errcode"}, 501.0, ""},
		"without its host": {"POST", "", "/card/create?access_token=x", nil, []string{"errcode"}, 501.0, ""},
		"payment":          {"POST", "api.mch.weixin.qq.com", "/v3/profitsharing/orders", nil, []string{"code"}, "NOT_SIMULATED", ""},
		"payment by path":  {"GET", "", "/wechatpay/v3/marketing/x", nil, []string{"code"}, "NOT_SIMULATED", ""},
		"payment V2": {"POST", "api.mch.weixin.qq.com", "/mmpaymkttransfers/promotion/transfers", nil, nil, nil,
			"<return_code><![CDATA[FAIL]]></return_code>"},
		"payment V2 by path": {"POST", "", "/wechatpay/pay/unifiedorder", nil, nil, nil,
			"<return_code><![CDATA[FAIL]]></return_code>"},
		"first SMS vendor": {"POST", "", "/", map[string]string{"x-acs-action": "AddSmsSign"}, []string{"Code"},
			"NOT_SIMULATED", ""},
		"second SMS vendor": {"POST", "", "/", map[string]string{"X-TC-Action": "AddSmsSign"},
			[]string{"Response", "Error", "Code"}, "NOT_SIMULATED", ""},
		"second SMS vendor, v1": {"GET", "", "/?Action=AddSmsSign&SecretId=x", nil,
			[]string{"Response", "Error", "Code"}, "NOT_SIMULATED", ""},
		"captcha": {"POST", "captcha.tencentcloudapi.com", "/", map[string]string{"X-TC-Action": "DescribeCaptchaData"},
			[]string{"Response", "Error", "Code"}, "NOT_SIMULATED", ""},
		"gateway":      {"POST", "", "/gateway/other", nil, []string{"error", "code"}, "NOT_SIMULATED", ""},
		"newmovie":     {"GET", "", "/newmovie/api/other", nil, []string{"code"}, 501001.0, ""},
		"login page":   {"GET", "open.weixin.qq.com", "/connect/qrconnect?appid=x", nil, nil, nil, "is not simulated"},
		"captcha page": {"GET", "turing.captcha.qcloud.com", "/other", nil, nil, nil, "is not simulated"},
		"H5 payment":   {"GET", "wx.tenpay.com", "/other", nil, nil, nil, "is not simulated"},
	} {
		request, err := http.NewRequest(row.method, s.URL()+row.target, http.NoBody)
		require.NoError(t, err)
		if row.host != "" {
			request.Host = row.host
		}
		for name, value := range row.header {
			request.Header.Set(name, value)
		}
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		text := bodyOf(t, answer)
		assert.Equal(t, http.StatusNotImplemented, answer.StatusCode, "%s: %s", name, text)
		assert.Equal(t, "1", answer.Header.Get("Marquee-Not-Simulated"), name)
		if row.code == nil {
			assert.Contains(t, text, row.text, name)
			continue
		}
		var at any
		require.NoError(t, json.Unmarshal([]byte(text), &at), "%s: %s", name, text)
		for _, field := range row.at {
			object, ok := at.(map[string]any)
			require.True(t, ok, "%s: %s", name, text)
			at = object[field]
		}
		assert.Equal(t, row.code, at, "%s: %s", name, text)
	}
	_, counted := control(t, s, http.MethodGet, "/journal/count?verdict=not-simulated", "")
	assert.InDelta(t, 15, counted["count"], 0)
	_, rejected := control(t, s, http.MethodGet, "/journal/count?verdict=refused", "")
	assert.InDelta(t, 0, rejected["count"], 0)
}

// An SDK that is configured with the simulators' address and signs by the v1 signature sends neither the vendor's host
// nor its header. Only the parameters of the call identify the vendor and the world.
func TestVendors_CallsWithoutHostAndHeaderAreKnownByTheirParameters(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	w, err := s.NewWorld(controlapi.NewWorld{ID: "v1-ci"})
	require.NoError(t, err)
	for method, phone := range map[string]string{http.MethodGet: "13900000001", http.MethodPost: "13900000002"} {
		keys, p := w.Credentials().Tencent, profile.NewClientProfile()
		p.SignMethod, p.HttpProfile.ReqMethod = "HmacSHA256", method
		p.HttpProfile.Scheme, p.HttpProfile.Endpoint = "http", strings.TrimPrefix(s.URL(), "http://")
		client, err := tencent.NewClient(common.NewCredential(keys.SecretID, keys.SecretKey), "ap-guangzhou", p)
		require.NoError(t, err)
		q := tencent.NewSendSmsRequest()
		q.PhoneNumberSet, q.TemplateParamSet = common.StringPtrs([]string{phone}), common.StringPtrs([]string{"314159"})
		q.SmsSdkAppId, q.TemplateId, q.SignName = &keys.SDKAppID, &keys.TemplateID, &keys.SignName
		sent, err := client.SendSms(q)
		require.NoError(t, err)
		require.Equal(t, "Ok", *sent.Response.SendStatusSet[0].Code)
		_, inbox := control(t, s, http.MethodGet, "/sms/messages?world=v1-ci&phone="+phone, "")
		require.Len(t, inbox["messages"], 1)
	}
	// The RPC calls of the first SMS vendor also contain only parameters. The key selects the world, and the world
	// rejects the call because it does not name a signature method.
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		form := "AccessKeyId=" + w.Credentials().SMS.AccessKeyID + "&Action=SendSms&Format=JSON&Signature=x"
		target, body := s.URL()+"/?"+form, ""
		if method == http.MethodPost {
			target, body = s.URL()+"/", form
		}
		request, err := http.NewRequest(method, target, strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		status, text := do(t, request)
		require.Equal(t, http.StatusBadRequest, status)
		require.Contains(t, text, `"Code":"MissingSignatureMethod"`)
	}
	_, counted := control(t, s, http.MethodGet, "/journal/count?world=v1-ci&provider=sms", "")
	require.InDelta(t, 4, counted["count"], 0)
	// Parameters do not turn a call of the console or of the control API into a vendor's call.
	status, _ := do(t, mustRequest(t, http.MethodGet, s.URL()+"/?a=1"))
	require.Equal(t, http.StatusOK, status)
	status, text := do(t, mustRequest(t, http.MethodGet, s.URL()+"/sim/v1/health?access_token=x"))
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, text, "unknown_parameter")
}

func mustRequest(t *testing.T, method, target string) *http.Request {
	t.Helper()
	request, err := http.NewRequest(method, target, http.NoBody)
	require.NoError(t, err)
	return request
}

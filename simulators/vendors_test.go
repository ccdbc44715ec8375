package simulators_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	dysms "github.com/alibabacloud-go/dysmsapi-20170525/v5/client"
	"github.com/alibabacloud-go/tea/tea"
	"github.com/stretchr/testify/require"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"
	tencent "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/sms/v20210111"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators"
	"marquee/simulators/wechat"
)

// keepHost dials the simulators and keeps the vendor's Host.
type keepHost struct{ addr string }

func (k keepHost) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Host, r.URL.Scheme, r.URL.Host = r.URL.Host, "http", k.addr
	return http.DefaultTransport.RoundTrip(r)
}

func TestVendors_PaymentOnTheOnePort(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	at, err := url.Parse(s.URL())
	require.NoError(t, err)
	keys := s.Default().Credentials().WeChat
	key, err := utils.LoadPrivateKey(keys.MchPrivateKeyPEM)
	require.NoError(t, err)
	client, err := core.NewClient(t.Context(), option.WithMerchantCredential(keys.MchID, keys.MchSerial, key), option.WithoutValidator(),
		option.WithHTTPClient(&http.Client{Transport: keepHost{at.Host}}))
	require.NoError(t, err)
	service := &jsapi.JsapiApiService{Client: client}
	announced, _, err := service.Prepay(t.Context(), jsapi.PrepayRequest{
		Appid: &keys.AppID, Mchid: &keys.MchID, Description: core.String("电影票"), OutTradeNo: core.String("ORDER-000001"),
		NotifyUrl: core.String(s.URL() + "/nowhere"), Amount: &jsapi.Amount{Total: core.Int64(100)}, Payer: &jsapi.Payer{Openid: core.String(wechat.BoundOpenID)},
	})
	require.NoError(t, err)

	status, _ := control(t, s, http.MethodPost, "/wechat/pay", `{"prepay_id":"`+*announced.PrepayId+`","outcome":"pay"}`)
	require.Equal(t, http.StatusOK, status)
	status, answer := control(t, s, http.MethodPost, "/wechat/pay", `{"prepay_id":"`+*announced.PrepayId+`","outcome":"pay"}`)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, answer["error"], "code")

	trade, _, err := service.QueryOrderByOutTradeNo(t.Context(), jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: core.String("ORDER-000001"), Mchid: &keys.MchID})
	require.NoError(t, err)
	require.Equal(t, "SUCCESS", *trade.TradeState)
}

func TestVendors_TextMessageOnTheOnePortUnderItsOwnName(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	keys := s.Default().Credentials().SMS
	client, err := dysms.NewClient(&openapi.Config{
		AccessKeyId: &keys.AccessKeyID, AccessKeySecret: &keys.AccessKeySecret, Protocol: tea.String("http"),
		Endpoint: tea.String(strings.TrimPrefix(s.URL(), "http://")),
	})
	require.NoError(t, err)
	sent, err := client.SendSms(&dysms.SendSmsRequest{
		PhoneNumbers: tea.String("13900000009"), SignName: &keys.SignName, TemplateCode: &keys.TemplateCode, TemplateParam: tea.String(`{"code":"271828"}`),
	})
	require.NoError(t, err)
	require.Equal(t, "OK", *sent.Body.Code)
	_, inbox := control(t, s, http.MethodGet, "/sms/messages?phone=13900000009", "")
	messages, ok := inbox["messages"].([]any)
	require.True(t, ok)
	require.Len(t, messages, 1)
	require.Subset(t, messages[0], map[string]any{"phone": "13900000009", "code": "271828"})
}

// tencentSend sends with the vendor's own SDK, under the vendor's host name or to the simulators' address.
func tencentSend(t *testing.T, s *simulators.Simulators, w *simulators.World, phone string, underItsName bool) {
	t.Helper()
	addr := strings.TrimPrefix(s.URL(), "http://")
	keys, p := w.Credentials().Tencent, profile.NewClientProfile()
	p.HttpProfile.Scheme, p.HttpProfile.Endpoint = "http", addr
	if underItsName {
		p.HttpProfile.Endpoint = "sms.tencentcloudapi.com"
	}
	client, err := tencent.NewClient(common.NewCredential(keys.SecretID, keys.SecretKey), "ap-guangzhou", p)
	require.NoError(t, err)
	client.WithHttpTransport(keepHost{addr})
	q := tencent.NewSendSmsRequest()
	q.PhoneNumberSet, q.TemplateParamSet = common.StringPtrs([]string{phone}), common.StringPtrs([]string{"314159"})
	q.SmsSdkAppId, q.TemplateId, q.SignName = &keys.SDKAppID, &keys.TemplateID, &keys.SignName
	sent, err := client.SendSms(q)
	require.NoError(t, err)
	require.Equal(t, "Ok", *sent.Response.SendStatusSet[0].Code)
}

func TestVendors_SecondTextMessageDialectChoosesItsWorldByItsKey(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	other, err := s.NewWorld(simulators.WorldOptions{ID: "tencent-ci"})
	require.NoError(t, err)
	tencentSend(t, s, s.Default(), "13900000001", true)
	tencentSend(t, s, other, "13900000002", false)
	for world, phone := range map[string]string{"default": "13900000001", "tencent-ci": "13900000002"} {
		_, inbox := control(t, s, http.MethodGet, "/sms/messages?world="+world, "")
		messages, ok := inbox["messages"].([]any)
		require.True(t, ok)
		require.Len(t, messages, 1, world)
		require.Subset(t, messages[0], map[string]any{"phone": phone, "code": "314159"})
	}
	_, made := control(t, s, http.MethodGet, "/worlds/tencent-ci", "")
	environment, ok := made["environment"].(map[string]any)
	require.True(t, ok)
	require.Equal(t, other.Credentials().Tencent.SecretID, environment["TENCENTCLOUD_SECRET_ID"])
	require.Equal(t, other.Credentials().Tencent.SecretKey, environment["TENCENTCLOUD_SECRET_KEY"])
}

func TestVendors_ThePhoneIsServedOnItsOwnNames(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	at, err := url.Parse(s.URL())
	require.NoError(t, err)
	client := &http.Client{Transport: keepHost{at.Host}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for target, status := range map[string]int{
		"http://inapp.localhost/__phone/bridge.js":                       http.StatusOK,
		"http://phone.inapp.localhost/phone":                             http.StatusOK,
		"http://127.0.0.1/phone":                                         http.StatusOK,
		"http://inapp.localhost/":                                        http.StatusBadGateway, // no web app is configured
		"http://open.weixin.qq.com/connect/oauth2/authorize":             http.StatusBadRequest,
		"http://api.weixin.qq.com/cgi-bin/token":                         http.StatusOK,
		"http://127.0.0.1/sns/oauth2/access_token?appid=" + "not-an-app": http.StatusOK,
	} {
		answer, err := client.Get(target)
		require.NoError(t, err)
		_ = answer.Body.Close()
		require.Equal(t, status, answer.StatusCode, target)
	}
}

package simulators_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	dysms "github.com/alibabacloud-go/dysmsapi-20170525/v5/client"
	"github.com/alibabacloud-go/tea/tea"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common"
	"github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/common/profile"
	tencent "github.com/tencentcloud/tencentcloud-sdk-go/tencentcloud/sms/v20210111"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators"
	controlapi "marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/wechat"
)

// With DNS rebinding, the host name of a foreign page resolves to this machine. The browser then treats the page's
// calls as calls of the same origin. Only the Host header shows that they are not.
func TestHosts_ControlAndConsoleAnswerOnlyUnderNamesOfThisMachine(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{Addr: "localhost:0"})
	ask := func(method, host, target string) (int, string) {
		request, err := http.NewRequest(method, s.URL()+target, http.NoBody)
		require.NoError(t, err)
		request.Host = host
		request.Header.Set("Origin", "http://"+host)
		return do(t, request)
	}
	for _, host := range []string{
		"127.0.0.1", "127.0.0.1:9090", "[::1]", "[::1]:9090", "10.1.2.3:80", "localhost", "LOCALHOST.:9090",
		"ci-7.localhost", "a.b.localhost:1",
	} {
		status, text := ask(http.MethodPost, host, "/sim/v1/clock/freeze")
		assert.Equal(t, http.StatusOK, status, "%s: %s", host, text)
	}
	control(t, s, http.MethodPost, "/clock/resume", "")
	for _, host := range []string{"evil.example", "evil.example:9090", "localhost.evil.example", "notlocalhost",
		"127.0.0.1.evil.example", "0x7f.1", "sim", "evil.example:a:b"} {
		for _, call := range []string{"POST /sim/v1/clock/freeze", "GET /sim/v1/catalogue", "GET /sim/v1/no-such",
			"GET /"} {
			method, target, _ := strings.Cut(call, " ")
			status, text := ask(method, host, target)
			assert.Equal(t, http.StatusForbidden, status, "%s %s", host, call)
			assert.Contains(t, text, `"foreign_host"`, "%s %s", host, call)
		}
		status, _ := ask(http.MethodPost, host, "/gateway")
		assert.Equal(t, http.StatusOK, status, "a provider may have any name: %s", host)
	}
	assert.False(t, s.Default().Clock().Frozen())
}

func TestHosts_TheNameInTheListenAddressIsAccepted(t *testing.T) {
	t.Parallel()
	s := simulators.Build(t, simulators.Options{Addr: "Sim.test:9090"})
	for host, wanted := range map[string]int{"sim.test:9090": http.StatusOK, "SIM.TEST": http.StatusOK,
		"other.test:9090": http.StatusForbidden, "": http.StatusOK} {
		request := httptest.NewRequest(http.MethodGet, "/sim/v1/clock", http.NoBody)
		request.Host = host
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, request)
		assert.Equal(t, wanted, answer.Code, host)
	}
}

func TestHosts_UnknownPathOfAWorld(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, path := range []string{"/worlds/default/nothing", "/worlds/default", "/worlds/default/",
		"/worlds/default/sim/v1/clock"} {
		status, text := get(t, s.URL()+path)
		assert.Equal(t, http.StatusNotFound, status, path)
		assert.Contains(t, text, `"code":"not_found"`, path)
	}
}

func TestHosts_AnUnknownHostOfThePhoneIsReported(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, _ := create(t, s, `{"id":"shown"}`)
	for host, code := range map[string]string{
		"a.b.inapp.localhost":               "unknown_host",
		"a.b.inapp.localhost:9090":          "unknown_host",
		"x.phone.inapp.localhost":           "unknown_host",
		made.ID + ".phone.inapp.localhost":  "unknown_host",
		"a." + made.ID + ".inapp.localhost": "unknown_host",
		"none.inapp.localhost":              "world_unknown",
	} {
		for _, target := range []string{"/", "/phone", "/sim/v1/clock", "/__phone/start"} {
			request, err := http.NewRequest(http.MethodGet, s.URL()+target, http.NoBody)
			require.NoError(t, err)
			request.Host = host
			request.Header.Set("Accept", "text/html")
			status, text := do(t, request)
			assert.Equal(t, http.StatusNotFound, status, "%s%s", host, target)
			assert.Contains(t, text, `"code":"`+code+`"`, "%s%s", host, target)
		}
	}
}

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
	client, err := core.NewClient(t.Context(), option.WithMerchantCredential(keys.MchID, keys.MchSerial, key),
		option.WithoutValidator(), option.WithHTTPClient(&http.Client{Transport: keepHost{at.Host}}))
	require.NoError(t, err)
	service := &jsapi.JsapiApiService{Client: client}
	announced, _, err := service.Prepay(t.Context(), jsapi.PrepayRequest{
		Appid: &keys.AppID, Mchid: &keys.MchID, Description: core.String("电影票"),
		OutTradeNo: core.String("ORDER-000001"),
		NotifyUrl:  core.String(s.URL() + "/nowhere"), Amount: &jsapi.Amount{Total: core.Int64(100)},
		Payer: &jsapi.Payer{Openid: core.String(wechat.BoundOpenID)},
	})
	require.NoError(t, err)

	status, _ := control(t, s, http.MethodPost, "/wechat/pay",
		`{"prepay_id":"`+*announced.PrepayId+`","outcome":"pay"}`)
	require.Equal(t, http.StatusOK, status)
	status, answer := control(t, s, http.MethodPost, "/wechat/pay",
		`{"prepay_id":"`+*announced.PrepayId+`","outcome":"pay"}`)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, answer["error"], "code")

	trade, _, err := service.QueryOrderByOutTradeNo(t.Context(),
		jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: core.String("ORDER-000001"), Mchid: &keys.MchID})
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
		PhoneNumbers: tea.String("13900000009"), SignName: &keys.SignName, TemplateCode: &keys.TemplateCode,
		TemplateParam: tea.String(`{"code":"271828"}`),
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
	other, err := s.NewWorld(controlapi.NewWorld{ID: "tencent-ci"})
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
	client := &http.Client{Transport: keepHost{at.Host},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for target, status := range map[string]int{
		"http://inapp.localhost/__phone/bridge.js": http.StatusOK,
		"http://phone.inapp.localhost/phone":       http.StatusOK,
		"http://127.0.0.1/phone":                   http.StatusOK,
		// no web app is configured
		"http://inapp.localhost/":                                        http.StatusBadGateway,
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

// visitor is a client of one world. Like a client under test, it has an address and credentials, and does not know
// about worlds.
type visitor struct {
	*testing.T
	url  string
	keys dataset.Credentials
}

// Credentials and URL make the helpers for simulators accept a visitor too.
func (v visitor) Credentials() dataset.Credentials { return v.keys }
func (v visitor) URL() string                      { return v.url }

// madeWorld is the answer to a world's creation.
type madeWorld struct {
	ID          string              `json:"id"`
	Seed        uint64              `json:"seed"`
	Now         time.Time           `json:"now"`
	Credentials dataset.Credentials `json:"credentials"`
	Environment map[string]string   `json:"environment"`
}

// create makes a world over HTTP.
func create(t *testing.T, at interface{ URL() string }, body string) (madeWorld, visitor) {
	t.Helper()
	return madeBy(t, at, "/worlds", body)
}

func madeBy(t *testing.T, at interface{ URL() string }, path, body string) (madeWorld, visitor) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, at.URL()+"/sim/v1"+path, strings.NewReader(body))
	require.NoError(t, err)
	status, text := do(t, request)
	require.Equal(t, http.StatusCreated, status, text)
	var made madeWorld
	require.NoError(t, json.Unmarshal([]byte(text), &made))
	return made, visitor{t, at.URL(), made.Credentials}
}

// gateway calls the legacy gateway and returns its entire answer.
func (v visitor) gateway(method string, fields ...string) map[string]any {
	v.Helper()
	_, text := post(v, v.url+"/gateway", "application/x-www-form-urlencoded",
		gatewayForm(v, v, method, fields...).Encode(), nil)
	return object(v, text)
}

// data is the data of an answer that must be a success.
func (v visitor) data(answer map[string]any) map[string]any {
	v.Helper()
	data, ok := answer["data"].(map[string]any)
	require.True(v, ok, "%v", answer)
	return data
}

// hold locks the first free seat of a showing at the gateway and returns it; "" when nothing is free.
func (v visitor) hold(no, show string, seats []string) (seat string) {
	v.Helper()
	for _, id := range seats {
		answer := v.gateway("seat.lock", "orderno", no, "opiid", show, "seatids", id, "mobile", "13900000001")
		if answer["success"] == true {
			return id
		}
	}
	return ""
}

// state is an order's state at the gateway.
func (v visitor) state(no string) any {
	v.Helper()
	return v.data(v.gateway("order.query", "orderno", no))["state"]
}

// token fetches a bearer token of newmovie.
func (v visitor) token() string {
	v.Helper()
	c := v.keys.NewMovie
	_, text := post(v, v.url+"/newmovie/api/oauth/token", "application/json",
		`{"entId":"`+c.EntID+`","appSecret":"`+c.AppSecret+`"}`, nil)
	token, ok := v.data(object(v, text))["access_token"].(string)
	require.True(v, ok, text)
	return token
}

// newmovie makes a GET call with a token and returns its entire answer.
func (v visitor) newmovie(token, path string) map[string]any {
	v.Helper()
	request, err := http.NewRequest(http.MethodGet, v.url+"/newmovie/api/"+path, nil)
	require.NoError(v, err)
	request.Header.Set("Authorization", "Bearer "+token)
	_, text := do(v, request)
	return object(v, text)
}

// text sends an SMS code with the SDK of the first SMS vendor, and returns the Code of the answer.
func (v visitor) text(phone, code string) string {
	v.Helper()
	k := v.keys.SMS
	client, err := dysms.NewClient(&openapi.Config{
		AccessKeyId: &k.AccessKeyID, AccessKeySecret: &k.AccessKeySecret, Protocol: tea.String("http"),
		Endpoint: tea.String(strings.TrimPrefix(v.url, "http://")),
	})
	require.NoError(v, err)
	sent, err := client.SendSms(&dysms.SendSmsRequest{
		PhoneNumbers: &phone, SignName: &k.SignName, TemplateCode: &k.TemplateCode,
		TemplateParam: tea.String(`{"code":"` + code + `"}`),
	})
	require.NoError(v, err)
	return *sent.Body.Code
}

// payments returns the client of the payment vendor's SDK. It does not verify answers.
func (v visitor) payments() *core.Client {
	v.Helper()
	k := v.keys.WeChat
	key, err := utils.LoadPrivateKey(k.MchPrivateKeyPEM)
	require.NoError(v, err)
	return v.paymentsBy(option.WithMerchantCredential(k.MchID, k.MchSerial, key), option.WithoutValidator())
}

// verifyingPayments returns the same client as payments, but one that verifies answers with the provider's public key.
func (v visitor) verifyingPayments() *core.Client {
	v.Helper()
	k := v.keys.WeChat
	key, err := utils.LoadPrivateKey(k.MchPrivateKeyPEM)
	require.NoError(v, err)
	public, err := utils.LoadPublicKey(k.PublicKeyPEM)
	require.NoError(v, err)
	return v.paymentsBy(option.WithWechatPayPublicKeyAuthCipher(k.MchID, k.MchSerial, key, k.PublicKeyID, public))
}

func (v visitor) paymentsBy(options ...core.ClientOption) *core.Client {
	v.Helper()
	at, err := url.Parse(v.url)
	require.NoError(v, err)
	options = append(options, option.WithHTTPClient(&http.Client{Transport: keepHost{at.Host}}))
	client, err := core.NewClient(v.Context(), options...)
	require.NoError(v, err)
	return client
}

// announce prepays an order of one yuan and returns its prepay_id.
func (v visitor) announce(no, notify string) string {
	v.Helper()
	k := v.keys.WeChat
	answer, _, err := (&jsapi.JsapiApiService{Client: v.payments()}).Prepay(v.Context(), jsapi.PrepayRequest{
		Appid: &k.AppID, Mchid: &k.MchID, Description: core.String("电影票"), OutTradeNo: &no, NotifyUrl: &notify,
		Amount: &jsapi.Amount{Total: core.Int64(100)}, Payer: &jsapi.Payer{Openid: core.String(wechat.BoundOpenID)},
	})
	require.NoError(v, err)
	return *answer.PrepayId
}

// trade is a trade's state, "" when the merchant has none of that number.
func (v visitor) trade(no string) string {
	v.Helper()
	answer, _, err := (&jsapi.JsapiApiService{Client: v.payments()}).QueryOrderByOutTradeNo(v.Context(),
		jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: &no, Mchid: &v.keys.WeChat.MchID})
	if err != nil {
		require.Contains(v, err.Error(), "ORDER_NOT_EXIST")
		return ""
	}
	return *answer.TradeState
}

// refund refunds an entire trade and returns the refund's state.
func (v visitor) refund(no, notify string) string {
	v.Helper()
	answer, _, err := (&refunddomestic.RefundsApiService{Client: v.payments()}).Create(v.Context(),
		refunddomestic.CreateRequest{
			OutTradeNo: &no, OutRefundNo: core.String("R-" + no), NotifyUrl: &notify,
			Amount: &refunddomestic.AmountReq{Refund: core.Int64(100), Total: core.Int64(100),
				Currency: core.String("CNY")},
		})
	require.NoError(v, err)
	return string(*answer.Status)
}

// refunded is the state of a trade's refund.
func (v visitor) refunded(no string) string {
	v.Helper()
	answer, _, err := (&refunddomestic.RefundsApiService{Client: v.payments()}).QueryByOutRefundNo(v.Context(),
		refunddomestic.QueryByOutRefundNoRequest{OutRefundNo: core.String("R-" + no)})
	require.NoError(v, err)
	return string(*answer.Status)
}

// plainShow returns a showing that starts in more than 26 hours, and the ids of its single seats. It is the same in
// every world with the same seed and day.
func plainShow(t *testing.T, country *dataset.Country, source dataset.Source) (dataset.Show, []string) {
	t.Helper()
	city, _ := country.City("310100")
	for _, c := range country.Cinemas(source, city) {
		for _, s := range country.Shows(c, "") {
			if s.Starts.Sub(country.Now()) > 26*time.Hour && !s.Blocked && len(s.Hall.Layout.Areas) == 0 {
				ids := []string{}
				for _, seat := range s.Hall.Layout.Seats {
					if seat.Pair == 0 {
						ids = append(ids, seat.ID)
					}
				}
				if len(ids) > 50 {
					return s, ids
				}
			}
		}
	}
	t.Fatal("no such showing")
	return dataset.Show{}, nil
}

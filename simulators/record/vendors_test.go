package record_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

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
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/record"
	"marquee/simulators/ticketing/ticketingtest"
	"marquee/simulators/wechat"
)

// through dials the recording proxy and keeps the path.
type through struct{ proxy string }

func (d through) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	at, err := url.Parse(d.proxy)
	if err != nil {
		return nil, err
	}
	r.URL.Scheme, r.URL.Host = at.Scheme, at.Host
	return http.DefaultTransport.RoundTrip(r)
}

const recordedPhone = "13812345678"

// recordNewMovie logs in and buys a seat.
func recordNewMovie(t *testing.T, real *simulators.Simulators) *tape {
	t.Helper()
	r := newTape(t, real, "newmovie", real.URL()+"/newmovie")
	token := ""
	call := func(method, path, body string) map[string]any {
		request, err := http.NewRequest(method, r.URL+"/api/"+path, strings.NewReader(body))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer answer.Body.Close()
		var whole map[string]any
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&whole))
		return whole
	}
	data := func(answer map[string]any) map[string]any {
		found, ok := answer["data"].(map[string]any)
		require.True(t, ok, answer)
		return found
	}
	token = ticketingtest.Text(t, data(call(http.MethodPost, "oauth/token",
		`{"entId":"`+r.keys.NewMovie.EntID+`","appSecret":"`+r.keys.NewMovie.AppSecret+`"}`)), "access_token")
	planned := ordinary(t, real, dataset.NewMovie)
	session, city := planned.ID, ""
	for _, c := range ticketingtest.List(t, call(http.MethodGet, "movie/cities", ""), "data") {
		if c["adcode"] == "310100" {
			city = ticketingtest.Text(t, c, "cityId")
		}
	}
	call(http.MethodGet, "movie/movies?pageSize=5&cityId="+city, "")
	call(http.MethodGet, "movie/cinemas?cityId="+city, "")
	call(http.MethodGet, "movie/cinema_shows?cinemaId="+planned.Cinema.ID, "")
	call(http.MethodGet, "movie/session?sessionId="+session, "")
	seat := ""
	for _, row := range ticketingtest.List(t, data(call(http.MethodGet, "seat/map?sessionId="+session, "")), "rows") {
		for _, c := range ticketingtest.List(t, row, "columns") {
			if state, _ := c["state"].(float64); c["type"] == 1.0 &&
				(state == 1 || state == 10 || state == 11 || state == -1) {
				seat = ticketingtest.Text(t, c, "originSeatID")
			}
		}
	}
	require.NotEmpty(t, seat)
	call(http.MethodPost, "order/lock",
		`{"outOrderNo":"REAL-1","sessionId":"`+session+`","cinemaCode":"`+planned.Cinema.Code+
			`","seats":[{"originSeatID":"`+seat+`"}],"mobile":"`+recordedPhone+`"}`)
	r.settle(real)
	held := data(call(http.MethodGet, "order/query?outOrderNo=REAL-1", ""))
	require.Equal(t, "LOCKED", held["state"])
	call(http.MethodPost, "order/cancel", `{"outOrderNo":"REAL-1"}`)
	call(http.MethodGet, "movie/movie_detail?movieId=none", "")
	return r
}

// settle advances the clock so that a lock that is in progress at the provider is decided.
func (r *tape) settle(real *simulators.Simulators) { real.Default().Clock().Advance(2 * time.Second) }

// recordPayments pays, refunds a part, closes and queries with the vendor's SDK.
func recordPayments(t *testing.T, real *simulators.Simulators) *tape {
	t.Helper()
	r := newTape(t, real, "wechatpay", real.URL()+"/wechatpay")
	keys := r.keys.WeChat
	key, err := utils.LoadPrivateKey(keys.MchPrivateKeyPEM)
	require.NoError(t, err)
	client, err := core.NewClient(t.Context(), option.WithMerchantCredential(keys.MchID, keys.MchSerial, key),
		option.WithoutValidator(),
		option.WithHTTPClient(&http.Client{Transport: through{r.URL}}))
	require.NoError(t, err)
	service, refunds := &jsapi.JsapiApiService{Client: client}, &refunddomestic.RefundsApiService{Client: client}
	order := func(no string) string {
		announced, _, err := service.Prepay(t.Context(), jsapi.PrepayRequest{
			Appid: &keys.AppID, Mchid: &keys.MchID, Description: core.String("电影票 " + recordedPhone), OutTradeNo: &no,
			NotifyUrl:  core.String("https://shop.example/notify"),
			Amount:     &jsapi.Amount{Total: core.Int64(1000)},
			Payer:      &jsapi.Payer{Openid: core.String(wechat.UnboundOpenID)},
			TimeExpire: core.Time(time.Now().Add(10 * time.Minute)),
		})
		require.NoError(t, err)
		return *announced.PrepayId
	}
	prepaid := order("REAL-0001")
	require.NoError(t, real.Default().Pay(prepaid, "pay"))
	_, _, err = refunds.Create(t.Context(), refunddomestic.CreateRequest{
		OutTradeNo: core.String("REAL-0001"), OutRefundNo: core.String("REAL-R1"),
		Amount: &refunddomestic.AmountReq{Refund: core.Int64(400), Total: core.Int64(1000),
			Currency: core.String("CNY")},
	})
	require.NoError(t, err)
	order("REAL-0002")
	_, err = service.CloseOrder(t.Context(),
		jsapi.CloseOrderRequest{OutTradeNo: core.String("REAL-0002"), Mchid: &keys.MchID})
	require.NoError(t, err)
	_, _, err = service.QueryOrderByOutTradeNo(t.Context(),
		jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: core.String("REAL-0002"), Mchid: &keys.MchID})
	require.NoError(t, err)
	_, _, err = service.QueryOrderByOutTradeNo(t.Context(),
		jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: core.String("REAL-NONE"), Mchid: &keys.MchID})
	require.Error(t, err)
	_, err = client.Get(t.Context(), "https://api.mch.weixin.qq.com/v3/certificates")
	require.NoError(t, err)
	return r
}

// recordMessages sends a message that is accepted and one that is rejected. The SDK uses the recording proxy as its
// HTTP proxy, because the vendor's signature covers the Host header.
func recordMessages(t *testing.T, real *simulators.Simulators) *tape {
	t.Helper()
	keys := real.Default().Credentials()
	r := newTape(t, real, "sms", real.URL())
	client, err := dysms.NewClient(&openapi.Config{
		AccessKeyId: &keys.SMS.AccessKeyID, AccessKeySecret: &keys.SMS.AccessKeySecret,
		Endpoint: tea.String(strings.TrimPrefix(real.URL(), "http://")), Protocol: tea.String("http"),
		HttpProxy: &r.URL,
	})
	require.NoError(t, err)
	for _, want := range []string{"OK", "isv.BUSINESS_LIMIT_CONTROL"} {
		sent, err := client.SendSms(&dysms.SendSmsRequest{
			PhoneNumbers: tea.String(recordedPhone), SignName: &keys.SMS.SignName,
			TemplateCode: &keys.SMS.TemplateCode, TemplateParam: tea.String(`{"code":"997997"}`),
		})
		require.NoError(t, err)
		require.Equal(t, want, *sent.Body.Code)
	}
	return r
}

func recordTencent(t *testing.T, real *simulators.Simulators) *tape {
	t.Helper()
	keys := real.Default().Credentials()
	r := newTape(t, real, "sms-tencent", real.URL())
	p := profile.NewClientProfile()
	p.HttpProfile.Endpoint, p.HttpProfile.Scheme = strings.TrimPrefix(real.URL(), "http://"), "http"
	p.HttpProfile.Proxy = r.URL
	client, err := tencent.NewClient(common.NewCredential(keys.Tencent.SecretID, keys.Tencent.SecretKey),
		"ap-guangzhou", p)
	require.NoError(t, err)
	q := tencent.NewSendSmsRequest()
	q.PhoneNumberSet, q.TemplateParamSet = common.StringPtrs([]string{"+86" + recordedPhone,
		"12345"}), common.StringPtrs([]string{"997997"})
	q.SmsSdkAppId, q.TemplateId, q.SignName = &keys.Tencent.SDKAppID, &keys.Tencent.TemplateID, &keys.Tencent.SignName
	sent, err := client.SendSms(q)
	require.NoError(t, err)
	require.Equal(t, "Ok", *sent.Response.SendStatusSet[0].Code)
	return r
}

// recordings makes a recording for every provider.
func recordings(t *testing.T, real *simulators.Simulators) map[string]*tape {
	t.Helper()
	return map[string]*tape{
		"gateway": recordGateway(t, real, true), "newmovie": recordNewMovie(t, real),
		"wechatpay": recordPayments(t, real),
		"sms":       recordMessages(t, real), "sms-tencent": recordTencent(t, real),
	}
}

func TestCompare_EveryProviderAgainstAnotherInstance(t *testing.T) {
	t.Parallel()
	real := startSims(t, 7)
	made := recordings(t, real)
	require.Len(t, made, len(record.Providers()))
	for provider, r := range made {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			other := startSims(t, 8)
			report, err := record.Compare(t.Context(), r.recording(), options(t, other.URL(), provider, true))
			require.NoError(t, err)
			require.Empty(t, report.Skipped)
			require.Equal(t, report.Calls, report.Compared)
			if provider == "wechatpay" { // the other instance has no payment, so it rejects the refund
				require.Len(t, report.Differences, 2)
				require.Equal(t, []string{"status", "code"},
					[]string{report.Differences[0].Kind, report.Differences[1].Kind})
				require.Equal(t, "POST refund/domestic/refunds", report.Differences[0].Operation)
				report.Differences = nil
			}
			require.Empty(t, report.Differences)
			asked := other.Default().Journal().Entries(journal.Filter{})
			require.GreaterOrEqual(t, len(asked), report.Calls)
			for _, e := range asked {
				require.NotContains(t, e.Request+e.Answer, "REAL", "the caller's numbers are new")
				require.NotContains(t, e.Request, "shop.example", "the parties of the recording are not notified")
			}
		})
	}
}

func TestRecording_HoldsNothingSecret(t *testing.T) {
	t.Parallel()
	real := startSims(t, 7)
	k := real.Default().Credentials()
	secrets := map[string]string{
		"gateway secret": k.Gateway.Secret, "gateway appkey": k.Gateway.AppKey,
		"newmovie secret": k.NewMovie.AppSecret, "entId": k.NewMovie.EntID,
		"APIv3 key": k.WeChat.APIv3Key, "app secret": k.WeChat.AppSecret, "sms secret": k.SMS.AccessKeySecret,
		"sms id":      k.SMS.AccessKeyID,
		"tencent key": k.Tencent.SecretKey, "tencent id": k.Tencent.SecretID, "phone": recordedPhone,
		"part of a phone": recordedPhone[3:], "code of a message": "997997", "person": wechat.UnboundOpenID,
		"bearer": "Bearer ", "scheme of payment": "WECHATPAY2", "scheme of messages": "HMAC-SHA256",
		"private key": "PRIVATE KEY",
	}
	for provider, r := range recordings(t, real) {
		text := r.file.String()
		require.NotEmpty(t, text)
		for what, secret := range secrets {
			require.NotContains(t, text, secret, "%s: %s", provider, what)
		}
		require.NotRegexp(t, `[0-9A-F]{32}`, text, "%s: a signature", provider)
		require.NotRegexp(t, `"access_token":"[^{]`, text, provider)
		require.NotRegexp(t, `"(ciphertext|sign)":\[?"[^{"]`, text, provider)
	}
}

func TestRecording_HoldsNoSecretsOfErrorsAndAnswersThatAreNotJSON(t *testing.T) {
	t.Parallel()
	answer, kind := "", "application/json"
	target := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, answer)
	})
	for _, row := range [][2]string{
		{"application/json",
			`{"Message":"server CanonicalRequest is POST\n/\nPhoneNumbers=13812345678&SignName=x&TemplateParam=%7B%22code%22%3A%22997997%22%7D\nhost:x"}`},
		{"application/json",
			`{"echo":"{\"mobile\":\"13812345678\",\"access_token\":\"tok-997997\",\"list\":[{\"pass\":\"997997\"}]}"}`},
		{"application/json",
			`{"phones":["13812345678","+8613812345678","008613812345678,13812345678 13812345678"],"n":13812345678,"13812345678":1}`},
		{"application/json", `{"Token":{"inner":["997997",{"deep":"997997"}]},"refresh_token":997997}`},
		{"application/json", `{"access_token":"997997","cut`},
		{"application/json", `{"echo":"{\"access_token\":\"997997\",\"cut"}`},
		{"text/html", `<html>13812345678 997997</html>`},
		{"text/plain", `pass=997997&mobile=13812345678`},
		{"application/x-www-form-urlencoded", `pass=997997&mobile=13812345678&text=token%3D997997`},
	} {
		kind, answer = row[0], row[1]
		var file bytes.Buffer
		proxy, err := record.NewProxy(record.ProxyOptions{Provider: "sms", Target: target, Out: &file})
		require.NoError(t, err)
		server := httpServer(t, proxy.ServeHTTP)
		got, err := http.Post(server+"/13812345678/x?access_token=997997&to=13812345678", kind,
			strings.NewReader(answer))
		require.NoError(t, err)
		passed, err := io.ReadAll(got.Body)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.Equal(t, answer, string(passed), "the caller gets the answer as it is")
		require.Equal(t, http.StatusBadRequest, got.StatusCode)
		require.NotContains(t, file.String(), "997997", answer)
		require.NotContains(t, file.String(), "13812345678", answer)
		_, err = record.Read(&file)
		require.NoError(t, err)
	}
}

func TestRecording_NamesCallsThatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	real := startSims(t, 7)
	for provider, target := range map[string]string{"gateway": "/gateway", "newmovie": "/newmovie", "sms": "",
		"sms-tencent": "", "wechatpay": "/wechatpay"} {
		r := newTape(t, real, provider, real.URL()+target)
		answer, err := http.Post(r.URL+"/no/such/call", "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		call := r.recording().Calls[0]
		require.Contains(t, call.Operation, "no/such/call", provider)
		require.True(t, call.Write, "what is not known may change something")
	}
}

package simulators_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	openapi "github.com/alibabacloud-go/darabonba-openapi/v2/client"
	dysms "github.com/alibabacloud-go/dysmsapi-20170525/v5/client"
	"github.com/alibabacloud-go/tea/tea"
	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators/dataset"
	"marquee/simulators/wechat"
)

// visitor is an integration under test: it knows a port and credentials, and nothing of worlds.
type visitor struct {
	*testing.T
	url  string
	keys dataset.Credentials
}

// Credentials and URL let the helpers for simulators take a visitor too.
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

// gateway calls the legacy gateway and returns its whole answer.
func (v visitor) gateway(method string, fields ...string) map[string]any {
	v.Helper()
	_, text := post(v, v.url+"/gateway", "application/x-www-form-urlencoded", gatewayForm(v, v, method, fields...).Encode(), nil)
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
	_, text := post(v, v.url+"/newmovie/api/oauth/token", "application/json", `{"entId":"`+c.EntID+`","appSecret":"`+c.AppSecret+`"}`, nil)
	token, ok := v.data(object(v, text))["access_token"].(string)
	require.True(v, ok, text)
	return token
}

// newmovie makes a GET call with a token and returns its whole answer.
func (v visitor) newmovie(token, path string) map[string]any {
	v.Helper()
	request, err := http.NewRequest(http.MethodGet, v.url+"/newmovie/api/"+path, nil)
	require.NoError(v, err)
	request.Header.Set("Authorization", "Bearer "+token)
	_, text := do(v, request)
	return object(v, text)
}

// text sends a code with the vendor's SDK and returns the business code.
func (v visitor) text(phone, code string) string {
	v.Helper()
	k := v.keys.SMS
	client, err := dysms.NewClient(&openapi.Config{
		AccessKeyId: &k.AccessKeyID, AccessKeySecret: &k.AccessKeySecret, Protocol: tea.String("http"), Endpoint: tea.String(strings.TrimPrefix(v.url, "http://")),
	})
	require.NoError(v, err)
	sent, err := client.SendSms(&dysms.SendSmsRequest{
		PhoneNumbers: &phone, SignName: &k.SignName, TemplateCode: &k.TemplateCode, TemplateParam: tea.String(`{"code":"` + code + `"}`),
	})
	require.NoError(v, err)
	return *sent.Body.Code
}

// payments is the vendor's client.
func (v visitor) payments() *core.Client {
	v.Helper()
	k := v.keys.WeChat
	at, err := url.Parse(v.url)
	require.NoError(v, err)
	key, err := utils.LoadPrivateKey(k.MchPrivateKeyPEM)
	require.NoError(v, err)
	client, err := core.NewClient(v.Context(), option.WithMerchantCredential(k.MchID, k.MchSerial, key), option.WithoutValidator(),
		option.WithHTTPClient(&http.Client{Transport: keepHost{at.Host}}))
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
	answer, _, err := (&jsapi.JsapiApiService{Client: v.payments()}).QueryOrderByOutTradeNo(v.Context(), jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: &no, Mchid: &v.keys.WeChat.MchID})
	if err != nil {
		require.Contains(v, err.Error(), "ORDER_NOT_EXIST")
		return ""
	}
	return *answer.TradeState
}

// refund asks for the whole of a trade back and returns the refund's state.
func (v visitor) refund(no, notify string) string {
	v.Helper()
	answer, _, err := (&refunddomestic.RefundsApiService{Client: v.payments()}).Create(v.Context(), refunddomestic.CreateRequest{
		OutTradeNo: &no, OutRefundNo: core.String("R-" + no), NotifyUrl: &notify,
		Amount: &refunddomestic.AmountReq{Refund: core.Int64(100), Total: core.Int64(100), Currency: core.String("CNY")},
	})
	require.NoError(v, err)
	return string(*answer.Status)
}

// refunded is the state of a trade's refund.
func (v visitor) refunded(no string) string {
	v.Helper()
	answer, _, err := (&refunddomestic.RefundsApiService{Client: v.payments()}).QueryByOutRefundNo(v.Context(), refunddomestic.QueryByOutRefundNoRequest{OutRefundNo: core.String("R-" + no)})
	require.NoError(v, err)
	return string(*answer.Status)
}

// plainShow is a showing hours ahead of a time with its single seats, the same in every world of a seed and day.
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

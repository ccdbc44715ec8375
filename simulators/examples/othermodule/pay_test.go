// Package shop_test is a test of another module: it runs the simulators in its own process.
package shop_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/url"
	"testing"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/native"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators"
	"marquee/simulators/wechat"
)

// simulated is a transport that reaches the vendors' https addresses through the simulators, whose certificate it
// trusts.
func simulated(t *testing.T, world *simulators.World) http.RoundTripper {
	t.Helper()
	answer, err := http.Get(world.URL() + "/sim/v1/ca.pem")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	certificate, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(certificate)
	proxy, err := url.Parse(world.URL())
	if err != nil {
		t.Fatal(err)
	}
	return &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: trusted}}
}

func TestNative_IsPaid(t *testing.T) {
	world := simulators.NewWorld(t)             // isolated, and ended with the test
	http.DefaultTransport = simulated(t, world) // the SDK also downloads the vendor's certificates through it
	keys := world.Credentials().WeChat
	key, err := utils.LoadPrivateKey(keys.MchPrivateKeyPEM)
	if err != nil {
		t.Fatal(err)
	}
	client, err := core.NewClient(t.Context(),
		option.WithWechatPayAutoAuthCipher(keys.MchID, keys.MchSerial, key, keys.APIv3Key))
	if err != nil {
		t.Fatal(err)
	}
	service := native.NativeApiService{Client: client}
	code, _, err := service.Prepay(t.Context(), native.PrepayRequest{
		Appid: &keys.AppID, Mchid: &keys.MchID, Description: core.String("电影票"), OutTradeNo: core.String("OTHER-0001"),
		NotifyUrl: core.String("https://shop.example/notify"), Amount: &native.Amount{Total: core.Int64(100)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := world.Pay(*code.CodeUrl, "pay"); err != nil {
		t.Fatal(err)
	}
	trade, _, err := service.QueryOrderByOutTradeNo(t.Context(), native.QueryOrderByOutTradeNoRequest{
		OutTradeNo: core.String("OTHER-0001"), Mchid: &keys.MchID})
	if err != nil || *trade.TradeState != "SUCCESS" || *trade.Payer.Openid != wechat.BoundOpenID {
		t.Fatal(trade, err)
	}
}

package simulators_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/captcha"
	"marquee/simulators/faults"
	"marquee/simulators/sms"
	"marquee/simulators/wechat"
)

func TestFaults_AnErrorWithoutATextHasTheVendorsOwnForItsCode(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	type call struct{ provider, operation, method, host, path, header, body string }
	gateway := call{"gateway", "city.list", http.MethodPost, "", "/gateway",
		"Content-Type: application/x-www-form-urlencoded", "method=city.list"}
	newmovie := call{"newmovie", "movie/cities", http.MethodGet, "", "/newmovie/api/movie/cities", "Accept: */*", ""}
	pay := call{"wechat", "query", http.MethodGet, wechat.PayHost, "/v3/pay/transactions/out-trade-no/A", "Accept: */*",
		""}
	api := call{"wechat", "oauth-token", http.MethodGet, wechat.APIHost, "/sns/oauth2/access_token", "Accept: */*", ""}
	alibaba := call{"sms", "send", http.MethodPost, sms.Host, "/", "x-acs-action: SendSms", ""}
	tencent := call{"sms", "tencent-send", http.MethodPost, sms.TencentHost, "/", "X-TC-Action: SendSms", "{}"}
	check := call{"captcha", "check", http.MethodPost, captcha.Host, "/", "X-TC-Action: DescribeCaptchaResult", "{}"}
	for _, c := range []struct {
		call
		code, want string
	}{
		{gateway, "3001", "座位已被占用"},
		{gateway, "1003", "签名错误"},
		{gateway, "9999", "系统繁忙，请稍后再试"},
		{newmovie, "409002", "订单状态不允许该操作"},
		{newmovie, "401002", "token已过期"},
		{pay, "USERPAYING", "用户支付中，需要输入密码"},
		{pay, "SYSTEM_ERROR", "系统异常，请稍后重试"},
		{pay, "NEW_CODE", `"message":"NEW_CODE"`},
		{api, "40163", "code been used"},
		{alibaba, "isv.AMOUNT_NOT_ENOUGH", "账户余额不足"},
		{alibaba, "Throttling.User", "Request was denied due to user flow control."},
		{tencent, "FailedOperation.InsufficientBalanceInSmsPackage", "insufficient balance in SMS package"},
		{tencent, "RequestLimitExceeded", "The number of requests exceeds the frequency limit."},
		{check, "AuthFailure.SecretIdNotFound", "The SecretId is not found"},
	} {
		for _, text := range []string{"", "一句自己的话"} {
			_, err := s.Default().Faults().Add(faults.Fault{
				Provider: c.provider, Operation: c.operation, Do: faults.Error, Code: c.code, Message: text, Times: 1,
			})
			require.NoError(t, err)
			request, err := http.NewRequest(c.method, s.URL()+c.path, strings.NewReader(c.body))
			require.NoError(t, err)
			request.Host = c.host
			name, value, _ := strings.Cut(c.header, ": ")
			request.Header.Set(name, value)
			_, answer := do(t, request)
			require.Contains(t, answer, c.code)
			if text == "" {
				require.Contains(t, answer, c.want, c.code)
			} else {
				require.Contains(t, answer, text, c.code)
			}
		}
	}
}

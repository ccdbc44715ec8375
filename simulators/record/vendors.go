package record

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
	textmessage "marquee/simulators/sms"
	"marquee/simulators/wechat"
)

// wechatPay is Pay APIv3 of the messaging app. Its operations are methods and paths, with placeholders for the numbers:
// "GET pay/transactions/id/{transaction_id}".
var wechatPay = &provider{
	name: "wechatpay", mount: "/wechatpay",
	operation: func(q *Request) (string, bool) {
		path := strings.TrimPrefix(q.Path, "/v3/")
		name := path
		switch segments := strings.Split(path, "/"); {
		case strings.HasPrefix(path, "pay/transactions/out-trade-no/") && len(segments) > 3:
			segments[3] = "{out_trade_no}"
			name = strings.Join(segments, "/")
		case strings.HasPrefix(path, "pay/transactions/id/"):
			name = "pay/transactions/id/{transaction_id}"
		case strings.HasPrefix(path, "refund/domestic/refunds/"):
			name = "refund/domestic/refunds/{out_refund_no}"
		}
		return q.Method + " " + name, q.Method != http.MethodGet
	},
	code:          func(_ int, answer any) string { return scalarText(field(answer, "code")) },
	rejectsCaller: oneOf("SIGN_ERROR", "MCH_NOT_EXISTS", "NO_AUTH"),
	secrets:       []string{"ciphertext", "nonce", "serial_no", "user_received_account", "truncated_sign_message"},
	persons:       map[string]string{"openid": "openid", "sp_openid": "openid", "sub_openid": "openid"},
	fromAnswers:   map[string]string{"transaction_id": "transaction", "refund_id": "refund"},
	callerNumbers: map[string]string{"out_trade_no": "out_trade_no", "out_refund_no": "out_refund_no"},
	prepare: func(q *Request, keys dataset.Credentials, _ time.Time) error {
		q.set("appid", keys.WeChat.AppID)
		q.set("mchid", keys.WeChat.MchID)
		q.set("notify_url", noNotify)
		return nil
	},
	authorize: func(r *http.Request, body []byte, keys dataset.Credentials, now time.Time) error {
		return wechat.Authorize(r, keys.WeChat, body, now)
	},
	account: func(k dataset.Credentials) map[string]string {
		return map[string]string{
			"wechat.mchid": k.WeChat.MchID, "wechat.mch_serial": k.WeChat.MchSerial,
			"wechat.mch_private_key_pem": k.WeChat.MchPrivateKeyPEM,
		}
	},
}

// noNotify is an address that does not exist, so that a replay does not notify a shop.
const noNotify = "https://replay.invalid/notify"

// sms is the SMS provider's Alibaba Cloud API (ACS3).
var sms = &provider{
	name: "sms",
	operation: func(q *Request) (string, bool) {
		action := q.Headers["X-Acs-Action"]
		return action, !strings.HasPrefix(action, "Query")
	},
	code: func(_ int, answer any) string { return scalarText(field(answer, "Code")) },
	rejectsCaller: func(code string) bool {
		return strings.HasPrefix(code, "Signature") || strings.HasPrefix(code, "InvalidTimeStamp") ||
			slices.Contains([]string{"InvalidAccessKeyId.NotFound", "IncompleteSignature", "MissingAuthorization",
				"InvalidAuthorization"}, code)
	},
	secrets:     []string{"templateparam"},
	fromAnswers: map[string]string{"bizid": "message"},
	headers:     []string{"X-Acs-Action", "X-Acs-Version"},
	prepare: func(q *Request, keys dataset.Credentials, _ time.Time) error {
		q.set("SignName", keys.SMS.SignName)
		q.set("TemplateCode", keys.SMS.TemplateCode)
		q.set("TemplateParam", `{"code":"`+replayCode+`"}`)
		return nil
	},
	authorize: func(r *http.Request, body []byte, keys dataset.Credentials, now time.Time) error {
		textmessage.Authorize(r, keys.SMS, body, now)
		return nil
	},
	account: func(k dataset.Credentials) map[string]string {
		return map[string]string{"sms.access_key_id": k.SMS.AccessKeyID, "sms.access_key_secret": k.SMS.AccessKeySecret}
	},
}

// replayCode is the verification code that a replay sends.
const replayCode = "123456"

// smsTencent is Tencent Cloud's API (TC3) of the SMS provider. The result code of a call is the code of its error. A
// call without an error has one code for each phone: its result code is these codes, separated by commas.
var smsTencent = &provider{
	name: "sms-tencent",
	operation: func(q *Request) (string, bool) {
		action := q.Headers["X-Tc-Action"]
		return action, !strings.HasPrefix(action, "Describe")
	},
	code: func(_ int, answer any) string {
		if code := scalarText(field(answer, "Response", "Error", "Code")); code != "" {
			return code
		}
		set, _ := field(answer, "Response", "SendStatusSet").([]any)
		var codes []string
		for _, status := range set {
			codes = append(codes, scalarText(field(status, "Code")))
		}
		return strings.Join(codes, ",")
	},
	rejectsCaller: func(code string) bool { return strings.HasPrefix(code, "AuthFailure") },
	secrets:       []string{"templateparamset", "sessioncontext"},
	headers:       []string{"X-Tc-Action", "X-Tc-Version", "X-Tc-Region"},
	prepare: func(q *Request, keys dataset.Credentials, _ time.Time) error {
		q.set("SmsSdkAppId", keys.Tencent.SDKAppID)
		q.set("TemplateId", keys.Tencent.TemplateID)
		q.set("SignName", keys.Tencent.SignName)
		return nil
	},
	authorize: func(r *http.Request, body []byte, keys dataset.Credentials, now time.Time) error {
		textmessage.AuthorizeTencent(r, keys.Tencent, body, now)
		return nil
	},
	account: func(k dataset.Credentials) map[string]string {
		return map[string]string{"tencent.secret_id": k.Tencent.SecretID, "tencent.secret_key": k.Tencent.SecretKey}
	},
}

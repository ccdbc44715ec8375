package wechat

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"marquee/simulators/control"
	"marquee/simulators/journal"
)

// checkoutPage is the page that confirms a payment outside the shop's page. A scanned QR code opens it on the phone, an
// H5 payment in a browser.
var checkoutPage = template.Must(template.New("").Parse(`<!doctype html><html lang="zh-CN"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>确认支付</title>
<body style="font:16px/1.6 system-ui,sans-serif;max-width:26em;margin:0 auto;padding:24px"><main>
<h1>{{.Title}}</h1>
{{if .Amount}}<p>{{.Merchant}}</p><p>{{.Description}}</p><p><strong>¥{{.Amount}}</strong></p>
<form method="post"><input type="hidden" name="code" value="{{.Code}}">
<input type="hidden" name="back" value="{{.Back}}">
<button name="outcome" value="pay" style="font:inherit;padding:12px 24px">支付</button>
<button name="outcome" value="cancel" style="font:inherit;padding:12px 24px">取消</button></form>
{{else}}<p role="alert">{{.Text}}</p>{{with .Phone}}<p><a href="{{.}}">返回手机</a></p>{{end}}{{end}}</main></body></html>
`))

// scanPath is the path of the page that the phone's scanner opens. Its parameters world and openid identify the phone.
const scanPath = "/phone/checkout"

// checkout serves checkoutPage with the payment of a scanned QR code or an H5 link. A POST pays, cancels or fails the
// payment for the person who holds the phone.
type checkout struct {
	payments *payments
	people   *people
	faults   faultInjector
}

// handler serves the page. Like the pay sheet's calls, its calls are journaled and get planned faults.
func (c checkout) handler() http.Handler {
	endpoint := c.faults.endpoint(http.HandlerFunc(c.serve))
	endpoint.MaxBody = 64 << 10
	endpoint.Operation = func(r *http.Request, _ []byte) string {
		switch {
		case r.URL.Path != h5Path && r.URL.Path != scanPath:
			return ""
		case r.Method == http.MethodPost:
			return opPay
		}
		return opPaySheet
	}
	endpoint.Error = func(w http.ResponseWriter, r *http.Request, _, message string) {
		c.show(w, r, http.StatusOK, map[string]string{"Title": "支付失败", "Text": message})
	}
	return http.NewCrossOriginProtection().Handler(endpoint)
}

func (c checkout) serve(w http.ResponseWriter, r *http.Request) {
	note := journal.From(r.Context())
	if err := r.ParseForm(); err != nil {
		note.Reject(err.Error())
		http.Error(w, "bad form", http.StatusBadRequest)
		return
	}
	code, back := r.Form.Get("code"), r.Form.Get("back")
	if r.URL.Path == h5Path && r.Method != http.MethodPost {
		code, back = r.Form.Get("prepay_id"), r.Form.Get("redirect_url")
	}
	prepayID, openID := prepayIDOf(strings.TrimSpace(code)), c.people.holder(r)
	if scanning := r.URL.Query().Get("openid"); r.URL.Path == scanPath && isOpenID(scanning) {
		openID = scanning
	}
	if r.Method != http.MethodPost {
		t, rejection, reason := c.payments.sheet(prepayID, openID)
		if rejection != "" {
			note.Reject(reason)
			c.show(w, r, http.StatusOK, map[string]string{"Title": "无法支付", "Text": rejection})
			return
		}
		c.show(w, r, http.StatusOK, map[string]string{
			"Title": "确认支付", "Merchant": merchantName, "Description": t.Order.Description, "Code": code, "Back": back,
			"Amount": fmt.Sprintf("%d.%02d", t.Order.Amount.Total/100, t.Order.Amount.Total%100),
		})
		return
	}
	answer, rejected := c.payments.pay(c.faults, note, prepayID, control.Outcome(r.Form.Get("outcome")), openID)
	if rejected != nil {
		note.Reject(rejected.Message)
		c.show(w, r, http.StatusOK, map[string]string{"Title": "支付失败", "Text": rejected.Message})
		return
	}
	if to, err := url.Parse(back); err == nil && (to.Scheme == "https" || to.Scheme == "http") && to.Host != "" {
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
		return
	}
	text := map[string]string{bridgeOK: "支付成功", bridgeCancel: "已取消", bridgeFail: "支付失败"}[answer]
	c.show(w, r, http.StatusOK, map[string]string{"Title": text, "Text": text})
}

func (c checkout) show(w http.ResponseWriter, r *http.Request, status int, values map[string]string) {
	if r.URL.Path == scanPath {
		phone := url.Values{}
		for _, name := range []string{"world", "openid"} {
			if value := r.URL.Query().Get(name); value != "" {
				phone.Set(name, value)
			}
		}
		values["Phone"] = "/phone?" + phone.Encode()
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = checkoutPage.Execute(w, values) // fails only if the client is gone
}

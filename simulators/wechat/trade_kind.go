package wechat

import (
	"net/url"
	"strings"
)

// The values of trade_type other than JSAPI.
const (
	kindNative = "NATIVE"
	kindH5     = "MWEB"
	kindApp    = "APP"
)

// H5Host serves the page that an H5 payment opens in a browser.
const H5Host = "wx.tenpay.com"

// h5Path is the path of that page.
const h5Path = "/cgi-bin/mmpayweb-bin/checkmweb"

// codePrefix is the start of the content of a Native payment's QR code.
const codePrefix = "weixin://wxpay/bizpayurl?pr="

// tradeKind is one way to create a trade.
type tradeKind struct {
	path       string // after …/transactions/
	operation  string
	name       string // order.Kind
	namesPayer bool   // the order contains the only person who can pay it
	answer     func(prepayID, mchID string) map[string]string
}

var tradeKinds = []tradeKind{
	{"jsapi", opPrepay, "", true, func(id, _ string) map[string]string { return map[string]string{"prepay_id": id} }},
	{"app", opPrepayApp, kindApp, false,
		func(id, _ string) map[string]string { return map[string]string{"prepay_id": id} }},
	{"native", opPrepayNative, kindNative, false, func(id, _ string) map[string]string {
		return map[string]string{"code_url": codePrefix + strings.TrimPrefix(id, "wx")}
	}},
	{"h5", opPrepayH5, kindH5, false, func(id, mchID string) map[string]string {
		// The vendor's package is an opaque value. Here it is the merchant's number, by which the world of the page is
		// found.
		q := url.Values{"prepay_id": {id}, "package": {mchID}}
		return map[string]string{"h5_url": "https://" + H5Host + h5Path + "?" + q.Encode()}
	}},
}

// prepayIDOf returns the prepay_id in the content of a QR code or in the address of an H5 payment. Any other text is a
// prepay_id itself.
func prepayIDOf(text string) string {
	if token, ok := strings.CutPrefix(text, codePrefix); ok {
		return "wx" + token
	}
	if u, err := url.Parse(text); err == nil && u.Path == h5Path {
		return u.Query().Get("prepay_id")
	}
	return text
}

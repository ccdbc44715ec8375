package httpapi

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"marquee/server/content"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

// ErrURLForeign refuses an address that is not the shop's own.
var ErrURLForeign = fault.New(fault.Invalid, "url_not_allowed", "链接不被允许")

// shopURLs recognizes the shop's own addresses by an exact list of hosts. Otherwise the messaging app could be made
// to send OAuth codes to another site, or to sign another site's page.
type shopURLs map[string]bool

func newShopURLs(hosts []string) shopURLs {
	u := shopURLs{}
	for _, host := range hosts {
		u[host] = true
	}
	return u
}

// read reads a field that holds an address of the shop. It returns ErrURLForeign for any other address.
func (s shopURLs) read(f *wire.Form, name string) (string, error) {
	text := f.Bounded(name, 2048)
	if f.Err() != nil {
		return "", f.Err()
	}
	u, err := url.Parse(text)
	if err != nil || !s.own(u) {
		return "", ErrURLForeign
	}
	return text, nil
}

// own reports whether an address is one of the shop's, in whatever case and with or without the default port.
func (s shopURLs) own(u *url.URL) bool {
	if (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return false
	}
	port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	return s[strings.TrimSuffix(strings.ToLower(u.Host), port)]
}

// pageSigner signs the shop's pages for the messaging app's JS-SDK.
type pageSigner struct {
	urls shopURLs
	js   content.JSSigner // nil if there is no messaging app
}

// signatureAnswer is what the messaging app's wx.config takes.
type signatureAnswer struct {
	AppID     string `json:"appid"`
	Time      int64  `json:"time"` // unix seconds, wire time
	Nonce     string `json:"nonceStr"`
	Signature string `json:"signature"`
}

// location answers /movie/route/Movie/getLocation: the signature of the page in the field url, with which the page may
// ask the messaging app for the position. Errors: url_not_allowed, provider_unavailable.
func (s pageSigner) location(ctx context.Context, r *request) (any, error) {
	return s.sign(ctx, r.form)
}

func (s pageSigner) sign(ctx context.Context, f *wire.Form) (signatureAnswer, error) {
	page, err := s.urls.read(f, "url")
	if err != nil {
		return signatureAnswer{}, err
	}
	if s.js == nil {
		return signatureAnswer{}, fault.ErrUnavailable
	}
	c, err := s.js.SignJS(ctx, page)
	if err != nil {
		return signatureAnswer{}, fmt.Errorf("sign the page: %w", err)
	}
	return signatureAnswer{c.AppID, c.Timestamp, c.NonceStr, c.Signature}, nil
}

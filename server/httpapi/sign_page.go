package httpapi

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"marquee/server/content"
	"marquee/server/fault"
)

// errURLForeign means that an address is not one of the shop's.
var errURLForeign = fault.New(fault.Invalid, "url_not_allowed", "链接不被允许")

// shopHosts recognizes the shop's own addresses by an exact list of hosts. Otherwise the messaging app could be made
// to send OAuth codes to another site, or to sign another site's page.
type shopHosts map[string]bool

func newShopHosts(hosts []string) shopHosts {
	u := shopHosts{}
	for _, host := range hosts {
		u[host] = true
	}
	return u
}

// check returns errURLForeign unless a text is an address of the shop.
func (s shopHosts) check(text string) error {
	u, err := url.Parse(text)
	if err != nil || !s.own(u) {
		return errURLForeign
	}
	return nil
}

// own reports whether an address is one of the shop's. It ignores case and the default port.
func (s shopHosts) own(u *url.URL) bool {
	if (u.Scheme != "http" && u.Scheme != "https") || u.User != nil {
		return false
	}
	port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
	return s[strings.TrimSuffix(strings.ToLower(u.Host), port)]
}

// pageSigner signs the shop's pages for the messaging app's JS-SDK.
type pageSigner struct {
	urls shopHosts
	js   content.JSSigner // nil if pages cannot be signed
}

// PageSignature has the parameters of the messaging app's wx.config.
type PageSignature struct {
	AppID     string `json:"appid"`     // the shop's appid in the messaging app
	Time      int64  `json:"time"`      // when the page was signed, in unix seconds of real time
	Nonce     string `json:"nonceStr"`  // a random text
	Signature string `json:"signature"` // signs the address of the page, the time and the nonce
}

// signPageFaults are the errors of signing a page.
var signPageFaults = errorsOf(providerFaults, []*fault.Fault{errURLForeign})

// SignPage selects a page of the shop.
type SignPage struct {
	URL string `form:"url" max:"2048"` // the address of the page, which must be one of the shop
}

// location returns the signature with which a page may ask the messaging app for the position of the buyer.
func (s pageSigner) location(ctx context.Context, _ *request, in SignPage) (PageSignature, error) {
	return s.sign(ctx, in.URL)
}

// sign signs a page. It returns errURLForeign for one that is not the shop's, and the faults of a provider.
func (s pageSigner) sign(ctx context.Context, page string) (PageSignature, error) {
	if err := s.urls.check(page); err != nil {
		return PageSignature{}, err
	}
	if s.js == nil {
		return PageSignature{}, fault.ErrUnavailable
	}
	c, err := s.js.SignJS(ctx, page)
	if err != nil {
		return PageSignature{}, fmt.Errorf("sign the page: %w", err)
	}
	return PageSignature{c.AppID, c.Timestamp, c.NonceStr, c.Signature}, nil
}

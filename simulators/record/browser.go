package record

import (
	"net/http"

	"marquee/simulators/ownname"
)

// refuse keeps web pages away from the provider: with credentials the proxy signs whatever it is asked, and a page of any
// site can make its browser ask, by a picture as well as by a form.
func (p *Proxy) refuse(r *http.Request) *Error {
	// without credentials a caller signs by itself, under whatever Host that needs
	if p.o.Credentials != nil && !ownname.Is(r.Host, ownname.Of(p.o.Listen), ownname.Of(p.target.Host)) {
		return fail("foreign_host", "the proxy answers under an IP address, localhost, the provider's host or the host of -listen, and not under another name")
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if site == "cross-site" || site == "same-site" || http.NewCrossOriginProtection().Check(r) != nil {
		return fail("cross_origin", "a page of another origin may not call the provider")
	}
	return nil
}

package wechat

import (
	"net"
	"net/http"
	"net/url"
	"strings"
)

// The demo identities: who can hold the phone.
const (
	BoundOpenID   = "oMarqueeDemo_bound_0001"
	UnboundOpenID = "oMarqueeDemo_unbound_02"
	PoorOpenID    = "oMarqueeDemo_poor_00003"
)

// Identity is a person who holds the phone.
type Identity struct {
	OpenID string  `json:"openid"`
	Name   string  `json:"name"`
	Phone  string  `json:"phone"` // the number under which this person binds; its messages are shown beside the phone
	Note   string  `json:"note"`
	Lat    float64 `json:"lat"` // where the person is, WGS-84
	Lng    float64 `json:"lng"`
}

// Identities lists the demo identities. Any other openid works too; such a person stands in Shanghai.
func Identities() []Identity {
	return []Identity{
		{BoundOpenID, "林晚晴", "13900000001", "pays without trouble", 31.2304, 121.4737},
		{UnboundOpenID, "周一鸣", "13900000002", "a second person, to bind or to be refused", 39.9042, 116.4074},
		{PoorOpenID, "陈小满", "13900000003", "has no money: every payment fails", 22.5431, 114.0579},
	}
}

func identity(openID string) Identity {
	for _, i := range Identities() {
		if i.OpenID == openID {
			return i
		}
	}
	return Identity{OpenID: openID, Name: openID, Lat: 31.2304, Lng: 121.4737}
}

// identityCookie names who holds the phone of this browser.
const identityCookie = "phone_openid"

// holder is who holds the phone that makes this call: the browser's cookie, else whoever picked it up last.
func (s *Simulator) holder(r *http.Request) string {
	if c, err := r.Cookie(identityCookie); err == nil && openIDForm.MatchString(c.Value) {
		return c.Value
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.account.holder
}

// mayReturnTo reports whether login may send a browser to a host: the shop's own, or any name of this machine, as
// the account's list of callback domains would have it.
func (s *Simulator) mayReturnTo(u *url.URL) bool {
	host := u.Hostname()
	if app, err := url.Parse(s.AppURL()); err == nil && app.Hostname() != "" && app.Hostname() == host {
		return true
	}
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

package wechat

import (
	"net/http"
	"sync"
)

// The demo persons who can hold the phone.
const (
	BoundOpenID   = "oMarqueeDemo_bound_0001"
	UnboundOpenID = "oMarqueeDemo_unbound_02"
	PoorOpenID    = "oMarqueeDemo_poor_00003"
)

// Identity is a person who can hold the phone.
type Identity struct {
	OpenID string  `json:"openid"`
	Name   string  `json:"name"`
	Phone  string  `json:"phone"` // the number that this person binds; its messages are shown next to the phone
	Note   string  `json:"note"`
	Lat    float64 `json:"lat"` // where the person is, WGS-84
	Lng    float64 `json:"lng"`
}

// identities lists the demo persons. Every other openid of the right form works too.
func identities() []Identity {
	return []Identity{
		{BoundOpenID, "林晚晴", "13900000001", "every payment succeeds", 31.2304, 121.4737},
		{UnboundOpenID, "周一鸣", "13900000002", "a second person, to bind or to be rejected", 39.9042, 116.4074},
		{PoorOpenID, "陈小满", "13900000003", "has no money: every payment fails", 22.5431, 114.0579},
	}
}

// identity is the person with an openid. If it is not a demo person's, the name is the openid and the location is
// Shanghai.
func identity(openID string) Identity {
	for _, i := range identities() {
		if i.OpenID == openID {
			return i
		}
	}
	return Identity{OpenID: openID, Name: openID, Lat: 31.2304, Lng: 121.4737}
}

// identityCookie contains the openid of the person who holds this browser's phone.
const identityCookie = "phone_openid"

// people keeps track of the person who holds the phone.
type people struct {
	mu   sync.Mutex
	last string // the openid for which a phone was started last
}

// holder is the openid of the person who holds the phone that makes this call: the one in the browser's cookie, or else
// the one for which a phone was started last.
func (p *people) holder(r *http.Request) string {
	if c, err := r.Cookie(identityCookie); err == nil && isOpenID(c.Value) {
		return c.Value
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// setLast remembers for whom a phone was started.
func (p *people) setLast(openID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = openID
}

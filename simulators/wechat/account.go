package wechat

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
	Phone  string  `json:"phone"` // the number under which this person would bind; its messages are shown
	Note   string  `json:"note"`
	Lat    float64 `json:"lat"` // where the person is, WGS-84
	Lng    float64 `json:"lng"`
}

// Identities lists the demo identities.
func Identities() []Identity {
	return []Identity{
		{BoundOpenID, "林晚晴", "13900000001", "pays without trouble", 31.2304, 121.4737},
		{UnboundOpenID, "周一鸣", "13900000002", "has not bound a phone yet", 39.9042, 116.4074},
		{PoorOpenID, "陈小满", "13900000003", "has no money: every payment fails", 22.5431, 114.0579},
	}
}

// account is the login side: codes, tokens and tickets.
type account struct{}

func newAccount() account { return account{} }

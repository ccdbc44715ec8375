package wechat

import (
	"net/http"
	"strconv"
	"strings"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/ownname"
	"marquee/simulators/provider"
)

var (
	_ provider.Provider   = (*Simulator)(nil)
	_ provider.Publisher  = (*Simulator)(nil)
	_ provider.Cataloguer = (*Simulator)(nil)
	_ control.Payer       = (*Simulator)(nil)
	_ control.Payments    = (*Simulator)(nil)
	_ control.Merchants   = (*Simulator)(nil)
	_ control.Webhooks    = (*Simulator)(nil)
)

// The kinds of credentials that select a world.
const (
	byMchID = "wechat mchid"
	byAppID = "wechat appid"
	byToken = "wechat token key"
)

// Name identifies the messaging app in faults, in the journal and in snapshots.
func (s *Simulator) Name() string { return Name }

// Mounts serves the payment, account and login hosts of the vendor, the in-app browser's hosts, and the phone page.
func (s *Simulator) Mounts() []provider.Mount {
	return []provider.Mount{
		{Hosts: []string{PayHost, PayHostBackup, PayHostOldBackup}, Paths: []string{"/wechatpay"}, Credential: mchIDOf,
			Handler: s.PayHandler()},
		{Hosts: []string{APIHost, APIHostBackup}, Paths: []string{"/sns", "/cgi-bin", "/wxa"},
			Parameter: "access_token", Credential: accountOf, Handler: s.APIHandler()},
		{Hosts: []string{OpenHost}, Paths: []string{"/connect/oauth2"}, Credential: appIDOf, Handler: s.OpenHandler()},
		{Hosts: []string{H5Host}, Paths: []string{"/cgi-bin/mmpayweb-bin"}, Credential: packageOf,
			Handler: s.checkout.handler()},
		{Hosts: []string{AppHost, "*." + AppHost}, Paths: []string{"/phone"}, Credential: phoneWorldOf,
			Handler: s.PhoneHandler()},
	}
}

// CallCredentials are the merchant's number, the account's id, and the key that the account's tokens contain.
func (s *Simulator) CallCredentials() []provider.Credential {
	k := s.credentials
	return []provider.Credential{{Kind: byMchID, Value: k.MchID}, {Kind: byAppID, Value: k.AppID},
		{Kind: byToken, Value: TokenKey(k.AppID)}}
}

// State saves trades, refunds, notifications that are still to be sent, tokens and nonces.
func (s *Simulator) State() provider.State { return provider.StateOf(s.Save, s.Load) }

// Close cancels notifications that are under way and sends no further ones.
func (s *Simulator) Close() { s.notifier.sender.Close() }

// AddToCatalogue appends the amounts with a fixed outcome, and the people of the messaging app.
func (s *Simulator) AddToCatalogue(c *control.Catalogue) {
	c.Amounts = append(c.Amounts,
		dataset.Magic{Value: strconv.Itoa(AmountCancelAfterPay),
			Effect: "payment: the bridge reports cancel although the money moved"},
		dataset.Magic{Value: strconv.Itoa(AmountAbnormalRefund), Effect: "payment: a refund of it ends as ABNORMAL"},
	)
	for _, i := range identities() {
		c.OpenIDs = append(c.OpenIDs, control.Identity{OpenID: i.OpenID, Name: i.Name, Note: i.Note})
	}
}

// mchIDOf reads the merchant's number from the Authorization header of Pay APIv3.
func mchIDOf(r *http.Request) provider.Credential {
	_, rest, _ := strings.Cut(r.Header.Get("Authorization"), `mchid="`)
	id, _, _ := strings.Cut(rest, `"`)
	return provider.Credential{Kind: byMchID, Value: id}
}

// packageOf reads the merchant's number from the parameter package in the address of an H5 payment.
func packageOf(r *http.Request) provider.Credential {
	return provider.Credential{Kind: byMchID, Value: r.URL.Query().Get("package")}
}

// appIDOf reads the account's id from the query.
func appIDOf(r *http.Request) provider.Credential {
	return provider.Credential{Kind: byAppID, Value: r.URL.Query().Get("appid")}
}

// accountOf reads the account's id from the query, or else from an access token, or else from the body of a token call.
func accountOf(r *http.Request) provider.Credential {
	q := r.URL.Query()
	switch {
	case q.Get("appid") != "":
		return appIDOf(r)
	case q.Get("access_token") != "":
		return provider.Credential{Kind: byToken, Value: keyOf(q.Get("access_token"))}
	case r.Method == http.MethodPost:
		return provider.Credential{Kind: byAppID, Value: stableTokenAppID(faults.Peek(r))}
	}
	return provider.Credential{}
}

// phoneWorldOf reads the world from the host ("w1.inapp.localhost"), else from the parameter world of the phone page or
// of /__phone/start, else from the browser's cookie. A login takes place in the world of the account in the link.
func phoneWorldOf(r *http.Request) provider.Credential {
	if r.URL.Path == "/connect/oauth2/authorize" {
		return appIDOf(r)
	}
	named := func(id string) provider.Credential { return provider.Credential{Kind: provider.World, Value: id} }
	label, ok := strings.CutSuffix(ownname.WithoutPort(r.Host), "."+AppHost)
	if ok && provider.IsWorldID(label) && label != "phone" {
		return named(label)
	}
	if r.URL.Path == "/__phone/start" || r.URL.Path == "/phone" || strings.HasPrefix(r.URL.Path, "/phone/") {
		return named(r.URL.Query().Get("world"))
	}
	if c, err := r.Cookie(worldCookie); err == nil {
		return named(c.Value)
	}
	return provider.Credential{}
}

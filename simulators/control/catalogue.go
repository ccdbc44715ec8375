package control

import "marquee/simulators/dataset"

// Catalogue is everything that an outside client needs to use a world.
type Catalogue struct {
	World     string `json:"world"`
	Seed      uint64 `json:"seed"`
	ChannelNo string `json:"channel_no"` // also in shop
	dataset.Credentials
	CouponCodes []string          `json:"coupon_codes"`
	CardTypes   map[string]string `json:"card_types"` // what the pids of cards are called
	Phones      []dataset.Magic   `json:"phones"`     // with one outcome each
	Amounts     []dataset.Magic   `json:"amounts"`    // in fen, with one outcome each
	OpenIDs     []Identity        `json:"openids"`    // people of the messaging app
	Addresses   Addresses         `json:"addresses"`
	// Environment is what a shop is started with to use these simulators.
	Environment map[string]string `json:"environment"`
}

// Identity is a person of the messaging app.
type Identity struct {
	OpenID string `json:"openid"`
	Name   string `json:"name"`
	Note   string `json:"note,omitempty"`
}

// Addresses lists where the providers, the control API, the console and the phone are served.
type Addresses struct {
	Gateway  string `json:"gateway"`
	NewMovie string `json:"newmovie"`
	Control  string `json:"control"`
	Console  string `json:"console"`
	Phone    string `json:"phone"`
	Shop     string `json:"shop,omitempty"`
	// CaptchaScript is the script of the captcha vendor, for a shop's page.
	CaptchaScript string `json:"captcha_script"`
	HTTPS         string `json:"https,omitempty"` // of all that the port serves; missing if the simulators have none
	Proxy         string `json:"proxy"`           // for HTTPS_PROXY: it answers the vendors' hosts
	CA            string `json:"ca"`              // the certificate to trust with https and proxy
}

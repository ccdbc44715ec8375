package control

import "marquee/simulators/dataset"

// Catalogue is everything that an external client needs to use a world.
type Catalogue struct {
	// World is the id of the world.
	World string `json:"world"`
	// Seed is the seed from which the world's data are generated.
	Seed uint64 `json:"seed"`
	// ChannelNo is the number of the shop's channel; the object shop has the same number as channel_no.
	ChannelNo string `json:"channel_no"`
	dataset.Credentials
	// CouponCodes are the codes of the coupons.
	CouponCodes []string `json:"coupon_codes"`
	// CardTypes maps the number of each card type (pid) to its name.
	CardTypes map[string]string `json:"card_types"`
	// Phones are phone numbers with a fixed outcome: a call with one of them always succeeds or fails in the same way.
	Phones []dataset.Magic `json:"phones"`
	// Amounts are amounts in fen with a fixed outcome.
	Amounts []dataset.Magic `json:"amounts"`
	// OpenIDs are the demo persons of the messaging app.
	OpenIDs []Identity `json:"openids"`
	// Addresses are the addresses of the providers.
	Addresses Addresses `json:"addresses"`
	// Environment contains the environment variables with which a shop uses these simulators.
	Environment map[string]string `json:"environment"`
}

// getCatalogue returns every value that a client needs: credentials, welfare cards, coupon codes, magic phones and
// amounts, openids and addresses of the world.
func getCatalogue(w World, _ InWorld) (Catalogue, error) { return w.Catalogue(), nil }

// Identity is a person of the messaging app.
type Identity struct {
	// OpenID is the person's id.
	OpenID string `json:"openid"`
	// Name is the person's name.
	Name string `json:"name"`
	// Note describes the person's special behavior.
	Note string `json:"note,omitempty"`
}

// Addresses lists where the providers, the control API, the console and the phone are served.
type Addresses struct {
	// Gateway is the address of the legacy gateway.
	Gateway string `json:"gateway"`
	// NewMovie is the address of the ticketing provider newmovie.
	NewMovie string `json:"newmovie"`
	// Control is the address of this API.
	Control string `json:"control"`
	// Console is the address of the console.
	Console string `json:"console"`
	// Phone is the address of the simulated phone.
	Phone string `json:"phone"`
	// Shop is the address of the shop; missing while unknown.
	Shop string `json:"shop,omitempty"`
	// CaptchaScript is the script of the captcha vendor, for a shop's page.
	CaptchaScript string `json:"captcha_script"`
	// HTTPS is the HTTPS address of everything that the port serves; missing if the simulators have none.
	HTTPS string `json:"https,omitempty"`
	// Proxy is for HTTPS_PROXY: it serves the vendors' hosts, and rejects others.
	Proxy string `json:"proxy"`
	// CA is the certificate to trust for https and proxy.
	CA string `json:"ca"`
}

package control

// SigningKeys is the kind of keys with which the payment provider signs answers and notifications: "certificates" or
// "public-key". Merchants opened since autumn 2024 have a public key. "moving" is the state of an older merchant that
// changes from certificates to the public key.
type SigningKeys string

// Values lists the kinds of keys.
func (SigningKeys) Values() []string { return []string{"certificates", "moving", "public-key"} }

// Merchant is a merchant's account at the payment provider, as its settings show it. The PEM texts are the files that
// merchants download there.
type Merchant struct {
	// SignsWith is the kind of keys that sign answers and notifications.
	SignsWith SigningKeys `json:"signs_with"`
	// MchID is the merchant's number.
	MchID string `json:"mchid"`
	// MchSerial is the serial number of apiclient_cert.pem.
	MchSerial string `json:"mch_serial"`
	// ClientCert is the merchant's certificate.
	ClientCert string `json:"apiclient_cert_pem"`
	// ClientKey is the merchant's private key, which signs calls.
	ClientKey string `json:"apiclient_key_pem"`
	// Certificates are the provider's, the newest last; empty for a merchant with the public key.
	Certificates []PlatformCertificate `json:"platform_certificates"`
	// PublicKeyID is the id of the public key.
	PublicKeyID string `json:"public_key_id"`
	// PublicKey is the provider's public key for the merchant.
	PublicKey string `json:"public_key_pem"`
}

// PlatformCertificate is a certificate of the payment provider.
type PlatformCertificate struct {
	// Serial is the serial number of the certificate.
	Serial string `json:"serial"`
	// PEM is the certificate.
	PEM string `json:"pem"`
}

// Merchants is the payment provider's side of the control API.
type Merchants interface {
	// Merchant returns the current numbers, keys and certificates of the merchant and of the provider.
	Merchant() Merchant
	// SignWith changes the keys that sign answers and notifications from now on, including answers and notifications
	// about trades that were created before.
	SignWith(keys SigningKeys)
}

// getMerchant returns the merchant's account at the payment provider, with the files that merchants download.
func getMerchant(w World, _ InWorld) (Merchant, error) {
	return ProviderThat[Merchants](w).Merchant(), nil
}

// MerchantChange is a change of a merchant's account.
type MerchantChange struct {
	// SignsWith is the kind of keys that sign from now on. With "moving", an answer is signed with the key in its
	// call's Wechatpay-Serial, and notifications alternately with the public key and a certificate. With "public-key",
	// the provider has no certificates.
	SignsWith SigningKeys `json:"signs_with" code:"bad_keys,missing"`
}

// ChangeMerchant is the input of changeMerchant.
type ChangeMerchant struct {
	InWorld
	Body MerchantChange
}

// changeMerchant changes the keys with which the payment provider signs answers and notifications from now on,
// including answers and notifications about trades that were created before.
func changeMerchant(w World, in ChangeMerchant) (Merchant, error) {
	ProviderThat[Merchants](w).SignWith(in.Body.SignsWith)
	return ProviderThat[Merchants](w).Merchant(), nil
}

// Purpose is what a code of a mini-program is for: "login" (from wx.login, for jscode2session) or "phone" (from the
// button getPhoneNumber, for getuserphonenumber).
type Purpose string

// The purposes.
const (
	ForLogin Purpose = "login"
	ForPhone Purpose = "phone"
)

// Values lists the purposes.
func (Purpose) Values() []string { return []string{string(ForLogin), string(ForPhone)} }

// NewCode is the request for a code.
type NewCode struct {
	// OpenID is the person on whose phone the mini-program runs.
	OpenID string `json:"openid" format:"openid"`
	// For is the purpose of the code.
	For Purpose `json:"for" code:"unknown_purpose"`
}

// CreateMiniProgramCode is the input of createMiniProgramCode.
type CreateMiniProgramCode struct {
	InWorld
	Body NewCode
}

// MiniProgramCode is what a mini-program gets from wx.login or from its button for a phone number: a code that its
// server exchanges once, within five minutes of business time, for the openid or for the phone number.
type MiniProgramCode struct {
	// Code is the text of the code.
	Code string `json:"code"`
}

// createMiniProgramCode returns a code like the one that a mini-program on a person's phone receives.
func createMiniProgramCode(w World, in CreateMiniProgramCode) (MiniProgramCode, error) {
	return MiniProgramCode{ProviderThat[MiniPrograms](w).MiniProgramCode(in.Body.OpenID, in.Body.For)}, nil
}

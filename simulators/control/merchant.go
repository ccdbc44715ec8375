package control

// Merchant is a merchant's account at the payment provider, as its settings show it. The PEM texts are the files that
// merchants download there.
type Merchant struct {
	// SignsWith is what the provider signs answers and notifies with: "certificates"; "public-key", which merchants
	// opened since autumn 2024 have; or "moving" from the first to the second.
	SignsWith    string                `json:"signs_with"`
	MchID        string                `json:"mchid"`
	MchSerial    string                `json:"mch_serial"`
	ClientCert   string                `json:"apiclient_cert_pem"`
	ClientKey    string                `json:"apiclient_key_pem"`
	Certificates []PlatformCertificate `json:"platform_certificates"` // the newest last; empty with "public-key"
	PublicKeyID  string                `json:"public_key_id"`
	PublicKey    string                `json:"public_key_pem"`
}

// PlatformCertificate is a certificate of the payment provider.
type PlatformCertificate struct {
	Serial string `json:"serial"`
	PEM    string `json:"pem"`
}

// Merchants is the payment provider's side of the control API.
type Merchants interface {
	// Merchant returns the numbers, keys and certificates of the merchant and of the provider as they are now.
	Merchant() Merchant
	// SignWith changes what answers and notifies are signed with from now on, those of open trades included.
	SignWith(keys string)
}

func showMerchant(w *World, _ *request) (any, error) { return w.Merchants.Merchant(), nil }

func changeMerchant(w *World, r *request) (any, error) {
	var q struct {
		SignsWith string `json:"signs_with"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	w.Merchants.SignWith(q.SignsWith)
	return w.Merchants.Merchant(), nil
}

// miniProgramCode answers a code that a server exchanges for a session or for a phone number.
func miniProgramCode(w *World, r *request) (any, error) {
	var q struct {
		OpenID string `json:"openid"`
		For    string `json:"for"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	code, err := w.MiniPrograms.MiniProgramCode(q.OpenID, q.For)
	return map[string]string{"code": code}, err
}

package wechat

import (
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"sync"
	"time"

	"marquee/simulators/control"
)

// Merchant returns the merchant's account with the files that merchants download: their own certificate and key, and
// the platform's certificates and public key.
func (s *Simulator) Merchant() control.Merchant {
	k := s.credentials
	m := control.Merchant{
		SignsWith: control.SigningKeys(s.platform.signsWith()), MchID: k.MchID, MchSerial: k.MchSerial,
		ClientCert: s.merchant.certificate(), ClientKey: k.MchPrivateKeyPEM,
		Certificates: []control.PlatformCertificate{}, PublicKeyID: k.PublicKeyID, PublicKey: k.PublicKeyPEM,
	}
	for _, c := range s.platform.published() {
		m.Certificates = append(m.Certificates, control.PlatformCertificate{Serial: c.signer.serial,
			PEM: string(c.pem())})
	}
	return m
}

// SignWith changes the keys with which the platform signs from now on: Certificates, Moving or PublicKey.
func (s *Simulator) SignWith(keys control.SigningKeys) { s.platform.mode.Store(string(keys)) }

// The validity of the merchant's certificate. It does not expire, because its key is part of the credentials.
var (
	clientCertificateFrom = time.Date(2020, 1, 1, 0, 0, 0, 0, shanghai)
	clientCertificateTo   = time.Date(2100, 1, 1, 0, 0, 0, 0, shanghai)
)

// issueClientCertificate returns the certificate of the merchant's key, with the serial that its calls send
// (apiclient_cert.pem), signed by the simulated authority.
func issueClientCertificate(mchID string, merchantKey *signer, authority *signer) func() string {
	return sync.OnceValue(func() string {
		serial, _ := new(big.Int).SetString(merchantKey.serial, 16)
		form := &x509.Certificate{
			SerialNumber: serial, NotBefore: clientCertificateFrom, NotAfter: clientCertificateTo,
			KeyUsage: x509.KeyUsageDigitalSignature,
			Subject: pkix.Name{Country: []string{"CN"}, Organization: []string{"微信商户系统"},
				OrganizationalUnit: []string{"SIMULATOR ONLY"}, CommonName: mchID},
		}
		issuer := &x509.Certificate{Subject: pkix.Name{Organization: []string{"SIMULATOR ONLY"},
			CommonName: "Simulated payment platform"}}
		der, err := x509.CreateCertificate(rand.Reader, form, issuer, &merchantKey.key().PublicKey, authority.key())
		if err != nil {
			panic(err) // cannot fail with a fixed template and valid keys
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	})
}

package wechat

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	_ "embed"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

var (
	//go:embed keys/next_key.pem
	nextKeyPEM string
	//go:embed keys/other_key.pem
	otherKeyPEM string // its certificate is never published
)

// authoritySerial is the serial of the certificate that the platform never publishes.
const authoritySerial = "6268A1AF0ED1A7EF26FCF92B58168B834302C9F2"

// signTest begins the signature of a message that is wrong on purpose ("signature probing" of the vendor's certificate
// documentation). A client has to reject the message and wait for the next.
const signTest = "WECHATPAY/SIGNTEST/"

// The kinds of keys with which the platform signs for a merchant. Merchants opened since autumn 2024 have the public
// key only; older ones move from certificates to it ("如何从平台证书切换成微信支付公钥" of the vendor's documentation).
const (
	Certificates = "certificates" // answers and notifications are signed with a certificate
	// answers are signed with the key in the call's Wechatpay-Serial, notifications alternately with both
	Moving    = "moving"
	PublicKey = "public-key" // answers and notifications are signed with the public key; there are no certificates
)

// platform is the payment platform's side of Pay APIv3: the keys with which answers and notifications are signed. It
// has certificates that expire and are replaced in business time, and a public key without a certificate.
type platform struct {
	now       func() time.Time // business time
	publicKey *signer          // its serial is the id of the public key
	other     *signer          // its certificate is never published
	mode      atomic.Value     // string: Certificates, Moving or PublicKey
	sent      atomic.Int64     // how many notifications were signed while the merchant moves

	mu           sync.Mutex
	certificates certificates
}

// newPlatform returns a platform with a first certificate. An invalid key panics at its first use.
func newPlatform(now func() time.Time, firstKeyPEM, publicKeyPairPEM, publicKeyID string) *platform {
	p := &platform{
		now:          now,
		publicKey:    sharedSigner(publicKeyPairPEM, publicKeyID),
		other:        sharedSigner(otherKeyPEM, authoritySerial),
		certificates: newCertificates(now(), [2]string{firstKeyPEM, nextKeyPEM}),
	}
	p.mode.Store(Certificates)
	return p
}

// signsWith returns the kind of keys that is in use.
func (p *platform) signsWith() string { return p.mode.Load().(string) }

// certificate returns the key of the certificate that is in use.
func (p *platform) certificate() *signer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.certificates.signing(p.now()).signer
}

// forAnswer returns the key that signs an answer. serial is the Wechatpay-Serial of the call. It matters only while the
// merchant moves from certificates to the public key.
func (p *platform) forAnswer(serial string) *signer {
	mode := p.signsWith()
	if mode == PublicKey || mode == Moving && serial == p.publicKey.serial {
		return p.publicKey
	}
	return p.certificate()
}

// knows reports whether a merchant can have a key of the platform under a serial: the public key, or a certificate that
// was published.
func (p *platform) knows(serial string) bool {
	if serial == p.publicKey.serial {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.certificates.follow(p.now())
	return slices.ContainsFunc(p.certificates.list, func(c *certificate) bool { return c.signer.serial == serial })
}

// forNotification returns the key that signs a notification. While the merchant moves, the platform signs a growing
// share of them with the public key; here it is every second one, beginning with the first.
func (p *platform) forNotification() *signer {
	switch p.signsWith() {
	case PublicKey:
		return p.publicKey
	case Moving:
		if p.sent.Add(1)%2 == 1 {
			return p.publicKey
		}
	}
	return p.certificate()
}

// rotate makes the platform sign with a new certificate from now on.
func (p *platform) rotate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.certificates.rotate(p.now())
}

// published lists the certificates that a merchant can download. A merchant with the public key only has none.
func (p *platform) published() []*certificate {
	if p.signsWith() == PublicKey {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.certificates.published(p.now())
}

// signer is a private key and the serial under which it signs.
type signer struct {
	serial string                          // of the certificate, in hexadecimal, or the id of the public key
	parsed func() (*rsa.PrivateKey, error) // made at the first use, since parsing takes about 0.3 ms
}

// signers caches one signer per serial and key, because every world uses the same keys and parsing one is slow.
var signers sync.Map

// sharedSigner returns the signer of a PKCS #8 RSA key in PEM.
func sharedSigner(keyPEM, serial string) *signer {
	k := &signer{serial: serial, parsed: sync.OnceValues(func() (*rsa.PrivateKey, error) { return parseKey(keyPEM) })}
	shared, _ := signers.LoadOrStore(serial+keyPEM, k)
	return shared.(*signer)
}

// key returns the private key. It panics if the key cannot be parsed: the keys are part of the program.
func (k *signer) key() *rsa.PrivateKey {
	key, err := k.parsed()
	if err != nil {
		panic(fmt.Sprintf("wechat: key of certificate %s: %v", k.serial, err))
	}
	return key
}

// parseKey parses a PKCS #8 RSA key in PEM.
func parseKey(keyPEM string) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode([]byte(keyPEM))
	if block == nil {
		return nil, errors.New("not a PEM text")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("parse PKCS #8: %w", err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("not an RSA key")
	}
	return key, nil
}

// sign returns the SHA256-RSA2048 signature of a text in base64.
func (k *signer) sign(message string) string {
	sum := sha256.Sum256([]byte(message))
	signature, err := rsa.SignPKCS1v15(nil, k.key(), crypto.SHA256, sum[:])
	if err != nil {
		panic(err) // only a key too small for SHA-256 fails
	}
	return base64.StdEncoding.EncodeToString(signature)
}

// signHeader sets the Wechatpay-* headers over a body ("如何验证签名" of the vendor's APIv3 documentation) and returns the
// text that is signed. at is real time.
func (k *signer) signHeader(h http.Header, body []byte, at time.Time) (over string) {
	timestamp, nonce := strconv.FormatInt(at.Unix(), 10), randomHex(16)
	h.Set("Wechatpay-Timestamp", timestamp)
	h.Set("Wechatpay-Nonce", nonce)
	h.Set("Wechatpay-Serial", k.serial)
	h.Set("Wechatpay-Signature-Type", scheme)
	over = timestamp + "\n" + nonce + "\n" + string(body) + "\n"
	h.Set("Wechatpay-Signature", k.sign(over))
	return over
}

// corruptSignature replaces the signature by a probe that every client has to reject.
func corruptSignature(h http.Header) {
	h.Set("Wechatpay-Signature", signTest+h.Get("Wechatpay-Signature"))
}

// verifyRSA checks a SHA256-RSA2048 signature.
func verifyRSA(key *rsa.PublicKey, message string, signature []byte) error {
	sum := sha256.Sum256([]byte(message))
	return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature)
}

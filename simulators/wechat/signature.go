package wechat

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// scheme is the one signature scheme of APIv3 with RSA keys.
const scheme = "WECHATPAY2-SHA256-RSA2048"

// signTest marks a signature that is wrong on purpose; a client has to refuse the message and wait.
const signTest = "WECHATPAY/SIGNTEST/"

//go:embed keys/other_key.pem
var otherKeyPEM string

// OtherKeyPEM is a key that belongs to nobody the simulator knows, for tests of what is refused.
func OtherKeyPEM() string { return otherKeyPEM }

// authorization is the parsed Authorization header of a merchant's call.
type authorization struct {
	MchID, Serial, Nonce string
	Timestamp            int64
	Signature            []byte
}

// parseAuthorization reads `WECHATPAY2-SHA256-RSA2048 mchid="…",nonce_str="…",timestamp="…",serial_no="…",signature="…"`
// with its parts in any order.
func parseAuthorization(header string) (authorization, error) {
	var a authorization
	name, rest, ok := strings.Cut(header, " ")
	if !ok || name != scheme {
		return a, fmt.Errorf("the scheme is not %s", scheme)
	}
	parts := map[string]string{}
	for part := range strings.SplitSeq(rest, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
			return a, fmt.Errorf(`%q is not key="value"`, part)
		}
		if _, twice := parts[key]; twice {
			return a, fmt.Errorf("%s stands twice", key)
		}
		parts[key] = value[1 : len(value)-1]
	}
	for _, key := range []string{"mchid", "nonce_str", "timestamp", "serial_no", "signature"} {
		if parts[key] == "" {
			return a, fmt.Errorf("%s is missing", key)
		}
	}
	a.MchID, a.Nonce, a.Serial = parts["mchid"], parts["nonce_str"], parts["serial_no"]
	if len(a.Nonce) > 64 {
		return a, errors.New("nonce_str is longer than 64")
	}
	var err error
	if a.Timestamp, err = strconv.ParseInt(parts["timestamp"], 10, 64); err != nil {
		return a, fmt.Errorf("timestamp %q is no number", parts["timestamp"])
	}
	if a.Signature, err = base64.StdEncoding.DecodeString(parts["signature"]); err != nil {
		return a, fmt.Errorf("signature is not base64: %w", err)
	}
	return a, nil
}

// requestMessage is the text that a merchant signs.
func requestMessage(method, pathAndQuery string, timestamp int64, nonce string, body []byte) string {
	return method + "\n" + pathAndQuery + "\n" + strconv.FormatInt(timestamp, 10) + "\n" + nonce + "\n" + string(body) + "\n"
}

func verifyRSA(key *rsa.PublicKey, message string, signature []byte) error {
	sum := sha256.Sum256([]byte(message))
	return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature)
}

// signer holds a private key and the serial number of its certificate.
type signer struct {
	key         *rsa.PrivateKey
	serial      string
	certificate func() []byte // in PEM
}

func newSigner(text, serial string) (*signer, error) {
	key, err := parseKey(text)
	if err != nil {
		return nil, err
	}
	k := &signer{key: key, serial: serial}
	k.certificate = sync.OnceValue(k.certify)
	return k, nil
}

// sharedSigner is the signer of a key that is part of the program: every world has the same, and making one takes a
// while.
func sharedSigner(text, serial string) (*signer, error) {
	if k, ok := signers.Load(serial + text); ok {
		return k.(*signer), nil //nolint:forcetypeassert // nothing else is stored
	}
	k, err := newSigner(text, serial)
	if err == nil {
		signers.Store(serial+text, k)
	}
	return k, err
}

var signers sync.Map

// decodeBase64 reads the standard alphabet with padding.
func decodeBase64(text string) ([]byte, error) { return base64.StdEncoding.DecodeString(text) }

func parseKey(text string) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode([]byte(text))
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

// sign is SHA256-RSA2048 in base64.
func (k *signer) sign(message string) string {
	sum := sha256.Sum256([]byte(message))
	signature, err := rsa.SignPKCS1v15(nil, k.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err) // only a key too small for SHA-256 can do that
	}
	return base64.StdEncoding.EncodeToString(signature)
}

// signHeader sets the Wechatpay-* headers over a body. at is real time.
func (k *signer) signHeader(h http.Header, body []byte, at time.Time) {
	timestamp, nonce := strconv.FormatInt(at.Unix(), 10), randomHex(16)
	h.Set("Wechatpay-Timestamp", timestamp)
	h.Set("Wechatpay-Nonce", nonce)
	h.Set("Wechatpay-Serial", k.serial)
	h.Set("Wechatpay-Signature-Type", scheme)
	h.Set("Wechatpay-Signature", k.sign(timestamp+"\n"+nonce+"\n"+string(body)+"\n"))
}

// spoil replaces the signature by the kind that clients are tested with.
func spoil(h http.Header) {
	h.Set("Wechatpay-Signature", signTest+h.Get("Wechatpay-Signature"))
}

// sealed is a text under AEAD_AES_256_GCM as APIv3 writes it.
type sealed struct {
	Algorithm      string `json:"algorithm"`
	Ciphertext     string `json:"ciphertext"`
	AssociatedData string `json:"associated_data"`
	OriginalType   string `json:"original_type,omitempty"`
	Nonce          string `json:"nonce"`
}

// seal encrypts with the merchant's 32-byte APIv3 key.
func seal(key, associated string, plain []byte) sealed {
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		panic(err) // only a key of the wrong length can do that
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	nonce := randomHex(6)
	return sealed{
		Algorithm: "AEAD_AES_256_GCM", AssociatedData: associated, Nonce: nonce,
		Ciphertext: base64.StdEncoding.EncodeToString(gcm.Seal(nil, []byte(nonce), plain, []byte(associated))),
	}
}

// randomHex is 2n random hexadecimal digits, for nonces and for ids that must differ from those of an earlier run.
func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

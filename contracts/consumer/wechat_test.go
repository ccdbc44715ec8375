//go:build pact

package consumer_test

import (
	"bytes"
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/pact-foundation/pact-go/v2/matchers"
	"github.com/stretchr/testify/require"

	"marquee/server/providers/transport"
	"marquee/server/providers/wechat"
	"marquee/simulators/dataset"
)

const (
	weChatName = "wechat"
	apiv3Key   = "0123456789abcdef0123456789abcdef"
	rfc3339    = `\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+08:00`
)

// platform has the vendor's key. It signs the mock's answers on their way to the client, which checks the signatures as
// in production. Certificate and ciphertext are deterministic, so that the pact file does not change.
type platform struct {
	t   *testing.T
	key *rsa.PrivateKey
}

const platformSerial = "1234ABCD"

func newPlatform(t *testing.T) platform {
	t.Helper()
	block, _ := pem.Decode([]byte(dataset.PlatformKeyPEM()))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	require.NoError(t, err)
	return platform{t, key.(*rsa.PrivateKey)}
}

// certificate returns the platform's certificate, encrypted as in an answer of /v3/certificates.
func (p platform) certificate() string {
	serial, _ := new(big.Int).SetString(platformSerial, 16)
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Platform"},
		NotBefore: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &p.key.PublicKey, p.key)
	require.NoError(p.t, err)
	block, err := aes.NewCipher([]byte(apiv3Key))
	require.NoError(p.t, err)
	gcm, err := cipher.NewGCM(block)
	require.NoError(p.t, err)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return base64.StdEncoding.EncodeToString(gcm.Seal(nil, []byte("123456789012"), text, []byte("certificate")))
}

// RoundTrip passes a request to the mock and signs its answer.
func (p platform) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	at := fmt.Sprint(time.Now().Unix())
	sum := sha256.Sum256([]byte(at + "\nnonce\n" + string(body) + "\n"))
	sig, err := rsa.SignPKCS1v15(nil, p.key, crypto.SHA256, sum[:])
	if err != nil {
		return nil, err
	}
	for k, v := range map[string]string{
		"Wechatpay-Timestamp": at, "Wechatpay-Nonce": "nonce", "Wechatpay-Serial": platformSerial,
		"Wechatpay-Signature": base64.StdEncoding.EncodeToString(sig),
	} {
		resp.Header.Set(k, v)
	}
	return resp, nil
}

// pay returns the shop's client for a mock.
func (p platform) pay(base string) *wechat.Pay {
	keys := dataset.NewCredentials(1).WeChat
	c, err := wechat.NewPay(wechat.PayConfig{
		AppID: "wx1", MchID: "1900000001", MchSerial: "5157F09E", MchPrivateKeyPEM: keys.MchPrivateKeyPEM,
		APIv3Key:        apiv3Key,
		NotifyURL:       "https://shop.example/notify/wechat/pay",
		RefundNotifyURL: "https://shop.example/notify/wechat/refund",
		SimulatorURL:    base, HTTPClient: &http.Client{Transport: p}, Operations: transport.Operations{Limit: time.Minute},
	})
	require.NoError(p.t, err)
	p.t.Cleanup(c.Stop)
	return c
}

// merchant matches the format of the request's signature, because verification signs each request again.
func merchant() map[string]matchers.Matcher {
	return map[string]matchers.Matcher{"Authorization": text(
		`WECHATPAY2-SHA256-RSA2048 mchid="1900000001",nonce_str="n",timestamp="1",serial_no="S",signature="c2ln"`,
		// Pact takes a header apart at its commas and matches each part.
		`(WECHATPAY2-SHA256-RSA2048 mchid="\d+"|nonce_str="[^"]+"|timestamp="\d+"|serial_no="[0-9A-F]+"|signature="[A-Za-z0-9+/=]+")`,
	)}
}

// vouched matches the signature headers of every successful answer.
func vouched() map[string]matchers.Matcher {
	return map[string]matchers.Matcher{
		"Wechatpay-Timestamp": text("1795141800", `\d{10}`), "Wechatpay-Nonce": text("nonce", `.+`),
		"Wechatpay-Serial":    text(platformSerial, `[0-9A-F]+`),
		"Wechatpay-Signature": text("c2ln", `[A-Za-z0-9+/]+=*`),
	}
}

// certificates is the exchange that precedes every other.
func (p platform) certificates() exchange {
	return exchange{
		state: "known credentials", what: "the platform's certificates", method: "GET", path: "/v3/certificates",
		headers: merchant(), answerHeaders: vouched(),
		answer: fields{"data": some(fields{
			"serial_no":      text(platformSerial, `[0-9A-F]+`),
			"effective_time": text("2020-01-01T08:00:00+08:00", rfc3339),
			"expire_time":    text("2120-01-01T08:00:00+08:00", rfc3339),
			"encrypt_certificate": fields{
				"algorithm": "AEAD_AES_256_GCM", "nonce": text("123456789012", `.{12}`),
				"associated_data": like("certificate"), "ciphertext": like(p.certificate()),
			},
		})},
	}
}

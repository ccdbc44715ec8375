package wechat_test

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
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/providers/transport"
	"marquee/server/providers/wechat"
)

const (
	apiv3Key   = "0123456789abcdef0123456789abcdef"
	backupHost = "api2.wechatpay.cn"
)

// platform is a key of the vendor with its certificate. Tests of a rotation use two.
type platform struct {
	key    *rsa.PrivateKey
	serial string
	cert   string // PEM
}

func newPlatform(serial int64) platform {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "Platform"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	return platform{key, fmt.Sprintf("%X", serial), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE",
		Bytes: der}))}
}

// All tests share these keys, because generating a key is slow.
var (
	first       = sync.OnceValue(func() platform { return newPlatform(0x1111) })
	second      = sync.OnceValue(func() platform { return newPlatform(0x2222) })
	merchantPEM = sync.OnceValue(func() string {
		key, err := rsa.GenerateKey(rand.Reader, 2048)
		if err != nil {
			panic(err)
		}
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			panic(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	})
)

func (p platform) sign(timestamp, nonce, body string) string {
	sum := sha256.Sum256([]byte(timestamp + "\n" + nonce + "\n" + body + "\n"))
	sig, err := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(sig)
}

// signHeaders adds the headers of a signature of the given age.
func (p platform) signHeaders(h http.Header, body string, ago time.Duration) {
	timestamp := strconv.FormatInt(time.Now().Add(-ago).Unix(), 10)
	h.Set("Wechatpay-Timestamp", timestamp)
	h.Set("Wechatpay-Nonce", "nonce")
	h.Set("Wechatpay-Serial", p.serial)
	h.Set("Wechatpay-Signature", p.sign(timestamp, "nonce", body))
}

// encrypted returns an encrypted resource of the vendor.
func encrypted(key, associated, plain string) map[string]string {
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		panic(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	const nonce = "123456789012"
	return map[string]string{
		"algorithm": "AEAD_AES_256_GCM", "nonce": nonce, "associated_data": associated,
		"ciphertext": base64.StdEncoding.EncodeToString(gcm.Seal(nil, []byte(nonce), []byte(plain),
			[]byte(associated))),
	}
}

// vendor is a server that answers each route with a handler of the test, signs the answers and serves its
// certificates.
type vendor struct {
	t            *testing.T
	server       *httptest.Server
	mu           sync.Mutex
	routes       map[string]http.HandlerFunc
	bodies       []string
	routesCalled []string
	accepted     []string // the values of Wechatpay-Serial in the calls of the pay API
	certificates []platform
	signer       platform
	downloads    atomic.Int32
}

func newVendor(t *testing.T) *vendor {
	t.Helper()
	v := &vendor{t: t, routes: map[string]http.HandlerFunc{}, certificates: []platform{first()}, signer: first()}
	v.server = httptest.NewServer(v)
	t.Cleanup(v.server.Close)
	return v
}

// on sets the handler of a route, "METHOD host/path".
func (v *vendor) on(route string, h http.HandlerFunc) *vendor {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.routes[route] = h
	return v
}

// called returns how often a route was called.
func (v *vendor) called(route string) (times int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.routesCalled {
		if r == route {
			times++
		}
	}
	return times
}

// serials returns the keys with which the vendor was asked to sign, each once.
func (v *vendor) serials() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Compact(slices.Clone(v.accepted))
}

// rotate makes the vendor sign with p and serve the given certificates.
func (v *vendor) rotate(p platform, certificates ...platform) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.signer, v.certificates = p, certificates
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	assert.NoError(v.t, err)
	r.Body = io.NopCloser(bytes.NewReader(body))
	v.mu.Lock()
	h, signer := v.routes[r.Method+" "+r.Host+r.URL.Path], v.signer
	v.bodies = append(v.bodies, string(body))
	v.routesCalled = append(v.routesCalled, r.Method+" "+r.Host+r.URL.Path)
	v.accepted = append(v.accepted, r.Header.Get("Wechatpay-Serial"))
	v.mu.Unlock()
	if h == nil && r.Host == backupHost { // down unless a test sets a handler
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if h == nil && r.URL.Path == "/v3/certificates" {
		h = v.serveCertificates
	}
	if h == nil {
		h = answers(http.StatusNotFound, `{"code":"ORDER_NOT_EXIST","message":"不存在"}`)
	}
	if r.Host != host && r.Host != backupHost {
		h(w, r)
		return
	}
	assert.Regexp(v.t, `^WECHATPAY2-SHA256-RSA2048 mchid="1900000001",.*serial_no="SERIAL"`,
		r.Header.Get("Authorization"))
	rec := httptest.NewRecorder()
	h(&sealed{ResponseWriter: w, rec: rec}, r)
	if rec.Code == 299 { // the handler has taken over the connection
		return
	}
	for k, vs := range rec.Header() {
		w.Header()[k] = vs
	}
	if w.Header().Get("Wechatpay-Signature") == "" {
		signer.signHeaders(w.Header(), rec.Body.String(), 0)
	}
	w.WriteHeader(rec.Code)
	_, _ = w.Write(rec.Body.Bytes())
}

// sealed records an answer so that it can be signed. A handler that unwraps it takes over the connection.
type sealed struct {
	http.ResponseWriter
	rec *httptest.ResponseRecorder
}

func (s *sealed) Header() http.Header         { return s.rec.Header() }
func (s *sealed) Write(p []byte) (int, error) { return s.rec.Write(p) }
func (s *sealed) WriteHeader(code int)        { s.rec.WriteHeader(code) }
func (s *sealed) Unwrap() http.ResponseWriter { s.rec.Code = 299; return s.ResponseWriter }

func (v *vendor) serveCertificates(w http.ResponseWriter, _ *http.Request) {
	v.downloads.Add(1)
	v.mu.Lock()
	defer v.mu.Unlock()
	var list []map[string]any
	for _, p := range v.certificates {
		list = append(list, map[string]any{
			"serial_no": p.serial, "effective_time": time.Now().Add(-time.Hour).Format(time.RFC3339),
			"expire_time":         time.Now().Add(time.Hour).Format(time.RFC3339),
			"encrypt_certificate": encrypted(apiv3Key, "certificate", p.cert),
		})
	}
	assert.NoError(v.t, json.NewEncoder(w).Encode(map[string]any{"data": list}))
}

func (v *vendor) pay() *wechat.Pay {
	v.t.Helper()
	return payAt(v.t, v.server.URL, nil)
}

func payAt(t *testing.T, address string, change func(*wechat.PayConfig)) *wechat.Pay {
	t.Helper()
	cfg := wechat.PayConfig{
		AppID: "wx1", MchID: "1900000001", MchSerial: "SERIAL", MchPrivateKeyPEM: merchantPEM(), APIv3Key: apiv3Key,
		NotifyURL:       "https://shop.example/notify/wechat/pay",
		RefundNotifyURL: "https://shop.example/notify/wechat/refund",
		SimulatorURL:    address, Operations: transport.Operations{Limit: 5 * time.Second},
	}
	if change != nil {
		change(&cfg)
	}
	p, err := wechat.NewPay(cfg)
	require.NoError(t, err)
	t.Cleanup(p.Stop)
	return p
}

func answers(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

package wechat

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
)

// scheme is the signature scheme of APIv3 with RSA keys.
const scheme = "WECHATPAY2-SHA256-RSA2048"

// timeWindow is how far a call's timestamp may be from real time.
const timeWindow = 5 * time.Minute

// pathPrefix is where APIv3 is served on any host, for clients that can only configure a base URL.
const pathPrefix = "/wechatpay"

// merchant verifies the merchant's signatures: calls of Pay APIv3, and the parameters of a pay sheet.
type merchant struct {
	credentials dataset.WeChatCredentials
	signer      *signer
	certificate func() string // apiclient_cert.pem; made at the first use

	mu     sync.Mutex
	nonces map[string]time.Time // real time at which each request nonce was seen
}

// newMerchant returns the merchant that has these credentials.
func newMerchant(credentials dataset.WeChatCredentials) *merchant {
	key := sharedSigner(credentials.MchPrivateKeyPEM, credentials.MchSerial)
	return &merchant{
		credentials: credentials, signer: key, nonces: map[string]time.Time{},
		certificate: issueClientCertificate(credentials.MchID, key, sharedSigner(otherKeyPEM, authoritySerial)),
	}
}

// key is the public half of the merchant's key.
func (m *merchant) key() *rsa.PublicKey { return &m.signer.key().PublicKey }

// verifyCall checks the caller's Authorization header against the call: merchant, certificate, real time, signature,
// and that the nonce is new.
func (m *merchant) verifyCall(r *http.Request, body []byte, now time.Time) *journal.Rejection {
	auth, err := parseAuthorization(r.Header.Get("Authorization"))
	if err != nil {
		return signError("Http头Authorization值格式错误，请参考《微信支付商户REST API签名规则》", err.Error())
	}
	if auth.MchID != m.credentials.MchID {
		return &journal.Rejection{Status: http.StatusNotFound, Code: "MCH_NOT_EXISTS", Message: "商户号不存在",
			Reason: "mchid " + auth.MchID + " is not " + m.credentials.MchID}
	}
	if auth.Serial != m.credentials.MchSerial {
		return signError("商户证书序列号有误。请使用签名私钥匹配的证书序列号",
			"serial_no "+auth.Serial+" is not "+m.credentials.MchSerial)
	}
	if age := now.Sub(time.Unix(auth.Timestamp, 0)); age.Abs() > timeWindow {
		return signError("Http头Authorization中的timestamp与发起请求的时间不得超过5分钟",
			fmt.Sprintf("the timestamp is %s off", age.Round(time.Second)))
	}
	message := requestMessage(r.Method, r.RequestURI, auth.Timestamp, auth.Nonce, body)
	if verifyRSA(m.key(), message, auth.Signature) != nil {
		// A client whose base URL ends in the prefix may sign the path with or without it.
		short := requestMessage(r.Method, strings.TrimPrefix(r.RequestURI, pathPrefix), auth.Timestamp, auth.Nonce,
			body)
		if short == message || verifyRSA(m.key(), short, auth.Signature) != nil {
			rejection := signError("错误的签名，验签失败", wrongSignature(message, auth.Signature))
			rejection.Detail = signDetail(r, message)
			rejection.Signature = &journal.Mismatch{Over: message, Got: base64.StdEncoding.EncodeToString(auth.Signature)}
			return rejection
		}
	}
	if !m.rememberNonce(auth.Nonce, now) {
		return signError("Http头Authorization中的nonce_str重复", "nonce_str "+auth.Nonce+" was used before")
	}
	return nil
}

// signError is the rejection of a call whose Authorization header is wrong, with HTTP status 401.
func signError(message, reason string) *journal.Rejection {
	return &journal.Rejection{Status: http.StatusUnauthorized, Code: "SIGN_ERROR", Message: message, Reason: reason}
}

// signDetail returns the text that the verifier built, as the vendor does. The text does not include the body.
func signDetail(r *http.Request, message string) any {
	shown := message
	if lines := strings.SplitAfter(message, "\n"); lines[4] != "\n" {
		shown = strings.Join(lines[:4], "")
	}
	return map[string]any{
		"field": "signature", "location": "authorization", "detail": map[string]string{"issue": "sign not match"},
		"sign_information": map[string]any{
			"method": r.Method, "url": r.RequestURI, "sign_message_length": len(message),
			"truncated_sign_message": shown,
		},
	}
}

// wrongSignature explains a signature that does not verify. It shows the text that the caller should have signed, with
// its SHA-256 to compare with the caller's own text, and the signature that came. An RSA signature does not reveal the
// text that was signed.
func wrongSignature(message string, signature []byte) string {
	sum := sha256.Sum256([]byte(message))
	return fmt.Sprintf("expected a signature over (sha256 %s)\n%s\n"+
		"came %s, which does not verify with the merchant's key",
		hex.EncodeToString(sum[:]), message, base64.StdEncoding.EncodeToString(signature))
}

// rememberNonce stores a nonce while its timestamp can be valid. It returns false if the nonce is already stored.
func (m *merchant) rememberNonce(nonce string, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seen, used := m.nonces[nonce]; used && now.Sub(seen) <= 2*timeWindow {
		return false
	}
	if len(m.nonces)%4096 == 4095 {
		maps.DeleteFunc(m.nonces, func(_ string, at time.Time) bool { return now.Sub(at) > 2*timeWindow })
	}
	m.nonces[nonce] = now.In(shanghai)
	return true
}

// payParams are the parameters of getBrandWCPayRequest ("JSAPI调起支付"), as the page passes them to the bridge.
type payParams struct {
	AppID     string `json:"appId"`
	TimeStamp string `json:"timeStamp"`
	NonceStr  string `json:"nonceStr"`
	Package   string `json:"package"` // prepay_id=…
	SignType  string `json:"signType"`
	PaySign   string `json:"paySign"`
}

// prepayID is the prepay_id in Package.
func (p payParams) prepayID() string { return strings.TrimPrefix(p.Package, "prepay_id=") }

// verifyPaySheet returns the text that the phone shows instead of a pay sheet, and the reason for the journal; both are
// "" when the parameters are signed by the merchant.
func (m *merchant) verifyPaySheet(p payParams) (rejection, reason string) {
	message := p.AppID + "\n" + p.TimeStamp + "\n" + p.NonceStr + "\n" + p.Package + "\n"
	signature, err := base64.StdEncoding.DecodeString(p.PaySign)
	switch {
	case p.AppID != m.credentials.AppID:
		return "商家参数格式有误，请联系商家解决", "appId " + p.AppID + " is not " + m.credentials.AppID
	case p.TimeStamp == "" || p.NonceStr == "" || !strings.HasPrefix(p.Package, "prepay_id="):
		return "支付验证签名失败", "timeStamp, nonceStr and package=prepay_id=… are required"
	case p.SignType != "RSA":
		return "支付验证签名失败", "signType " + p.SignType + " is not RSA"
	case err != nil || verifyRSA(m.key(), message, signature) != nil:
		return "支付验证签名失败", wrongSignature(message, signature)
	}
	return "", ""
}

// authorization is the parsed Authorization header of a merchant's call.
type authorization struct {
	MchID, Serial, Nonce string
	Timestamp            int64
	Signature            []byte
}

// parseAuthorization reads `WECHATPAY2-SHA256-RSA2048
// mchid="…",nonce_str="…",timestamp="…",serial_no="…",signature="…"` with its parts in any order.
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
			return a, fmt.Errorf("%s appears twice", key)
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
		return a, fmt.Errorf("timestamp %q is not a number", parts["timestamp"])
	}
	if a.Signature, err = base64.StdEncoding.DecodeString(parts["signature"]); err != nil {
		return a, fmt.Errorf("signature is not base64: %w", err)
	}
	return a, nil
}

// requestMessage is the text that a merchant signs for a call: five lines, each with a line feed ("如何构造接口请求签名" of
// the vendor's APIv3 documentation).
func requestMessage(method, pathAndQuery string, timestamp int64, nonce string, body []byte) string {
	return method + "\n" + pathAndQuery + "\n" + strconv.FormatInt(timestamp,
		10) + "\n" + nonce + "\n" + string(body) + "\n"
}

// Authorize signs a call of Pay APIv3 as a merchant does. The error is a private key that cannot be parsed.
func Authorize(r *http.Request, keys dataset.WeChatCredentials, body []byte, now time.Time) error {
	merchant := sharedSigner(keys.MchPrivateKeyPEM, keys.MchSerial)
	if _, err := merchant.parsed(); err != nil {
		return fmt.Errorf("the merchant's private key: %w", err)
	}
	nonce := randomHex(16)
	signature := merchant.sign(requestMessage(r.Method, r.URL.RequestURI(), now.Unix(), nonce, body))
	r.Header.Set("Authorization", fmt.Sprintf(
		`%s mchid="%s",nonce_str="%s",timestamp="%d",serial_no="%s",signature="%s"`,
		scheme, keys.MchID, nonce, now.Unix(), keys.MchSerial, signature))
	return nil
}

// sealed is a text encrypted with AEAD_AES_256_GCM in the form of APIv3.
type sealed struct {
	Algorithm      string `json:"algorithm"`
	Ciphertext     string `json:"ciphertext"`
	AssociatedData string `json:"associated_data"`
	OriginalType   string `json:"original_type,omitempty"`
	Nonce          string `json:"nonce"`
}

// seal encrypts a text for the merchant with its 32-byte APIv3 key ("如何解密证书和回调报文"). It panics if the key has another
// length.
func seal(apiV3Key, associated string, plain []byte) sealed {
	block, err := aes.NewCipher([]byte(apiV3Key))
	if err != nil {
		panic(err) // only a key of the wrong length fails
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

package wechat

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
)

// timeWindow is how far a call's timestamp may be from real time.
const timeWindow = 5 * time.Minute

// pathPrefix is where clients that only take a base URL find APIv3 on any host.
const pathPrefix = "/wechatpay"

// verify checks who calls: the signature over method, path, query and body, its real time, and that its nonce is
// new. why is for the journal.
func (s *Simulator) verify(r *http.Request, body []byte, now time.Time) (refusal *apiError, why string) {
	auth, err := parseAuthorization(r.Header.Get("Authorization"))
	if err != nil {
		return signError("Http头Authorization值格式错误，请参考《微信支付商户REST API签名规则》", nil), err.Error()
	}
	if auth.MchID != s.Credentials.MchID {
		return &apiError{status: http.StatusBadRequest, Code: "MCH_NOT_EXISTS", Message: "商户号不存在"}, "mchid " + auth.MchID + " is not " + s.Credentials.MchID
	}
	if auth.Serial != s.Credentials.MchSerial {
		return signError("商户证书序列号有误。请使用签名私钥匹配的证书序列号", nil), "serial_no " + auth.Serial + " is not " + s.Credentials.MchSerial
	}
	if age := now.Sub(time.Unix(auth.Timestamp, 0)); age > timeWindow || age < -timeWindow {
		return signError("Http头Authorization中的timestamp与发起请求的时间不得超过5分钟", nil), fmt.Sprintf("the timestamp is %s off", age.Round(time.Second))
	}
	message := requestMessage(r.Method, r.RequestURI, auth.Timestamp, auth.Nonce, body)
	if verifyRSA(s.merchant, message, auth.Signature) != nil {
		// A client whose base URL ends in the prefix may sign the path with or without it.
		short := requestMessage(r.Method, strings.TrimPrefix(r.RequestURI, pathPrefix), auth.Timestamp, auth.Nonce, body)
		if short == message || verifyRSA(s.merchant, short, auth.Signature) != nil {
			journal.From(r.Context()).Signature = &journal.Mismatch{Over: message, Got: base64.StdEncoding.EncodeToString(auth.Signature)}
			return signError("错误的签名，验签失败", signDetail(r, message)), wrongSignature(message, auth.Signature)
		}
	}
	if !s.nonceIsNew(auth.Nonce, now) {
		return signError("Http头Authorization中的nonce_str重复", nil), "nonce_str " + auth.Nonce + " was used before"
	}
	return nil, ""
}

func signError(message string, detail any) *apiError {
	return &apiError{status: http.StatusUnauthorized, Code: "SIGN_ERROR", Message: message, Detail: detail}
}

// signDetail tells the caller what the vendor's verifier had before it, as the vendor does.
func signDetail(r *http.Request, message string) any {
	shown := message
	if lines := strings.SplitAfter(message, "\n"); lines[4] != "\n" { // the body is cut off
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

// wrongSignature shows the text that should have been signed. What was signed instead cannot be read out of an RSA
// signature, but its digest tells two attempts apart.
func wrongSignature(message string, signature []byte) string {
	sum := sha256.Sum256([]byte(message))
	return fmt.Sprintf("expected a signature over (sha256 %s)\n%s\ncame %s, which does not verify with the merchant's key",
		hex.EncodeToString(sum[:]), message, base64.StdEncoding.EncodeToString(signature))
}

// nonceIsNew remembers a nonce for as long as its timestamp can be valid.
func (s *Simulator) nonceIsNew(nonce string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seen, used := s.nonces[nonce]; used && now.Sub(seen) <= 2*timeWindow {
		return false
	}
	if len(s.nonces)%4096 == 4095 {
		for n, at := range s.nonces {
			if now.Sub(at) > 2*timeWindow {
				delete(s.nonces, n)
			}
		}
	}
	s.nonces[nonce] = now
	return true
}

// Authorize signs a call of Pay APIv3 as a merchant does. The error is a private key that is none.
func Authorize(r *http.Request, keys dataset.WeChatCredentials, body []byte, now time.Time) error {
	merchant, err := sharedSigner(keys.MchPrivateKeyPEM, keys.MchSerial)
	if err != nil {
		return fmt.Errorf("the merchant's private key: %w", err)
	}
	nonce := randomHex(16)
	signature := merchant.sign(requestMessage(r.Method, r.URL.RequestURI(), now.Unix(), nonce, body))
	r.Header.Set("Authorization", scheme+` mchid="`+keys.MchID+`",nonce_str="`+nonce+`",timestamp="`+strconv.FormatInt(now.Unix(), 10)+
		`",serial_no="`+keys.MchSerial+`",signature="`+signature+`"`)
	return nil
}

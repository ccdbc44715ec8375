// Package tc3 contains what all APIs of Tencent Cloud have in common: the signature TC3-HMAC-SHA256 ("API 3.0 signature
// v3" of the vendor's documentation), the v1 signatures HmacSHA1 and HmacSHA256, and the parameters of a call, which
// are in its query, its form or its JSON. Parts and Nonces also serve other vendors' signatures.
package tc3

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/ownname"
)

// Algorithm is the scheme of the Authorization header.
const Algorithm = "TC3-HMAC-SHA256"

const (
	window   = 5 * time.Minute // how far X-TC-Timestamp may be from real time
	unsigned = "UNSIGNED-PAYLOAD"
)

// Key is an API key, and the service in the scope of its signatures.
type Key struct {
	SecretID, SecretKey, Service string
	Nonces                       *Nonces // of calls under a v1 signature; nil: calls may be repeated
}

// checkID rejects an id that is not the key's.
func (k Key) checkID(id string) *journal.Rejection {
	if id == k.SecretID {
		return nil
	}
	const message = "The SecretId is not found, please ensure that your SecretId is correct."
	return &journal.Rejection{Code: "AuthFailure.SecretIdNotFound", Message: message,
		Reason: "secret id " + id + " is not " + k.SecretID}
}

// MissingParameter returns the error of a call without a required parameter.
func MissingParameter(name string) *journal.Rejection {
	return journal.NewRejection("MissingParameter", "The request is missing a required parameter `"+name+"`.")
}

// checkTime rejects a timestamp that is further from real time than the window.
func checkTime(name string, at int64, now time.Time) *journal.Rejection {
	age := now.Sub(time.Unix(at, 0))
	if age.Abs() <= window {
		return nil
	}
	const message = "Signature expired. " +
		"The timestamp and the server's time must not differ by more than five minutes."
	return &journal.Rejection{
		Code: "AuthFailure.SignatureExpire", Message: message,
		Reason: fmt.Sprintf("%s is %s off", name, age.Round(time.Second)),
	}
}

// signatureFailure returns the error of a wrong signature.
func signatureFailure(detail string) *journal.Rejection {
	const message = "The provided credentials could not be validated. Please check your signature is correct."
	return &journal.Rejection{Code: "AuthFailure.SignatureFailure", Message: message, Reason: detail}
}

// Verify checks the signature of a call, its scope, and that its timestamp is near real time. It records a wrong
// signature in the call's journal note. A TC3-HMAC-SHA256 signature has no nonce, so the same call can be repeated.
func Verify(r *http.Request, key Key, now time.Time) *journal.Rejection {
	if r.Method != http.MethodPost && r.Method != http.MethodGet {
		return &journal.Rejection{
			Code:    "UnsupportedProtocol",
			Message: "HTTP(S) request protocol error; only GET and POST requests are supported.",
		}
	}
	if call := CallOf(r); call.V1 != nil {
		return verifyV1(r, call, key, now)
	}
	auth, err := Parse(r.Header.Get("Authorization"))
	if err != nil {
		const message = "The Authorization in the request header does not conform to the standard."
		return &journal.Rejection{Code: "AuthFailure.InvalidAuthorization", Message: message, Reason: err.Error()}
	}
	if r.Method == http.MethodGet && !isForm(r) {
		return &journal.Rejection{
			Code:    "UnsupportedProtocol",
			Message: "HTTP(S) request protocol error; the Content-Type of a GET request is " + formType + ".",
		}
	}
	timestamp := r.Header.Get("X-TC-Timestamp")
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		rejected := MissingParameter("Timestamp")
		rejected.Reason = "X-TC-Timestamp is " + strconv.Quote(timestamp)
		return rejected
	}
	if rejected := checkTime("X-TC-Timestamp", at, now); rejected != nil {
		return rejected
	}
	if rejected := key.checkID(auth.SecretID); rejected != nil {
		return rejected
	}
	failed := signatureFailure
	date, host := time.Unix(at, 0).UTC().Format(time.DateOnly), ownname.WithoutPort(r.Host)
	firstLabel, _, _ := strings.Cut(host, ".")
	if auth.Date != date || auth.Service != key.Service && auth.Service != firstLabel {
		return failed("the scope is " + auth.Scope() + ", expected " + date + "/" + key.Service + "/tc3_request")
	}
	payload := Digest(journal.From(r.Context()).Body)
	if r.Header.Get("X-TC-Content-SHA256") == unsigned {
		payload = Digest([]byte(unsigned))
	}
	canonical := Canonical(r, r.Host, auth.SignedHeaders, payload)
	want := Sign(key.SecretKey, timestamp, auth, canonical)
	// The vendor's SDK for Node signs the name of the endpoint without the port that its client sends.
	withoutPort := Sign(key.SecretKey, timestamp, auth, Canonical(r, host, auth.SignedHeaders, payload))
	if !equal(want, auth.Signature) && !equal(withoutPort, auth.Signature) {
		journal.From(r.Context()).Signature = &journal.Mismatch{Over: canonical, Expected: want, Got: auth.Signature}
		return failed("expected " + want + ", came " + auth.Signature + "; the canonical request is\n" + canonical)
	}
	return nil
}

// equal compares two signatures in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// Authorization is a parsed Authorization header.
type Authorization struct {
	SecretID, Date, Service string
	SignedHeaders           []string
	Signature               string // lower-case hexadecimal
}

// Scope returns the day and the service for which a signature is valid, such as "2030-06-01/sms/tc3_request".
func (a Authorization) Scope() string { return a.Date + "/" + a.Service + "/tc3_request" }

// Parse reads "TC3-HMAC-SHA256 Credential=id/date/service/tc3_request, SignedHeaders=a;b, Signature=…".
func Parse(header string) (Authorization, error) {
	var a Authorization
	credential, signed, signature, err := Parts(header, Algorithm)
	if err != nil {
		return a, err
	}
	scope := strings.Split(credential, "/")
	if len(scope) != 4 || scope[0] == "" || scope[3] != "tc3_request" {
		return a, errors.New("the credential is not id/date/service/tc3_request")
	}
	for _, name := range []string{"content-type", "host"} {
		if !slices.Contains(signed, name) {
			return a, fmt.Errorf("%s is not among the signed headers", name)
		}
	}
	if !slices.IsSorted(signed) {
		return a, errors.New("the signed headers are not in order")
	}
	return Authorization{scope[0], scope[1], scope[2], signed, signature}, nil
}

// Canonical is the canonical request, whose hash is signed. host is used for the header host. Header values are in
// lower case.
func Canonical(r *http.Request, host string, signed []string, payloadHash string) string {
	var b strings.Builder
	b.WriteString(r.Method + "\n/\n" + r.URL.RawQuery + "\n")
	for _, name := range signed {
		value := r.Header.Get(name)
		if name == "host" {
			value = host
		}
		b.WriteString(name + ":" + strings.ToLower(strings.TrimSpace(value)) + "\n")
	}
	b.WriteString("\n" + strings.Join(signed, ";") + "\n" + payloadHash)
	return b.String()
}

// Sign signs a canonical request under a key that is derived from the secret, the day and the service.
func Sign(secret, timestamp string, a Authorization, canonical string) string {
	key := mac([]byte("TC3"+secret), a.Date)
	key = mac(mac(key, a.Service), "tc3_request")
	return hex.EncodeToString(mac(key, Algorithm+"\n"+timestamp+"\n"+a.Scope()+"\n"+Digest([]byte(canonical))))
}

// Authorize signs a call as a client does. Its Content-Type must be set.
func Authorize(r *http.Request, key Key, body []byte, now time.Time) {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	r.Header.Set("X-TC-Timestamp", timestamp)
	a := Authorization{
		SecretID: key.SecretID, Date: now.UTC().Format(time.DateOnly), Service: key.Service,
		SignedHeaders: []string{"content-type", "host"},
	}
	signature := Sign(key.SecretKey, timestamp, a, Canonical(r, r.Host, a.SignedHeaders, Digest(body)))
	r.Header.Set("Authorization", Algorithm+" Credential="+a.SecretID+"/"+a.Scope()+
		", SignedHeaders="+strings.Join(a.SignedHeaders, ";")+", Signature="+signature)
}

// SecretIDOf reads the id of the key from the Authorization header of a call, or from its parameters if it has a v1
// signature. body is the call's body. It returns "" if there is no id.
func SecretIDOf(r *http.Request, body []byte) string {
	if call := NewCall(r, body); call.V1 != nil {
		return call.V1.Get("SecretId")
	}
	_, rest, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	id, _, _ := strings.Cut(rest, "/")
	return strings.TrimSpace(id)
}

// Parts reads `scheme Credential=…,SignedHeaders=…,Signature=…`, a format that several vendors use. The error describes
// what is wrong with the header.
func Parts(header, scheme string) (credential string, signed []string, signature string, err error) {
	name, rest, ok := strings.Cut(header, " ")
	if !ok || name != scheme {
		return "", nil, "", errors.New("the scheme is not " + scheme)
	}
	parts := map[string]string{}
	for part := range strings.SplitSeq(rest, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || value == "" {
			return "", nil, "", errors.New(part + " is not key=value")
		}
		if parts[key] != "" {
			return "", nil, "", errors.New(key + " appears twice")
		}
		parts[key] = value
	}
	credential, signature = parts["Credential"], parts["Signature"]
	if len(parts) != 3 || credential == "" || parts["SignedHeaders"] == "" || signature == "" {
		return "", nil, "", errors.New("exactly Credential, SignedHeaders and Signature are required")
	}
	return credential, strings.Split(parts["SignedHeaders"], ";"), signature, nil
}

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

// Digest is the SHA-256 digest in lower-case hexadecimal.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// texts are the vendor's texts of the codes that all of its APIs have in common.
var texts = map[string]string{
	"AuthFailure.SecretIdNotFound": "The SecretId is not found, please ensure that your SecretId is correct.",
	"AuthFailure.SignatureExpire": "The provided credentials could not be validated because the signature has " +
		"expired.",
	"AuthFailure.SignatureFailure": "The provided credentials could not be validated. Please check your signature is " +
		"correct.",
	"InternalError":         "An internal error has occurred. Retry your request.",
	"RequestLimitExceeded":  "The number of requests exceeds the frequency limit.",
	"ResourceUnavailable":   "The resource is unavailable.",
	"UnauthorizedOperation": "The operation is unauthorized.",
}

// Text returns the vendor's text of a code, for planned errors without a text. It returns the code if there is none.
func Text(code string) string { return cmp.Or(texts[code], code) }

package sms

import (
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
)

const (
	tc3         = "TC3-HMAC-SHA256"
	tc3Service  = "sms"           // in the scope of every credential
	tc3Window   = 5 * time.Minute // how far X-TC-Timestamp may be from real time
	tc3Unsigned = "UNSIGNED-PAYLOAD"
)

// verify checks the caller: signature, scope, and time against real time ("API 3.0 signature v3" of the vendor's
// documentation). The vendor has no nonce.
func (t *tencent) verify(r *http.Request, now time.Time) *refusal {
	if r.Method != http.MethodPost {
		return refuseTencent("UnsupportedProtocol",
			"HTTP(S) request protocol error; POST with application/json is supported.")
	}
	auth, err := parseTC3(r.Header.Get("Authorization"))
	if err != nil {
		const message = "The Authorization in the request header does not conform to the standard."
		return &refusal{code: "AuthFailure.InvalidAuthorization", message: message, detail: err.Error()}
	}
	timestamp := r.Header.Get("X-TC-Timestamp")
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		refused := missingParameter("Timestamp")
		refused.detail = "X-TC-Timestamp is " + strconv.Quote(timestamp)
		return refused
	}
	if age := now.Sub(time.Unix(at, 0)); age.Abs() > tc3Window {
		const message = "Signature expired. " +
			"The timestamp and the server's time must not differ by more than five minutes."
		return &refusal{
			code: "AuthFailure.SignatureExpire", message: message,
			detail: fmt.Sprintf("X-TC-Timestamp is %s off", age.Round(time.Second)),
		}
	}
	if auth.SecretID != t.Tencent.SecretID {
		const message = "The SecretId is not found, please ensure that your SecretId is correct."
		return &refusal{
			code: "AuthFailure.SecretIdNotFound", message: message, detail: "secret id " + auth.SecretID +
				" is not " + t.Tencent.SecretID,
		}
	}
	failed := func(detail string) *refusal {
		const message = "The provided credentials could not be validated. Please check your signature is correct."
		return &refusal{code: "AuthFailure.SignatureFailure", message: message, detail: detail}
	}
	date, host := time.Unix(at, 0).UTC().Format(time.DateOnly), hostname(r.Host)
	firstLabel, _, _ := strings.Cut(host, ".")
	if auth.Date != date || auth.Service != tc3Service && auth.Service != firstLabel {
		return failed("the scope is " + auth.scope() + ", expected " + date + "/" + tc3Service + "/tc3_request")
	}
	payload := hashHex(journal.From(r.Context()).Body)
	if r.Header.Get("X-TC-Content-SHA256") == tc3Unsigned {
		payload = hashHex([]byte(tc3Unsigned))
	}
	canonical := tc3Canonical(r, r.Host, auth.SignedHeaders, payload)
	want := tc3Sign(t.Tencent.SecretKey, timestamp, auth, canonical)
	// The vendor's SDK for Node signs the name of the endpoint without the port that its client sends.
	withoutPort := tc3Sign(t.Tencent.SecretKey, timestamp, auth, tc3Canonical(r, host, auth.SignedHeaders, payload))
	if !equal(want, auth.Signature) && !equal(withoutPort, auth.Signature) {
		journal.From(r.Context()).Signature = &journal.Mismatch{Over: canonical, Expected: want, Got: auth.Signature}
		return failed("expected " + want + ", came " + auth.Signature + "; the canonical request is\n" + canonical)
	}
	return nil
}

// equal compares two signatures in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// hostname is a host without its port.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// tc3Authorization is the parsed Authorization header.
type tc3Authorization struct {
	SecretID, Date, Service string
	SignedHeaders           []string
	Signature               string // lower-case hexadecimal
}

// scope is what a signature is valid for.
func (a tc3Authorization) scope() string { return a.Date + "/" + a.Service + "/tc3_request" }

// parseTC3 reads "TC3-HMAC-SHA256 Credential=id/date/service/tc3_request, SignedHeaders=a;b, Signature=…".
func parseTC3(header string) (tc3Authorization, error) {
	var a tc3Authorization
	credential, signed, signature, err := authorizationParts(header, tc3)
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
	return tc3Authorization{scope[0], scope[1], scope[2], signed, signature}, nil
}

// tc3Canonical is the text whose hash is signed, with a host in it. Header values count in lower case.
func tc3Canonical(r *http.Request, host string, signed []string, payloadHash string) string {
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

// tc3Sign signs a canonical request under a key that is derived from the secret, the day and the service.
func tc3Sign(secret, timestamp string, a tc3Authorization, canonical string) string {
	key := hmacSHA256([]byte("TC3"+secret), a.Date)
	key = hmacSHA256(hmacSHA256(key, a.Service), "tc3_request")
	return hex.EncodeToString(hmacSHA256(key, tc3+"\n"+timestamp+"\n"+a.scope()+"\n"+hashHex([]byte(canonical))))
}

// AuthorizeTencent signs a call of the second dialect as a client does. Its Content-Type must be set.
func AuthorizeTencent(r *http.Request, keys dataset.TencentCredentials, body []byte, now time.Time) {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	r.Header.Set("X-TC-Timestamp", timestamp)
	a := tc3Authorization{
		SecretID: keys.SecretID, Date: now.UTC().Format(time.DateOnly), Service: tc3Service,
		SignedHeaders: []string{"content-type", "host"},
	}
	signature := tc3Sign(keys.SecretKey, timestamp, a, tc3Canonical(r, r.Host, a.SignedHeaders, hashHex(body)))
	r.Header.Set("Authorization", tc3+" Credential="+a.SecretID+"/"+a.scope()+
		", SignedHeaders="+strings.Join(a.SignedHeaders, ";")+", Signature="+signature)
}

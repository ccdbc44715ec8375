package sms

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

const tc3Algorithm = "TC3-HMAC-SHA256"

// tc3Window is how far X-TC-Timestamp may be from real time.
const tc3Window = 5 * time.Minute

// tc3Service is the service in the scope of every credential.
const tc3Service = "sms"

// tc3Authorization is the parsed Authorization header.
type tc3Authorization struct {
	SecretID, Date, Service string
	SignedHeaders           []string
	Signature               string // lower-case hex
}

func (a tc3Authorization) scope() string { return a.Date + "/" + a.Service + "/tc3_request" }

// parseTC3 reads "TC3-HMAC-SHA256 Credential=id/date/service/tc3_request, SignedHeaders=a;b, Signature=…".
func parseTC3(header string) (tc3Authorization, error) {
	var a tc3Authorization
	name, rest, ok := strings.Cut(header, " ")
	if !ok || name != tc3Algorithm {
		return a, fmt.Errorf("the scheme is not %s", tc3Algorithm)
	}
	parts := map[string]string{}
	for part := range strings.SplitSeq(rest, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || value == "" {
			return a, fmt.Errorf("%q is not key=value", part)
		}
		if parts[key] != "" {
			return a, fmt.Errorf("%s stands twice", key)
		}
		parts[key] = value
	}
	scope := strings.Split(parts["Credential"], "/")
	switch {
	case len(parts) != 3 || parts["Credential"] == "" || parts["SignedHeaders"] == "" || parts["Signature"] == "":
		return a, fmt.Errorf("exactly Credential, SignedHeaders and Signature are required")
	case len(scope) != 4 || scope[0] == "" || scope[3] != "tc3_request":
		return a, fmt.Errorf("the credential is not id/date/service/tc3_request")
	}
	a.SecretID, a.Date, a.Service = scope[0], scope[1], scope[2]
	a.SignedHeaders, a.Signature = strings.Split(parts["SignedHeaders"], ";"), parts["Signature"]
	for _, name := range []string{"content-type", "host"} {
		if !slices.Contains(a.SignedHeaders, name) {
			return a, fmt.Errorf("%s is not among the signed headers", name)
		}
	}
	if !slices.IsSorted(a.SignedHeaders) {
		return a, fmt.Errorf("the signed headers are not in order")
	}
	return a, nil
}

// tc3Canonical is the text whose hash is signed. Header values count in lower case.
func tc3Canonical(r *http.Request, signed []string, payloadHash string) string {
	var b strings.Builder
	b.WriteString(r.Method + "\n/\n" + r.URL.RawQuery + "\n")
	for _, name := range signed {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		b.WriteString(name + ":" + strings.ToLower(strings.TrimSpace(value)) + "\n")
	}
	b.WriteString("\n" + strings.Join(signed, ";") + "\n" + payloadHash)
	return b.String()
}

// tc3Sign signs a canonical request under the key of a day and a service.
func tc3Sign(secret, timestamp string, a tc3Authorization, canonical string) string {
	key := tc3Mac([]byte("TC3"+secret), a.Date)
	key = tc3Mac(tc3Mac(key, a.Service), "tc3_request")
	return hex.EncodeToString(tc3Mac(key, tc3Algorithm+"\n"+timestamp+"\n"+a.scope()+"\n"+hashHex([]byte(canonical))))
}

func tc3Mac(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// AuthorizeTencent signs a call of the second dialect as a client does. Its Content-Type must be set.
func AuthorizeTencent(r *http.Request, keys dataset.TencentCredentials, body []byte, now time.Time) {
	timestamp := strconv.FormatInt(now.Unix(), 10)
	r.Header.Set("X-TC-Timestamp", timestamp)
	a := tc3Authorization{SecretID: keys.SecretID, Date: now.UTC().Format(time.DateOnly), Service: tc3Service, SignedHeaders: []string{"content-type", "host"}}
	signature := tc3Sign(keys.SecretKey, timestamp, a, tc3Canonical(r, a.SignedHeaders, hashHex(body)))
	r.Header.Set("Authorization", tc3Algorithm+" Credential="+a.SecretID+"/"+a.scope()+", SignedHeaders="+strings.Join(a.SignedHeaders, ";")+", Signature="+signature)
}

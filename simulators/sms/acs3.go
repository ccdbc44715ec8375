package sms

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

const algorithm = "ACS3-HMAC-SHA256"

// timeWindow is how far x-acs-date may be from real time, and how long a nonce is remembered.
const timeWindow = 15 * time.Minute

// authorization is the parsed Authorization header.
type authorization struct {
	AccessKeyID   string
	SignedHeaders []string
	Signature     string // lower-case hex
}

// parseAuthorization reads "ACS3-HMAC-SHA256 Credential=…,SignedHeaders=a;b,Signature=…".
func parseAuthorization(header string) (authorization, error) {
	var a authorization
	name, rest, ok := strings.Cut(header, " ")
	if !ok || name != algorithm {
		return a, fmt.Errorf("the scheme is not %s", algorithm)
	}
	seen := map[string]bool{}
	for part := range strings.SplitSeq(rest, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok || value == "" {
			return a, fmt.Errorf("%q is not key=value", part)
		}
		if seen[key] {
			return a, fmt.Errorf("%s stands twice", key)
		}
		seen[key] = true
		switch key {
		case "Credential":
			a.AccessKeyID = value
		case "SignedHeaders":
			a.SignedHeaders = strings.Split(value, ";")
		case "Signature":
			a.Signature = value
		default:
			return a, fmt.Errorf("unknown part %q", key)
		}
	}
	if a.AccessKeyID == "" || len(a.SignedHeaders) == 0 || a.Signature == "" {
		return a, fmt.Errorf("all of Credential, SignedHeaders and Signature are required")
	}
	return a, nil
}

// mustBeSigned are the headers whose absence from SignedHeaders would leave them open to change.
var mustBeSigned = []string{"host", "x-acs-action", "x-acs-content-sha256", "x-acs-date", "x-acs-signature-nonce", "x-acs-version"}

// unsignedHeader names a header that has to be signed and is not; "" when all are.
func unsignedHeader(r *http.Request, signed []string) string {
	for _, name := range mustBeSigned {
		if !slices.Contains(signed, name) {
			return name
		}
	}
	for name := range r.Header {
		name = strings.ToLower(name)
		if (strings.HasPrefix(name, "x-acs-") || name == "content-type") && !slices.Contains(signed, name) {
			return name
		}
	}
	return ""
}

// canonicalRequest is the text whose hash is signed. Every signed header must be in it, sorted by name.
func canonicalRequest(r *http.Request, signed []string, payloadHash string) string {
	var b strings.Builder
	path := r.URL.EscapedPath()
	if path == "" {
		path = "/"
	}
	b.WriteString(r.Method + "\n" + path + "\n" + canonicalQuery(r.URL.Query()) + "\n")
	for _, name := range signed {
		b.WriteString(name + ":")
		if name == "host" {
			b.WriteString(r.Host)
		} else {
			values := slices.Clone(r.Header.Values(name))
			for i := range values {
				values[i] = strings.TrimSpace(values[i])
			}
			slices.Sort(values)
			b.WriteString(strings.Join(values, ","))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n" + strings.Join(signed, ";") + "\n" + payloadHash)
	return b.String()
}

// canonicalQuery sorts the parameters by name and escapes them as RFC 3986 has it.
func canonicalQuery(q url.Values) string {
	names := make([]string, 0, len(q))
	for name := range q {
		names = append(names, name)
	}
	slices.Sort(names)
	pairs := make([]string, 0, len(names))
	for _, name := range names {
		for _, value := range q[name] {
			pairs = append(pairs, escape(name)+"="+escape(value))
		}
	}
	return strings.Join(pairs, "&")
}

var rfc3986 = strings.NewReplacer("+", "%20", "*", "%2A", "%7E", "~")

func escape(s string) string { return rfc3986.Replace(url.QueryEscape(s)) }

// stringToSign is the algorithm and the canonical request's hash.
func stringToSign(canonical string) string {
	return algorithm + "\n" + hashHex([]byte(canonical))
}

func sign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

func hashHex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Authorize signs a call of the first dialect as a client does. Its x-acs-action and x-acs-version must be set.
func Authorize(r *http.Request, keys dataset.SMSCredentials, body []byte, now time.Time) {
	r.Header.Set("x-acs-date", now.UTC().Format("2006-01-02T15:04:05Z"))
	r.Header.Set("x-acs-signature-nonce", rand.Text())
	r.Header.Set("x-acs-content-sha256", hashHex(body))
	signed := []string{"host"}
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-acs-") || name == "content-type" {
			signed = append(signed, name)
		}
	}
	slices.Sort(signed)
	canonical := canonicalRequest(r, signed, hashHex(body))
	r.Header.Set("Authorization", algorithm+" Credential="+keys.AccessKeyID+",SignedHeaders="+strings.Join(signed, ";")+
		",Signature="+sign(keys.AccessKeySecret, stringToSign(canonical)))
}

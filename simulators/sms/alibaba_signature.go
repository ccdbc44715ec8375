package sms

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/tc3"
)

const (
	acs3     = "ACS3-HMAC-SHA256"
	acs3Time = "2006-01-02T15:04:05Z"
)

// timeWindow is how far x-acs-date may be from real time. A nonce is remembered for twice as long.
const timeWindow = 15 * time.Minute

// verify checks the caller: access key, signed headers, time against real time, body, signature, and that the nonce is
// new. The codes are those of the vendor's "Request syntax and signature method V3".
func (a *alibaba) verify(r *http.Request, now time.Time) *journal.Rejection {
	bad := badRequest
	if call := alibabaCallOf(r); call.rpc {
		return a.verifyRPC(r, call, now)
	}
	header := r.Header.Get("Authorization")
	if header == "" {
		return bad("MissingAuthorization", "Authorization is mandatory for this action.", "")
	}
	keyID, signed, signature, err := tc3.Parts(header, acs3)
	if err != nil {
		return bad("InvalidAuthorization", "The Authorization header is not valid.", err.Error())
	}
	if rejected := a.checkKeyID(keyID); rejected != nil {
		return rejected
	}
	incomplete := func(detail string) *journal.Rejection {
		return bad("IncompleteSignature", "The request signature does not conform to standards.", detail)
	}
	if name := unsignedHeader(r, signed); name != "" {
		return incomplete(name + " is not among the signed headers")
	}
	if !slices.IsSorted(signed) {
		return incomplete("SignedHeaders are not in order: " + strings.Join(signed, ";"))
	}
	if rejected := checkTime("x-acs-date", r.Header.Get("x-acs-date"), now); rejected != nil {
		return rejected
	}
	payload := tc3.Digest(journal.From(r.Context()).Body)
	if sent := r.Header.Get("x-acs-content-sha256"); sent != payload {
		return bad("SignatureDoesNotMatch", "Specified signature is not matched with our calculation.",
			"x-acs-content-sha256 is "+sent+", the body's hash is "+payload)
	}
	canonical := canonicalRequest(r, signed, payload)
	want := sign(a.Credentials.AccessKeySecret, canonical)
	if subtle.ConstantTimeCompare([]byte(want), []byte(signature)) != 1 {
		journal.From(r.Context()).Signature = &journal.Mismatch{Over: canonical, Expected: want, Got: signature}
		return bad("SignatureDoesNotMatch",
			"Specified signature is not matched with our calculation. server StringToSign is "+
				stringToSign(canonical)+", server CanonicalRequest is "+canonical,
			"expected "+want+", came "+signature+"; the canonical request is\n"+canonical)
	}
	return a.checkNonce(r.Header.Get("x-acs-signature-nonce"), now)
}

// checkNonce rejects a nonce that is missing, or that was used while its timestamp can still be valid.
func (a *alibaba) checkNonce(nonce string, now time.Time) *journal.Rejection {
	if nonce == "" || !a.nonces.Remember(nonce, 2*timeWindow, now) {
		return badRequest("SignatureNonceUsed", "Specified signature nonce was used already.", "")
	}
	return nil
}

// badRequest returns a rejection with HTTP status 400. detail is for the journal.
func badRequest(code, message, detail string) *journal.Rejection {
	return &journal.Rejection{Status: http.StatusBadRequest, Code: code, Message: message, Reason: detail}
}

// checkTime rejects a timestamp that is malformed, or further from real time than timeWindow.
func checkTime(name, text string, now time.Time) *journal.Rejection {
	date, err := time.Parse(acs3Time, text)
	if err != nil {
		return badRequest("InvalidTimeStamp.Format", "Specified time stamp or date value is not well formatted.",
			name+" "+text)
	}
	if age := now.Sub(date); age.Abs() > timeWindow {
		return badRequest("InvalidTimeStamp.Expired", "Specified time stamp or date value is expired.",
			fmt.Sprintf("%s is %s off", name, age.Round(time.Second)))
	}
	return nil
}

// checkKeyID rejects an access key that is not the account's.
func (a *alibaba) checkKeyID(id string) *journal.Rejection {
	if id == a.Credentials.AccessKeyID {
		return nil
	}
	return &journal.Rejection{
		Status: http.StatusNotFound, Code: "InvalidAccessKeyId.NotFound",
		Message: "Specified access key is not found.",
		Reason:  "access key id " + id + " is not " + a.Credentials.AccessKeyID,
	}
}

// mustBeSigned are headers that could be changed in transit if SignedHeaders did not list them.
var mustBeSigned = []string{"host", "x-acs-action", "x-acs-content-sha256", "x-acs-date", "x-acs-signature-nonce",
	"x-acs-version"}

// unsignedHeader returns a header that has to be signed and is not, or "".
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

// canonicalQuery returns the query with its parameters sorted by name and escaped as in RFC 3986.
func canonicalQuery(q url.Values) string {
	pairs := []string{}
	for _, name := range slices.Sorted(maps.Keys(q)) {
		for _, value := range q[name] {
			pairs = append(pairs, escape(name)+"="+escape(value))
		}
	}
	return strings.Join(pairs, "&")
}

// rfc3986 converts the escaping of url.QueryEscape into that of RFC 3986.
var rfc3986 = strings.NewReplacer("+", "%20", "*", "%2A", "%7E", "~")

// escape escapes a name or value of the query as in RFC 3986.
func escape(s string) string { return rfc3986.Replace(url.QueryEscape(s)) }

// stringToSign is the text that is signed: the name of the algorithm, and the hash of the canonical request.
func stringToSign(canonical string) string {
	return acs3 + "\n" + tc3.Digest([]byte(canonical))
}

// sign returns the signature of a canonical request in lower-case hexadecimal.
func sign(secret, canonical string) string {
	return hex.EncodeToString(hmacSHA256([]byte(secret), stringToSign(canonical)))
}

// hmacSHA256 returns the HMAC-SHA256 of a text.
func hmacSHA256(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// Authorize signs a call to Alibaba Cloud's API as a client does. Its x-acs-action and x-acs-version must be set.
func Authorize(r *http.Request, keys dataset.SMSCredentials, body []byte, now time.Time) {
	r.Header.Set("x-acs-date", now.UTC().Format(acs3Time))
	r.Header.Set("x-acs-signature-nonce", rand.Text())
	r.Header.Set("x-acs-content-sha256", tc3.Digest(body))
	signed := []string{"host"}
	for name := range r.Header {
		if name = strings.ToLower(name); strings.HasPrefix(name, "x-acs-") || name == "content-type" {
			signed = append(signed, name)
		}
	}
	slices.Sort(signed)
	canonical := canonicalRequest(r, signed, tc3.Digest(body))
	r.Header.Set("Authorization", acs3+" Credential="+keys.AccessKeyID+",SignedHeaders="+strings.Join(signed, ";")+
		",Signature="+sign(keys.AccessKeySecret, canonical))
}

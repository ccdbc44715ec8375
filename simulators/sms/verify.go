package sms

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"marquee/simulators/journal"
)

// refusal is a call that never reached the business: a wrong signature, an unknown action.
type refusal struct {
	status        int
	code, message string
	detail        string // for the journal
}

func (r *refusal) reason() string {
	if r.detail != "" {
		return r.code + ": " + r.detail
	}
	return r.code + ": " + r.message
}

// verify checks the signature, its time against real time, and that its nonce is new.
func (s *Simulator) verify(r *http.Request, now time.Time) *refusal {
	bad := func(code, message, detail string) *refusal {
		return &refusal{http.StatusBadRequest, code, message, detail}
	}
	header := r.Header.Get("Authorization")
	if header == "" {
		return bad("MissingAuthorization", "Authorization is mandatory for this action.", "")
	}
	auth, err := parseAuthorization(header)
	if err != nil {
		return bad("InvalidAuthorization", "The Authorization header is not valid.", err.Error())
	}
	if auth.AccessKeyID != s.keys.AccessKeyID {
		return &refusal{http.StatusNotFound, "InvalidAccessKeyId.NotFound", "Specified access key is not found.",
			"access key id " + auth.AccessKeyID + " is not " + s.keys.AccessKeyID}
	}
	if name := unsignedHeader(r, auth.SignedHeaders); name != "" {
		return bad("IncompleteSignature", "The request signature does not conform to standards.", name+" is not among the signed headers")
	}
	if !slices.IsSorted(auth.SignedHeaders) {
		return bad("IncompleteSignature", "The request signature does not conform to standards.", "SignedHeaders are not in order: "+strings.Join(auth.SignedHeaders, ";"))
	}
	date, err := time.Parse("2006-01-02T15:04:05Z", r.Header.Get("x-acs-date"))
	if err != nil {
		return bad("InvalidTimeStamp.Format", "Specified time stamp or date value is not well formatted.", "x-acs-date "+r.Header.Get("x-acs-date"))
	}
	if age := now.Sub(date); age > timeWindow || age < -timeWindow {
		return bad("InvalidTimeStamp.Expired", "Specified time stamp or date value is expired.", fmt.Sprintf("x-acs-date is %s off", age.Round(time.Second)))
	}
	payload := hashHex(journal.From(r.Context()).Body)
	if sent := r.Header.Get("x-acs-content-sha256"); sent != payload {
		return bad("SignatureDoesNotMatch", "Specified signature is not matched with our calculation.",
			"x-acs-content-sha256 is "+sent+", the body's hash is "+payload)
	}
	canonical := canonicalRequest(r, auth.SignedHeaders, payload)
	want := sign(s.keys.AccessKeySecret, stringToSign(canonical))
	if subtle.ConstantTimeCompare([]byte(want), []byte(auth.Signature)) != 1 {
		journal.From(r.Context()).Signature = &journal.Mismatch{Over: canonical, Expected: want, Got: auth.Signature}
		return bad("SignatureDoesNotMatch",
			"Specified signature is not matched with our calculation. server StringToSign is "+stringToSign(canonical)+", server CanonicalRequest is "+canonical,
			"expected "+want+", came "+auth.Signature+"; the canonical request is\n"+canonical)
	}
	if !s.nonceIsNew(r.Header.Get("x-acs-signature-nonce"), now) {
		return bad("SignatureNonceUsed", "Specified signature nonce was used already.", "")
	}
	return nil
}

// nonceIsNew remembers a nonce for as long as its timestamp can be valid.
func (s *Simulator) nonceIsNew(nonce string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seen, used := s.nonces[nonce]; nonce == "" || used && now.Sub(seen) < 2*timeWindow {
		return false
	}
	if len(s.nonces) >= 4096 {
		for n, at := range s.nonces {
			if now.Sub(at) >= 2*timeWindow {
				delete(s.nonces, n)
			}
		}
	}
	s.nonces[nonce] = now
	return true
}

package legacygateway

import (
	"crypto/hmac"
	"crypto/md5" // prescribed by the gateway's protocol
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"net/url"
	"slices"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/durations"
	"marquee/server/providers/ticketing"
)

// version is the protocol version, sent as v.
const version = "2.0"

// Digest is the hash function of the signature.
type Digest string

const (
	MD5        Digest = "md5" // of the secret, the text and the secret again
	HMACMD5    Digest = "hmac-md5"
	HMACSHA256 Digest = "hmac-sha256"
)

// Dialect holds what differs between installations of the gateway. Its zero value means MD5 in upper case and ±10 min.
type Dialect struct {
	Digest    Digest
	LowerCase bool          // whether the signature has lower-case hexadecimal digits
	Window    time.Duration // how far a timestamp may be in the past or the future; 0: 10 min
}

// check returns an error for a negative window or an unknown digest.
func (d Dialect) check() error {
	if d.Window < 0 {
		return fmt.Errorf("legacygateway: the window of timestamps, %s, is negative", d.Window)
	}
	switch d.Digest {
	case "", MD5, HMACMD5, HMACSHA256:
		return nil
	}
	return fmt.Errorf("legacygateway: Dialect.Digest %q is none of md5, hmac-md5, hmac-sha256", d.Digest)
}

func (d Dialect) window() time.Duration {
	if d.Window == 0 {
		return durations.PushAge
	}
	return d.Window
}

// Stamp sets the fields timestamp, sign and, unless the digest is MD5, sign_method. now is wire time.
func (d Dialect) Stamp(form url.Values, secret string, now time.Time) {
	form.Set("timestamp", now.In(beijing.Time).Format(ticketing.TimeLayout))
	if d.Digest != "" && d.Digest != MD5 {
		form.Set("sign_method", string(d.Digest))
	}
	form.Set("sign", d.Sign(form, secret))
}

// Sign returns the signature of a form. It joins k1v1k2v2… with the keys in ASCII order, without sign and empty
// values. MD5 puts the secret before and after that text; the HMAC digests use the secret as their key.
func (d Dialect) Sign(form url.Values, secret string) string {
	keys := make([]string, 0, len(form))
	for k := range form {
		if k != "sign" && form.Get(k) != "" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	var joined strings.Builder
	for _, k := range keys {
		joined.WriteString(k)
		joined.WriteString(form.Get(k))
	}
	var h hash.Hash
	text := joined.String()
	switch d.Digest {
	case HMACMD5:
		h = hmac.New(md5.New, []byte(secret))
	case HMACSHA256:
		h = hmac.New(sha256.New, []byte(secret))
	default:
		h = md5.New()
		text = secret + text + secret
	}
	h.Write([]byte(text))
	sum := hex.EncodeToString(h.Sum(nil))
	if d.LowerCase {
		return sum
	}
	return strings.ToUpper(sum)
}

package legacygateway

import (
	"crypto/hmac"
	"crypto/md5" //nolint:gosec // the protocol's digest
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"marquee/simulators/journal"
)

// Dialect is how this gateway signs. The zero value is the default dialect.
type Dialect struct {
	Method string        // "md5" (default), "hmac-md5" or "hmac-sha256": for calls that name none, and for pushes
	Lower  bool          // hex digits in lower case
	Window time.Duration // how far a timestamp may be off; 0: ten minutes
}

const timeLayout = "2006-01-02 15:04:05"

// refusal is an error answer.
type refusal struct {
	code, msg string
	reason    string // for the journal; "" means msg
	signature *journal.Mismatch
}

func (r *refusal) Error() string { return r.code + " " + r.msg }

func refuse(code, msg string) *refusal { return &refusal{code: code, msg: msg} }

// verify checks everything that makes a call this caller's: key, time, version, signature.
func (g *Gateway) verify(form url.Values) *refusal {
	for _, name := range []string{"method", "appkey", "timestamp", "v", "sign"} {
		if form.Get(name) == "" {
			return refuse("1001", "缺少参数"+name)
		}
	}
	for name, values := range form {
		if len(values) > 1 {
			return refuse("1006", "参数"+name+"重复")
		}
	}
	if form.Get("appkey") != g.c.Credentials.AppKey {
		return refuse("1002", "appkey不存在")
	}
	if v := form.Get("v"); v != "2.0" {
		return refuse("1007", "不支持的版本"+v)
	}
	at, err := time.ParseInLocation(timeLayout, form.Get("timestamp"), zone)
	if err != nil || at.Format(timeLayout) != form.Get("timestamp") {
		return refuse("1006", "timestamp格式错误")
	}
	method := form.Get("sign_method")
	if method == "" {
		method = g.c.Dialect.Method
	}
	want, err := Sign(form, g.c.Credentials.Secret, Dialect{Method: method, Lower: g.c.Dialect.Lower})
	if err != nil {
		return refuse("1006", "sign_method不支持")
	}
	if got := form.Get("sign"); subtle.ConstantTimeCompare([]byte(got), []byte(want)) != 1 {
		return &refusal{code: "1003", msg: "签名错误", reason: fmt.Sprintf("expected sign %s over %q (the secret before and after it for md5, as the key for the hmacs), got %s", want, Joined(form), got),
			signature: &journal.Mismatch{Over: Joined(form), Expected: want, Got: got}}
	}
	window := g.c.Dialect.Window
	if window == 0 {
		window = 10 * time.Minute
	}
	if off := time.Since(at); off > window || off < -window {
		return &refusal{code: "1004", msg: "timestamp已过期", reason: fmt.Sprintf("timestamp %s is %s off; allowed is %s", form.Get("timestamp"), off.Round(time.Second), window)}
	}
	return nil
}

// Joined is the text under the signature, without the secret: the parameters by ASCII order of their names, sign
// and empty values left out, names and values joined.
func Joined(form url.Values) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(form)) {
		if v := form.Get(k); k != "sign" && v != "" {
			b.WriteString(k)
			b.WriteString(v)
		}
	}
	return b.String()
}

// Sign computes the signature of a form in a dialect.
func Sign(form url.Values, secret string, d Dialect) (string, error) {
	joined := Joined(form)
	var sum []byte
	switch d.Method {
	case "", "md5":
		digest := md5.Sum([]byte(secret + joined + secret)) //nolint:gosec // the protocol's digest
		sum = digest[:]
	case "hmac-md5":
		sum = keyed(md5.New, secret, joined)
	case "hmac-sha256":
		sum = keyed(sha256.New, secret, joined)
	default:
		return "", fmt.Errorf("unknown sign_method %q", d.Method)
	}
	text := hex.EncodeToString(sum)
	if d.Lower {
		return text, nil
	}
	return strings.ToUpper(text), nil
}

func keyed(h func() hash.Hash, secret, text string) []byte {
	mac := hmac.New(h, []byte(secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

package legacygateway

import (
	"cmp"
	"crypto/hmac"
	"crypto/md5" // the protocol's default digest
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

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/ticketing"
)

// Dialect configures the gateway's signatures, because its installations differ. The zero value is the default dialect.
type Dialect struct {
	Method string        // "md5" (default), "hmac-md5" or "hmac-sha256": for calls without sign_method, and for pushes
	Lower  bool          // hex digits in lower case
	Window time.Duration // how far a timestamp may be off; 0: ten minutes
}

// defaultWindow is how far a timestamp may be from real time, unless the dialect sets another window.
const defaultWindow = 10 * time.Minute

// verify checks the appkey, version and signature of a call, and that its timestamp is near the real time.
func verify(form url.Values, caller dataset.GatewayCredentials, d Dialect) *journal.Rejection {
	for _, name := range []string{"method", "appkey", "timestamp", "v", "sign"} {
		if form.Get(name) == "" {
			return journal.NewRejection("1001", "缺少参数"+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if len(form[name]) > 1 {
			return journal.NewRejection("1006", "参数"+name+"重复")
		}
	}
	if form.Get("appkey") != caller.AppKey {
		return journal.NewRejection("1002", "appkey不存在")
	}
	if v := form.Get("v"); v != "2.0" {
		return journal.NewRejection("1007", "不支持的版本"+v)
	}
	at, err := time.ParseInLocation(ticketing.TimeLayout, form.Get("timestamp"), zone)
	if err != nil || at.Format(ticketing.TimeLayout) != form.Get("timestamp") {
		return journal.NewRejection("1006", "timestamp格式错误")
	}
	d.Method = cmp.Or(form.Get("sign_method"), d.Method)
	want, err := Sign(form, caller.Secret, d)
	if err != nil {
		return journal.NewRejection("1006", "sign_method不支持")
	}
	if got := form.Get("sign"); subtle.ConstantTimeCompare([]byte(got), []byte(want)) != 1 {
		return &journal.Rejection{
			Code: "1003", Message: "签名错误", Signature: &journal.Mismatch{Over: Joined(form), Expected: want, Got: got},
			Reason: fmt.Sprintf(
				"expected sign %s over %q (the secret before and after it for md5, as the key for the hmacs), got %s",
				want, Joined(form), got),
		}
	}
	window := cmp.Or(d.Window, defaultWindow)
	if off := time.Since(at); off.Abs() > window {
		return &journal.Rejection{
			Code: "1004", Message: "timestamp已过期",
			Reason: fmt.Sprintf("timestamp %s is %s off; allowed is %s", form.Get("timestamp"),
				off.Round(time.Second), window),
		}
	}
	return nil
}

// Joined is the text that is signed, without the secret: the name and the value of each parameter, as in
// "appkey10123456cityid310100", in the ASCII order of the names, without sign and without empty values.
func Joined(form url.Values) string {
	names, size := make([]string, 0, len(form)), 0
	for name := range form {
		names, size = append(names, name), size+len(name)+len(form.Get(name))
	}
	slices.Sort(names)
	var b strings.Builder
	b.Grow(size)
	for _, k := range names {
		if v := form.Get(k); k != "sign" && v != "" {
			b.WriteString(k)
			b.WriteString(v)
		}
	}
	return b.String()
}

// Sign returns the signature of a form in a dialect. It fails if the digest is unknown.
func Sign(form url.Values, secret string, d Dialect) (string, error) {
	joined := Joined(form)
	var sum []byte
	switch d.Method {
	case "", "md5":
		digest := md5.Sum([]byte(secret + joined + secret))
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

// keyed is the HMAC of a text with the secret.
func keyed(h func() hash.Hash, secret, text string) []byte {
	mac := hmac.New(h, []byte(secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

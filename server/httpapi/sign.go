package httpapi

import (
	"crypto/md5" // #nosec G501 -- the protocol's digest: it proves form, never identity
	"crypto/subtle"
	"encoding/hex"
	"sort"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/fault"
)

// What a signed call can fail with.
var (
	ErrSignMissing   = fault.New(fault.Invalid, "sign_missing", "缺少签名")
	ErrAppkeyUnknown = fault.New(fault.Invalid, "appkey_unknown", "应用标识有误")
	ErrSignStale     = fault.New(fault.Invalid, "sign_stale", "请求已过期，请校准手机时间")
	ErrSignWrong     = fault.New(fault.Invalid, "sign_wrong", "签名有误")
	ErrSignVersion   = fault.New(fault.Invalid, "version_unsupported", "接口版本不支持")
)

const (
	signWindow = 10 * time.Minute
	stampForm  = "2006-01-02 15:04:05"
)

// Channel is what the web build is known by. Its secret is public: it is part of the page.
type Channel struct{ No, AppKey, Secret string }

// verify checks a signed form against wire time, which never moves with the business clock.
func (c Channel) verify(fields map[string]string, wire time.Time) error {
	sign := fields["sign"]
	if sign == "" {
		return ErrSignMissing
	}
	if fields["appkey"] != c.AppKey {
		return ErrAppkeyUnknown
	}
	if fields["v"] != "2.0" {
		return ErrSignVersion
	}
	at, err := time.ParseInLocation(stampForm, fields["timestamp"], beijing.Time)
	if err != nil || wire.Sub(at) > signWindow || at.Sub(wire) > signWindow {
		return ErrSignStale
	}
	if subtle.ConstantTimeCompare([]byte(sign), []byte(c.sign(fields))) != 1 {
		return ErrSignWrong
	}
	return nil
}

// sign is UPPER(hex(md5(secret + k1v1k2v2… + secret))) over what is not empty, keys in ASCII order.
func (c Channel) sign(fields map[string]string) string {
	keys := make([]string, 0, len(fields))
	for k, v := range fields {
		if k != "sign" && v != "" {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	var b strings.Builder
	b.WriteString(c.Secret)
	for _, k := range keys {
		b.WriteString(k)
		b.WriteString(fields[k])
	}
	b.WriteString(c.Secret)
	sum := md5.Sum([]byte(b.String())) // #nosec G401 -- see above
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

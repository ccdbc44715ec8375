package wire

import (
	"crypto/md5" // #nosec G501 -- the protocol's digest: it proves the form's integrity, never an identity
	"crypto/subtle"
	"encoding/hex"
	"sort"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/durations"
	"marquee/server/fault"
)

// Errors of Channel.Verify, in the order in which they are checked.
var (
	ErrSignMissing   = fault.New(fault.Invalid, "sign_missing", "缺少签名")
	ErrAppkeyUnknown = fault.New(fault.Invalid, "appkey_unknown", "应用标识有误")
	ErrSignVersion   = fault.New(fault.Invalid, "version_unsupported", "接口版本不支持")
	ErrSignStale     = fault.New(fault.Invalid, "sign_stale", "请求已过期，请校准手机时间")
	ErrSignWrong     = fault.New(fault.Invalid, "sign_wrong", "签名有误")
)

// Channel identifies the web app in its calls: the channel number, and the key and the secret of signed calls. The
// secret is public, because it is part of the page.
type Channel struct{ No, AppKey, Secret string }

// Verify checks the signature of a form against wire time, which never moves with the business clock. It returns
// ErrSignMissing, ErrAppkeyUnknown, ErrSignVersion, ErrSignStale or ErrSignWrong.
func (c Channel) Verify(fields map[string]string, wireTime time.Time) error {
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
	at, err := time.ParseInLocation(TimeLayout, fields["timestamp"], beijing.Time)
	if err != nil || wireTime.Sub(at) > durations.Signature || at.Sub(wireTime) > durations.Signature {
		return ErrSignStale
	}
	if subtle.ConstantTimeCompare([]byte(sign), []byte(c.Sign(fields))) != 1 {
		return ErrSignWrong
	}
	return nil
}

// Sign returns UPPER(hex(md5(secret + k1v1k2v2… + secret))) over the fields that are not empty, except sign itself,
// with the keys in ASCII order (legacy gateway protocol, version 2.0).
func (c Channel) Sign(fields map[string]string) string {
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
	sum := md5.Sum([]byte(b.String())) // #nosec G401 -- see the import
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

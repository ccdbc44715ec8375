package tc3

import (
	"crypto/hmac"
	"crypto/sha1" // the vendor's signature
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/ownname"
)

// KeepNonces is how long the nonce of a call under a v1 signature is remembered: as long as its timestamp can be valid.
const KeepNonces = 2 * window

// v1Hashes are the hashes of the v1 signatures. HmacSHA1 is the default.
var v1Hashes = map[string]func() hash.Hash{"": sha1.New, "HmacSHA1": sha1.New, "HmacSHA256": sha256.New}

// verifyV1 checks a call under a v1 signature ("签名方法 v1" of the vendor's documentation): HmacSHA1 or HmacSHA256 over
// all parameters, in the query of a GET or in the form of a POST.
func verifyV1(r *http.Request, call Call, key Key, now time.Time) *journal.Rejection {
	get := call.V1.Get
	for _, name := range []string{"Action", "SecretId", "Signature", "Timestamp", "Nonce"} {
		if get(name) == "" {
			return MissingParameter(name)
		}
	}
	invalid := func(name string) *journal.Rejection {
		return &journal.Rejection{Code: "InvalidParameterValue", Reason: name + " is " + strconv.Quote(get(name)),
			Message: "The value of parameter `" + name + "` is not valid."}
	}
	newHash := v1Hashes[get("SignatureMethod")]
	if newHash == nil {
		return invalid("SignatureMethod")
	}
	if nonce, err := strconv.ParseUint(get("Nonce"), 10, 64); err != nil || nonce == 0 {
		return invalid("Nonce")
	}
	at, err := strconv.ParseInt(get("Timestamp"), 10, 64)
	if err != nil {
		return invalid("Timestamp")
	}
	if rejected := checkTime("Timestamp", at, now); rejected != nil {
		return rejected
	}
	if rejected := key.checkID(get("SecretId")); rejected != nil {
		return rejected
	}
	text := v1Text(r.Method, r.Host, call.V1)
	want, got := signV1(newHash, key.SecretKey, text), get("Signature")
	withoutPort := signV1(newHash, key.SecretKey, v1Text(r.Method, ownname.WithoutPort(r.Host), call.V1))
	if !equal(want, got) && !equal(withoutPort, got) {
		journal.From(r.Context()).Signature = &journal.Mismatch{Over: text, Expected: want, Got: got}
		return signatureFailure("expected " + want + ", came " + got + "; the text to be signed is\n" + text)
	}
	if key.Nonces != nil && !key.Nonces.Remember(get("Timestamp")+"/"+get("Nonce"), KeepNonces, now) {
		return signatureFailure("Nonce " + get("Nonce") + " was used before with this Timestamp")
	}
	return nil
}

// v1Text returns the text that a v1 signature covers. The parameters in it are sorted by name and not escaped.
func v1Text(method, host string, parameters url.Values) string {
	pairs := []string{}
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		for _, value := range parameters[name] {
			if name != "Signature" {
				pairs = append(pairs, name+"="+value)
			}
		}
	}
	return method + host + "/?" + strings.Join(pairs, "&")
}

// signV1 returns the signature of a text in base64.
func signV1(newHash func() hash.Hash, secret, text string) string {
	m := hmac.New(newHash, []byte(secret))
	m.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(m.Sum(nil))
}

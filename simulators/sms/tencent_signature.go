package sms

import (
	"net/http"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/tc3"
)

// tencentKey is the API key with which calls to Tencent Cloud's SMS API are signed.
func tencentKey(keys dataset.TencentCredentials) tc3.Key {
	return tc3.Key{SecretID: keys.SecretID, SecretKey: keys.SecretKey, Service: "sms"}
}

// verify checks the signature of a call. It rejects a v1 signature whose nonce was used before.
func (t *tencent) verify(r *http.Request, now time.Time) *journal.Rejection {
	key := tencentKey(t.Tencent)
	key.Nonces = &t.nonces
	return tc3.Verify(r, key, now)
}

// AuthorizeTencent signs a call to Tencent Cloud's API as a client does. Its Content-Type must be set.
func AuthorizeTencent(r *http.Request, keys dataset.TencentCredentials, body []byte, now time.Time) {
	tc3.Authorize(r, tencentKey(keys), body, now)
}

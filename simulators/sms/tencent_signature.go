package sms

import (
	"net/http"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/tc3"
)

// tencentKey is the key of calls to Tencent Cloud's API.
func tencentKey(keys dataset.TencentCredentials) tc3.Key {
	return tc3.Key{SecretID: keys.SecretID, SecretKey: keys.SecretKey, Service: "sms"}
}

// verify checks the caller.
func (t *tencent) verify(r *http.Request, now time.Time) *apiError {
	key := tencentKey(t.Tencent)
	key.Nonces = &t.nonces
	if rejected := tc3.Verify(r, key, now); rejected != nil {
		return errorOfTC3(rejected)
	}
	return nil
}

func errorOfTC3(r *tc3.Error) *apiError {
	return &apiError{code: r.Code, message: r.Message, detail: r.Detail}
}

// AuthorizeTencent signs a call to Tencent Cloud's API as a client does. Its Content-Type must be set.
func AuthorizeTencent(r *http.Request, keys dataset.TencentCredentials, body []byte, now time.Time) {
	tc3.Authorize(r, tencentKey(keys), body, now)
}

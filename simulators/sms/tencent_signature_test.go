package sms

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/tc3"
)

// TestTC3_TheVendorsWorkedExample is the example of the vendor's documentation of the signature.
func TestTC3_TheVendorsWorkedExample(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "https://cvm.tencentcloudapi.com/", http.NoBody)
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	body := `{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`
	a := tc3.Authorization{Date: "2019-02-25", Service: "cvm", SignedHeaders: []string{"content-type", "host"}}
	canonical := tc3.Canonical(r, r.Host, a.SignedHeaders, tc3.Digest([]byte(body)))
	require.Equal(t, "72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168",
		tc3.Sign("Gu5t9xGARNpq86cd98joQYCN3EXAMPLE", "1551113065", a, canonical))
}

// tc3Call builds a call by hand, so that one thing at a time can be wrong with it.
func tc3Call(keys dataset.TencentCredentials, at time.Time, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://"+TencentHost+"/", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-TC-Action", "SendSms")
	r.Header.Set("X-TC-Version", "2021-01-11")
	r.Header.Set("X-TC-Region", "ap-guangzhou")
	AuthorizeTencent(r, keys, []byte(body), at)
	return r.WithContext(journal.With(r.Context(), &journal.Note{Body: []byte(body)}))
}

func TestVerifyTencent_EachPartOfTheSignature(t *testing.T) {
	t.Parallel()
	s := newSimulator()
	keys := testKeys.Tencent
	now := time.Now()
	require.Nil(t, s.tencent.verify(tc3Call(keys, now, "{}"), now))
	require.Nil(t, s.tencent.verify(tc3Call(keys, now.Add(-4*time.Minute), "{}"), now))

	edit := func(old, changed string) func(*http.Request) {
		return func(r *http.Request) {
			header := strings.Replace(r.Header.Get("Authorization"), old, changed, 1)
			r.Header.Set("Authorization", header)
		}
	}
	other := keys
	other.SecretKey = "another"
	for name, row := range map[string]struct {
		change func(*http.Request)
		code   string
	}{
		"no authorization": {func(r *http.Request) { r.Header.Del("Authorization") },
			"AuthFailure.InvalidAuthorization"},
		"another scheme":       {edit("TC3-HMAC-SHA256", "TC2-HMAC-SHA256"), "AuthFailure.InvalidAuthorization"},
		"no scope":             {edit("/tc3_request", ""), "AuthFailure.InvalidAuthorization"},
		"host not signed":      {edit("content-type;host", "content-type"), "AuthFailure.InvalidAuthorization"},
		"headers out of order": {edit("content-type;host", "host;content-type"), "AuthFailure.InvalidAuthorization"},
		"a part too many":      {edit(", Signature=", ", More=1, Signature="), "AuthFailure.InvalidAuthorization"},
		"another service":      {edit("/sms/", "/cvm/"), "AuthFailure.SignatureFailure"},
		"another day":          {edit(now.UTC().Format(time.DateOnly), "2019-02-25"), "AuthFailure.SignatureFailure"},
		"another key": {func(r *http.Request) { AuthorizeTencent(r, other, []byte("{}"), now) },
			"AuthFailure.SignatureFailure"},
		"another body": {func(r *http.Request) { AuthorizeTencent(r, keys, []byte("{ }"), now) },
			"AuthFailure.SignatureFailure"},
		"host changed": {func(r *http.Request) { r.Host = "elsewhere" }, "AuthFailure.SignatureFailure"},
		"content type changed": {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") },
			"AuthFailure.SignatureFailure"},
		"query added": {func(r *http.Request) { r.URL.RawQuery = "a=1" }, "AuthFailure.SignatureFailure"},
		"time changed": {func(r *http.Request) {
			r.Header.Set("X-TC-Timestamp", strconv.FormatInt(now.Unix()-1, 10))
		}, "AuthFailure.SignatureFailure"},
		"unsigned payload that is signed": {func(r *http.Request) {
			r.Header.Set("X-TC-Content-SHA256",
				"UNSIGNED-PAYLOAD")
		}, "AuthFailure.SignatureFailure"},
		"unknown id": {edit(keys.SecretID, "AKIDunknown"), "AuthFailure.SecretIdNotFound"},
		"no time": {func(r *http.Request) { r.Header.Del("X-TC-Timestamp") },
			"MissingParameter"},
		"too old": {func(r *http.Request) {
			AuthorizeTencent(r, keys, []byte("{}"),
				now.Add(-301*time.Second))
		}, "AuthFailure.SignatureExpire"},
		"too early": {func(r *http.Request) {
			AuthorizeTencent(r, keys, []byte("{}"),
				now.Add(302*time.Second))
		}, "AuthFailure.SignatureExpire"},
		"GET": {func(r *http.Request) { r.Method = http.MethodGet }, "UnsupportedProtocol"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := tc3Call(keys, now, "{}")
			row.change(r)
			rejected := s.tencent.verify(r, now)
			require.NotNil(t, rejected)
			require.Equal(t, row.code, rejected.Code, rejected.Reason)
		})
	}
}

func TestVerifyTencent_FurtherHeadersMayBeSignedInLowerCase(t *testing.T) {
	t.Parallel()
	s := newSimulator()
	keys := testKeys.Tencent
	now := time.Now()
	r := tc3Call(keys, now, "{}")
	a := tc3.Authorization{
		SecretID: keys.SecretID, Date: now.UTC().Format(time.DateOnly), Service: "sms",
		SignedHeaders: []string{"content-type", "host", "x-tc-action"},
	}
	canonical := "POST\n/\n\ncontent-type:application/json\nhost:" + TencentHost +
		"\nx-tc-action:sendsms\n\ncontent-type;host;x-tc-action\n" + tc3.Digest([]byte("{}"))
	r.Header.Set("Authorization", tc3.Algorithm+" Credential="+a.SecretID+"/"+a.Scope()+
		", SignedHeaders=content-type;host;x-tc-action, Signature="+
		tc3.Sign(keys.SecretKey, strconv.FormatInt(now.Unix(), 10), a, canonical))
	require.Nil(t, s.tencent.verify(r, now))
	r.Header.Set("X-TC-Action", "PullSmsSendStatus")
	rejected := s.tencent.verify(r, now)
	require.NotNil(t, rejected)
	require.Equal(t, "AuthFailure.SignatureFailure", rejected.Code)
}

func FuzzParseTC3(f *testing.F) {
	f.Add(tc3.Algorithm +
		" Credential=AKID/2019-02-25/sms/tc3_request, SignedHeaders=content-type;host, Signature=00ff")
	f.Add(tc3.Algorithm + " Credential=///, SignedHeaders=;, Signature=")
	f.Add("")
	f.Fuzz(func(t *testing.T, header string) {
		a, err := tc3.Parse(header)
		if err == nil && (a.SecretID == "" || a.Signature == "" || len(a.SignedHeaders) < 2) {
			t.Fatalf("accepted %q without a part: %+v", header, a)
		}
	})
}

// TestVerifyTencent_AnEndpointWithAPortAsTheVendorsSDKForNodeSignsIt covers an SDK that is given the simulators'
// address: it signs the host without its port, and takes the first label of the host as the service.
func TestVerifyTencent_AnEndpointWithAPortAsTheVendorsSDKForNodeSignsIt(t *testing.T) {
	t.Parallel()
	s, keys, now := newSimulator(), testKeys.Tencent, time.Now()
	sign := func(service, host string) *http.Request {
		r := tc3Call(keys, now, "{}")
		r.Host = "127.0.0.1:9090"
		a := tc3.Authorization{SecretID: keys.SecretID, Date: now.UTC().Format(time.DateOnly), Service: service,
			SignedHeaders: []string{"content-type", "host"}}
		signature := tc3.Sign(keys.SecretKey, r.Header.Get("X-TC-Timestamp"), a,
			tc3.Canonical(r, host, a.SignedHeaders, tc3.Digest([]byte("{}"))))
		r.Header.Set("Authorization", tc3.Algorithm+" Credential="+a.SecretID+"/"+a.Scope()+
			", SignedHeaders=content-type;host, Signature="+signature)
		return r
	}
	require.Nil(t, s.tencent.verify(sign("127", "127.0.0.1"), now))
	require.Nil(t, s.tencent.verify(sign("sms", "127.0.0.1:9090"), now))
	for _, wrong := range []*http.Request{sign("127", "127.0.0.2"), sign("128", "127.0.0.1"),
		sign("127", "127.0.0.1:80")} {
		rejected := s.tencent.verify(wrong, now)
		require.NotNil(t, rejected)
		require.Equal(t, "AuthFailure.SignatureFailure", rejected.Code)
	}
}

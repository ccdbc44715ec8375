package sms

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/tc3"
	"marquee/simulators/testclock"
)

// signed builds a call by hand, so that one thing at a time can be wrong with it.
func signed(keys dataset.SMSCredentials, nonce string, at time.Time) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "http://"+Host+"/?PhoneNumbers=13900000001&b=x+y*%7E", http.NoBody)
	r.Header.Set("x-acs-action", "SendSms")
	r.Header.Set("x-acs-version", "2017-05-25")
	r.Header.Set("x-acs-date", at.UTC().Format("2006-01-02T15:04:05Z"))
	r.Header.Set("x-acs-signature-nonce", nonce)
	r.Header.Set("x-acs-content-sha256", tc3.Digest(nil))
	authorize(r, keys, mustBeSigned)
	return r
}

func authorize(r *http.Request, keys dataset.SMSCredentials, headers []string) {
	canonical := canonicalRequest(r, headers, r.Header.Get("x-acs-content-sha256"))
	r.Header.Set("Authorization", acs3+" Credential="+keys.AccessKeyID+",SignedHeaders="+strings.Join(headers, ";")+
		",Signature="+sign(keys.AccessKeySecret, canonical))
}

var testKeys = dataset.NewCredentials(1)

func newSimulator() *Simulator {
	clock := testclock.New()
	return New(Config{Clock: clock, Plan: faults.NewPlan(), Journal: journal.New(10, clock.Now),
		Credentials: testKeys.SMS, Tencent: testKeys.Tencent})
}

func TestVerify_EachPartOfTheSignature(t *testing.T) {
	t.Parallel()
	s := newSimulator()
	now := time.Now()
	require.Nil(t, s.alibaba.verify(signed(testKeys.SMS, "right", now), now))

	for name, row := range map[string]struct {
		change func(*http.Request)
		code   string
	}{
		"no authorization": {func(r *http.Request) { r.Header.Del("Authorization") }, "MissingAuthorization"},
		"another scheme": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") },
			"InvalidAuthorization"},
		"query changed": {func(r *http.Request) { r.URL.RawQuery += "&c=1" }, "SignatureDoesNotMatch"},
		"host changed":  {func(r *http.Request) { r.Host = "elsewhere" }, "SignatureDoesNotMatch"},
		"header changed": {func(r *http.Request) { r.Header.Set("x-acs-action", "QuerySendDetails") },
			"SignatureDoesNotMatch"},
		"body not as hashed": {func(r *http.Request) { r.Header.Set("x-acs-content-sha256", tc3.Digest([]byte("x"))) },
			"SignatureDoesNotMatch"},
		"unsigned x-acs": {func(r *http.Request) { r.Header.Set("x-acs-more", "1") }, "IncompleteSignature"},
		"date not signed": {func(r *http.Request) { authorize(r, testKeys.SMS, []string{"host", "x-acs-action"}) },
			"IncompleteSignature"},
		"old": {func(r *http.Request) {
			r.Header.Set("x-acs-date", now.Add(-16*time.Minute).UTC().Format("2006-01-02T15:04:05Z"))
			authorize(r, testKeys.SMS, mustBeSigned)
		}, "InvalidTimeStamp.Expired"},
		"date malformed": {func(r *http.Request) {
			r.Header.Set("x-acs-date", "today")
			authorize(r, testKeys.SMS,
				mustBeSigned)
		}, "InvalidTimeStamp.Format"},
		"nonce again": {func(r *http.Request) {
			r.Header.Set("x-acs-signature-nonce", "right")
			authorize(r, testKeys.SMS, mustBeSigned)
		}, "SignatureNonceUsed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := signed(testKeys.SMS, name, now)
			row.change(r)
			rejected := s.alibaba.verify(r, now)
			require.NotNil(t, rejected)
			require.Equal(t, row.code, rejected.Code)
		})
	}
}

func TestState_ANonceStaysUsedInARestoredWorld(t *testing.T) {
	t.Parallel()
	s, now := newSimulator(), time.Now()
	require.Nil(t, s.alibaba.verify(signed(testKeys.SMS, "used", now), now))
	restored := newSimulator()
	restored.Load(s.Save())
	rejected := restored.alibaba.verify(signed(testKeys.SMS, "used", now), now)
	require.NotNil(t, rejected)
	require.Equal(t, "SignatureNonceUsed", rejected.Code)
}

func FuzzParseAuthorization(f *testing.F) {
	f.Add(acs3 + " Credential=LTAI,SignedHeaders=host;x-acs-date,Signature=00ff")
	f.Add(acs3 + " Credential=,,=")
	f.Add("")
	f.Fuzz(func(t *testing.T, header string) {
		keyID, headers, signature, err := tc3.Parts(header, acs3)
		if err == nil && (keyID == "" || signature == "" || len(headers) == 0) {
			t.Fatalf("accepted %q without a part: %q %q %q", header, keyID, headers, signature)
		}
	})
}

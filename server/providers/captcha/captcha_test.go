package captcha_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/providers/captcha"
	"marquee/server/providers/transport"
)

const (
	secretID, secretKey = "AKIDexample", "an API key"
	ticket, random      = "t03ticket", "@rnd"
)

func client(t *testing.T, vendor http.HandlerFunc) *captcha.Client {
	t.Helper()
	server := httptest.NewServer(vendor)
	t.Cleanup(server.Close)
	c, err := captcha.New(captcha.Config{
		SecretID: secretID, SecretKey: secretKey, AppID: 190000001, AppSecretKey: "app secret",
		SimulatorURL: server.URL, Operations: transport.Operations{Limit: time.Second},
	})
	require.NoError(t, err)
	return c
}

func check(c *captcha.Client) error {
	return c.Check(context.Background(), account.ChallengeAnswer{Ticket: ticket, Random: random}, "203.0.113.7")
}

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

func hash(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// signature is TC3-HMAC-SHA256 as the vendor documents it, computed from what arrived.
func signature(r *http.Request, body, signed string) string {
	var headers strings.Builder
	for name := range strings.SplitSeq(signed, ";") {
		value := r.Header.Get(name)
		if name == "host" {
			value = r.Host
		}
		fmt.Fprintf(&headers, "%s:%s\n", name, strings.ToLower(value))
	}
	canonical := strings.Join([]string{r.Method, "/", "", headers.String(), signed, hash(body)}, "\n")
	stamp := r.Header.Get("X-TC-Timestamp")
	seconds, _ := strconv.ParseInt(stamp, 10, 64)
	date := time.Unix(seconds, 0).UTC().Format("2006-01-02")
	scope := date + "/captcha/tc3_request"
	key := mac(mac(mac([]byte("TC3"+secretKey), date), "captcha"), "tc3_request")
	return hex.EncodeToString(mac(key, strings.Join([]string{"TC3-HMAC-SHA256", stamp, scope, hash(canonical)}, "\n")))
}

func TestCheck_AsksAsTheVendorDocumentsIt(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 1)
	c := client(t, func(w http.ResponseWriter, r *http.Request) {
		defer func() { asked <- struct{}{} }()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		authorization := r.Header.Get("Authorization")
		_, rest, _ := strings.Cut(authorization, "SignedHeaders=")
		signed, given, _ := strings.Cut(rest, ", Signature=")
		if want := signature(r, string(body), signed); given != want {
			t.Errorf("%s: want %s", authorization, want)
		}
		if r.Host != captcha.Endpoint || !strings.Contains(signed, "host") ||
			r.Header.Get("X-TC-Action") != "DescribeCaptchaResult" || r.Header.Get("X-TC-Version") != "2019-07-22" {
			t.Error(r.Host, r.Header)
		}
		var form map[string]any
		if err := json.Unmarshal(body, &form); err != nil {
			t.Error(err)
		}
		want := map[string]any{
			"CaptchaType": 9.0, "Ticket": ticket, "Randstr": random, "UserIp": "203.0.113.7",
			"CaptchaAppId": 190000001.0, "AppSecretKey": "app secret",
		}
		if fmt.Sprint(form) != fmt.Sprint(want) {
			t.Error(form)
		}
		_, _ = io.WriteString(w, `{"Response":{"CaptchaCode":1,"CaptchaMsg":"OK","EvilLevel":0,"RequestId":"1"}}`)
	})
	require.NoError(t, check(c))
	<-asked
}

func TestCheck_Outcomes(t *testing.T) {
	t.Parallel()
	answers := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	for body, want := range map[string]error{
		`{"Response":{"CaptchaCode":1}}`:                                                     nil,
		`{"Response":{"CaptchaCode":8,"CaptchaMsg":"ticket timeout"}}`:                       account.ErrChallengeFailed,
		`{"Response":{"CaptchaCode":9,"CaptchaMsg":"ticket reused"}}`:                        account.ErrChallengeFailed,
		`{"Response":{"CaptchaCode":100,"CaptchaMsg":"appid-secretkey-ticket"}}`:             account.ErrChallengeFailed,
		`{"Response":{"CaptchaCode":26,"CaptchaMsg":"system internal error"}}`:               fault.ErrUnavailable,
		`{"Response":{"RequestId":"1"}}`:                                                     fault.ErrUnavailable,
		`<html>`:                                                                             fault.ErrUnavailable,
		`{"Response":{"CaptchaCode":1,"CaptchaMsg":"` + strings.Repeat("x", 100<<10) + `"}}`: fault.ErrUnavailable,
	} {
		err := check(client(t, answers(200, body)))
		require.ErrorIs(t, err, want, "%.80s", body)
		if err != nil {
			require.NotContains(t, err.Error(), ticket)
		}
	}
	for status, want := range map[int]error{
		500: fault.ErrUnavailable, 503: fault.ErrUnavailable, 429: fault.ErrUnavailable,
		400: account.ErrChallengeFailed, 413: account.ErrChallengeFailed, 431: account.ErrChallengeFailed,
	} {
		require.ErrorIs(t, check(client(t, answers(status, `{"Response":{"CaptchaCode":1}}`))), want, "%d", status)
	}
	require.ErrorIs(t, check(client(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })),
		fault.ErrUnavailable)
}

// An error that a client may cause by its input is not an outage, and neither is an unknown one.
func TestCheck_ErrorsOfTheVendor(t *testing.T) {
	t.Parallel()
	var code string
	c := client(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"Response":{"Error":{"Code":%q,"Message":"t03ticket"},"RequestId":"1"}}`, code)
	})
	for vendors, want := range map[string]error{
		"InvalidParameter": account.ErrChallengeFailed, "InvalidParameterValue": account.ErrChallengeFailed,
		"InvalidParameter.TicketFormat": account.ErrChallengeFailed, "MissingParameter": account.ErrChallengeFailed,
		"UnknownParameter": account.ErrChallengeFailed, "RequestSizeLimitExceeded": account.ErrChallengeFailed,
		"FailedOperation": account.ErrChallengeFailed, "ANewCode": account.ErrChallengeFailed,
		"InternalErrorOfTheTicket": account.ErrChallengeFailed,
		"InternalError":            fault.ErrUnavailable, "ResourceUnavailable": fault.ErrUnavailable,
		"AuthFailure.SecretIdNotFound": fault.ErrUnavailable, "UnauthorizedOperation": fault.ErrUnavailable,
		"UnauthorizedOperation.ErrAuth": fault.ErrUnavailable, "RequestLimitExceeded": fault.ErrUnavailable,
		"LimitExceeded": fault.ErrUnavailable,
	} {
		code = vendors
		err := check(c)
		require.ErrorIs(t, err, want, vendors)
		require.NotContains(t, err.Error(), ticket)
	}
}

func TestCheck_AClientThatHasGoneIsNoOutage(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	// The server notices that the client has disconnected only while it reads.
	done := make(chan struct{})
	c := client(t, func(http.ResponseWriter, *http.Request) {
		cancel()
		<-done
	})
	defer close(done)
	err := c.Check(ctx, account.ChallengeAnswer{Ticket: ticket, Random: random}, "203.0.113.7")
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, fault.ErrUnavailable)
}

func TestCheck_ASlowVendorEndsWithTheTimeout(t *testing.T) {
	t.Parallel()
	done := make(chan struct{})
	c := client(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-done:
		}
	})
	defer close(done)
	require.ErrorIs(t, check(c), fault.ErrUnavailable)
}

func TestNew_NamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := captcha.New(captcha.Config{SecretID: "a", SecretKey: "b", AppSecretKey: "c"})
	require.ErrorContains(t, err, "AppID")
	_, err = captcha.New(captcha.Config{AppID: 1, SecretKey: "b", AppSecretKey: "c"})
	require.ErrorContains(t, err, "SecretID")
	_, err = captcha.New(captcha.Config{AppID: 1, SecretID: "a", SecretKey: "b", AppSecretKey: "c", SimulatorURL: "x"})
	require.ErrorContains(t, err, "SimulatorURL")
}

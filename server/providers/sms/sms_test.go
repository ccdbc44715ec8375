package sms_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/providers/sms"
	"marquee/server/providers/transport"
)

// client returns a client whose vendor is handler.
func client(t *testing.T, handler http.HandlerFunc) *sms.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return at(t, server.URL)
}

func at(t *testing.T, simulatorURL string) *sms.Client {
	t.Helper()
	c, err := sms.New(sms.Config{
		AccessKeyID: "id", AccessKeySecret: "secret", SignName: "影票商城", TemplateCode: "SMS_1",
		SimulatorURL: simulatorURL, Operations: transport.Operations{Limit: time.Second},
	})
	require.NoError(t, err)
	return c
}

func answers(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestSendCode_KeepsTheVendorsHostAndSigns(t *testing.T) {
	t.Parallel()
	c := client(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, sms.DefaultEndpoint, r.Host)
		assert.Equal(t, "13900000001", r.FormValue("PhoneNumbers"))
		assert.JSONEq(t, `{"code":"482913"}`, r.FormValue("TemplateParam"))
		assert.Regexp(t, `^ACS3-HMAC-SHA256 Credential=id,`, r.Header.Get("Authorization"))
		answers(200, "application/json", `{"Code":"OK","Message":"OK","RequestId":"r","BizId":"b"}`)(w, r)
	})
	require.NoError(t, c.SendCode(t.Context(), "13900000001", "482913"))
}

// Codes and phone numbers must not be logged, even if the vendor fails.
func TestSendCode_ErrorsNameNeitherPhoneNorCode(t *testing.T) {
	t.Parallel()
	const phone, code = "13900000001", "482913"
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]*sms.Client{
		"not connected": at(t, gone.URL),
		"hangs up":      client(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		"repeats both": client(t, answers(400, "application/json",
			`{"Code":"Bad","Message":"13900000001 got 482913"}`)),
		"rejects": client(t, answers(200, "application/json",
			`{"Code":"isv.X","Message":"13900000001 got 482913"}`)),
		"HTML": client(t, answers(502, "text/html", "13900000001 482913")),
	} {
		err := c.SendCode(t.Context(), phone, code)
		require.Error(t, err, name)
		for _, secret := range []string{phone, code, "TemplateParam"} {
			assert.NotContains(t, err.Error(), secret, name)
		}
	}
}

func TestSendCode_Rejections(t *testing.T) {
	t.Parallel()
	business := func(code string) http.HandlerFunc {
		return answers(200, "application/json", `{"Code":"`+code+`","Message":"m","RequestId":"r"}`)
	}
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   *fault.Fault
	}{
		"too many":          {business("isv.BUSINESS_LIMIT_CONTROL"), account.ErrSMSLimited},
		"too many in a day": {business("isv.DAY_LIMIT_CONTROL"), account.ErrSMSLimited},
		"illegal number":    {business("isv.MOBILE_NUMBER_ILLEGAL"), account.ErrPhoneRejected},
		"no money":          {business("isv.AMOUNT_NOT_ENOUGH"), fault.ErrUnavailable},
		"vendor in trouble": {business("isp.SYSTEM_ERROR"), fault.ErrUnknown},
		"a new code":        {business("xyz"), fault.ErrUnknown},
		"bad signature": {answers(400, "application/json", `{"Code":"SignatureDoesNotMatch","Message":"m"}`),
			fault.ErrUnavailable},
		"throttled": {answers(429, "application/json", `{"Code":"Throttling.User","Message":"m"}`),
			fault.ErrUnavailable},
		"internal error": {answers(500, "application/json", `{"Code":"InternalError","Message":"m"}`),
			fault.ErrUnknown},
		"HTML with 502":        {answers(502, "text/html", "<html>bad gateway</html>"), fault.ErrUnknown},
		"HTML with 200":        {answers(200, "text/html", "<html>portal</html>"), fault.ErrUnknown},
		"null":                 {answers(200, "application/json", "null"), fault.ErrUnknown},
		"null with 400":        {answers(400, "application/json", "null"), fault.ErrUnknown},
		"a list":               {answers(200, "application/json", "[1]"), fault.ErrUnknown},
		"empty":                {answers(200, "application/json", ""), fault.ErrUnknown},
		"code of another type": {answers(200, "application/json", `{"Code":7}`), fault.ErrUnknown},
		"no code":              {answers(200, "application/json", `{}`), fault.ErrUnknown},
		"truncated": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"Code":"OK"`)
		}, fault.ErrUnknown},
		"reset": {func(w http.ResponseWriter, _ *http.Request) { hangUp(t, w) }, fault.ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := client(t, tt.answer).SendCode(t.Context(), "13900000001", "482913")
			require.ErrorIs(t, err, tt.want)
			assert.Equal(t, tt.want.Kind, fault.KindOf(err))
		})
	}
}

func TestSendCode_NotConnected(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	err = at(t, "http://"+l.Addr().String()).SendCode(t.Context(), "13900000001", "482913")
	require.ErrorIs(t, err, fault.ErrUnavailable)
}

func TestSendCode_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := client(t, func(http.ResponseWriter, *http.Request) {
		cancel() // the message has arrived there
		<-release
	})
	t.Cleanup(func() { close(release) })
	require.ErrorIs(t, c.SendCode(ctx, "13900000001", "482913"), fault.ErrUnknown)
}

func TestNew_NamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := sms.New(sms.Config{AccessKeyID: "id", AccessKeySecret: "s", SignName: "n"})
	require.ErrorContains(t, err, "TemplateCode")
	_, err = sms.New(sms.Config{AccessKeyID: "id", AccessKeySecret: "s", SignName: "n", TemplateCode: "t",
		SimulatorURL: "127.0.0.1"})
	require.ErrorContains(t, err, "SimulatorURL")
}

func hangUp(t *testing.T, w http.ResponseWriter) {
	t.Helper()
	conn, _, err := http.NewResponseController(w).Hijack()
	if assert.NoError(t, err) {
		assert.NoError(t, conn.(*net.TCPConn).SetLinger(0))
		assert.NoError(t, conn.Close())
	}
}

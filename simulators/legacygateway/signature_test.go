package legacygateway_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/legacygateway"
	"marquee/simulators/testclock"
)

// The digests were computed with md5sum and openssl.
func TestSign_AsOtherToolsCompute(t *testing.T) {
	t.Parallel()
	form := url.Values{"foo": {"1"}, "bar": {"2"}, "foo_bar": {"3"}, "foobar": {"4"}, "empty": {""},
		"sign": {"ignored"}}
	assert.Equal(t, "bar2foo1foo_bar3foobar4", legacygateway.Joined(form))
	for method, want := range map[string]string{
		"":            "5AAF1C690262A24768F5478B084C2C8A",
		"hmac-md5":    "E687005F819D6F9E6ED085311C8ACC75",
		"hmac-sha256": "339676BF36C50A8BD3D8F6B4A81B2F9AA614B05BFCFEBEFC169CB830D6B77D3B",
	} {
		got, err := legacygateway.Sign(form, "helloworld", legacygateway.Dialect{Method: method})
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := legacygateway.Sign(form, "helloworld", legacygateway.Dialect{Method: "rot13"})
	require.Error(t, err)
}

func TestVerify_RejectsEveryOtherCall(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	at := func(d time.Duration) string { return time.Now().Add(d).In(dataset.Zone).Format(time.DateTime) }
	with := func(name, value string) url.Values {
		form := r.form("city.list")
		form.Set(name, value)
		return r.sign(form)
	}
	unsigned := func(name, value string) url.Values {
		form := r.form("city.list")
		form.Set(name, value)
		return form
	}
	for name, row := range map[string]struct {
		form url.Values
		code string
	}{
		"no method":          {unsigned("method", ""), "1001"},
		"no sign":            {unsigned("sign", ""), "1001"},
		"no timestamp":       {unsigned("timestamp", ""), "1001"},
		"unknown appkey":     {with("appkey", "999"), "1002"},
		"wrong sign":         {unsigned("sign", strings.Repeat("A", 32)), "1003"},
		"lower-case sign":    {unsigned("sign", strings.ToLower(r.form("city.list").Get("sign"))), "1003"},
		"changed afterwards": {unsigned("keyword", "上海"), "1003"},
		"too old":            {with("timestamp", at(-11*time.Minute)), "1004"},
		"from the future":    {with("timestamp", at(11*time.Minute)), "1004"},
		"unknown method":     {with("method", "city.lists"), "1005"},
		"no time":            {with("timestamp", "yesterday"), "1006"},
		"unknown digest":     {unsigned("sign_method", "rot13"), "1006"},
		"other version":      {with("v", "1.0"), "1007"},
	} {
		code, _ := r.send(row.form)
		assert.Equal(t, row.code, code, name)
	}
	for _, accepted := range []url.Values{
		with("timestamp", at(-9*time.Minute)), with("sign_method", "md5"), with("sign_method", "hmac-md5"),
		with("sign_method", "hmac-sha256"),
	} {
		code, _ := r.send(accepted)
		assert.Empty(t, code)
	}
	double := r.form("city.list").Encode() + "&v=2.0&sign=A&method=city.list&appkey=10000001"
	for range 10 {
		_, answer := r.post(formType, double)
		assert.Contains(t, answer, "1006")
		assert.Contains(t, answer, "参数appkey重复", "the same parameter in every run")
	}
}

func TestVerify_WireTimeStaysRealWhenBusinessTimeMoves(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	r.Clock.Advance(40 * 24 * time.Hour)
	code, _ := r.call("city.list")
	assert.Empty(t, code)
}

func TestVerify_TheJournalShowsWhyASignatureWasRejected(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	form := r.form("city.list", "keyword", "shang")
	want := form.Get("sign")
	form.Set("sign", "F00D")
	code, _ := r.send(form)
	require.Equal(t, "1003", code)
	entry := r.Journal.Entries(journal.Filter{Verdict: journal.Rejected, Limit: 1})[0]
	assert.Equal(t, "city.list", entry.Operation)
	assert.Contains(t, entry.Reason, "expected sign "+want)
	assert.Contains(t, entry.Reason, "got F00D")
	assert.Contains(t, entry.Reason, legacygateway.Joined(form), "the text under the signature")
	assert.NotContains(t, entry.Reason+entry.Request, secret)
}

func TestJournal_HasTheNameOfAnUnknownMethod(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	for method, shown := range map[string]string{"city.lists": "city.lists",
		strings.Repeat("座", 30): strings.Repeat("座", 21) + "…"} {
		code, _ := r.send(r.form(method))
		require.Equal(t, "1005", code)
		assert.Equal(t, shown, r.Journal.Entries(journal.Filter{Verdict: journal.Rejected, Limit: 1})[0].Operation)
	}
}

func TestVerify_DialectIsConfiguration(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{Method: "hmac-sha256", Lower: true, Window: time.Minute})
	code, _ := r.call("city.list")
	assert.Empty(t, code)
	form := r.form("city.list")
	form.Set("timestamp", time.Now().Add(-2*time.Minute).In(dataset.Zone).Format(time.DateTime))
	code, _ = r.send(r.sign(form))
	assert.Equal(t, "1004", code)
}

func TestHandler_RejectsOtherPathsMethodsTypesAndSizes(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	_, answer := r.post("application/json", `{"method":"city.list"}`)
	assert.Contains(t, answer, `"code":"1006"`)
	_, answer = r.post(formType, "method=%zz")
	assert.Contains(t, answer, `"code":"1006"`)
	status, _ := r.post(formType, strings.Repeat("a=b&", 1<<19))
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	response, err := http.Get(r.url)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusMethodNotAllowed, response.StatusCode)
	_, err = r.Plan.Add(faults.Fault{Provider: legacygateway.Name, Operation: "city.list", Do: faults.Status,
		Status: 503})
	require.NoError(t, err)
	response, err = http.PostForm(r.url+"/other", r.form("city.list"))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusNotImplemented, response.StatusCode)
	assert.Zero(t, r.Plan.Faults()[0].Hits, "the fault is for the gateway's path")
}

// FuzzAnswer sends any form. The fuzzer does not know the secret, so every answer is a rejection with a code 10….
func FuzzAnswer(f *testing.F) {
	clock := testclock.New()
	gateway := legacygateway.New(legacygateway.Config{
		Country: dataset.NewCountry(1, clock), Clock: clock, Plan: faults.NewPlan(), Journal: journal.New(1, clock.Now),
		Credentials: dataset.GatewayCredentials{AppKey: "10000001", Secret: secret},
		BaseURL:     func() string { return "" }, PushURL: func() string { return "" },
	}).Handler()
	f.Add("method=city.list&appkey=10000001&v=2.0&timestamp=2026-01-01 00:00:00&sign=0")
	f.Add("method=seat.lock&appkey=10000001&v=2.0&timestamp=&sign=&seatids=1|2||3&sign_method=hmac-md5")
	f.Add("a=%zz&;=&&&=")
	f.Fuzz(func(t *testing.T, body string) {
		request := httptest.NewRequest(http.MethodPost, "/gateway", strings.NewReader(body))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer := httptest.NewRecorder()
		gateway.ServeHTTP(answer, request)
		if answer.Code != http.StatusOK || !strings.HasPrefix(answer.Body.String(),
			`{"success":false,"error":{"code":"10`) {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
	})
}

// FuzzSeatIDs splits any list of seat ids: joined again it is the same, and no id is empty.
func FuzzSeatIDs(f *testing.F) {
	f.Add("0101|0102")
	f.Add("|")
	f.Add(strings.Repeat("1|", 200))
	f.Fuzz(func(t *testing.T, joined string) {
		ids, ok := legacygateway.SeatIDs(joined)
		if !ok {
			return
		}
		if strings.Join(ids, "|") != joined || len(ids) > 100 {
			t.Fatalf("%q became %q", joined, ids)
		}
		for _, id := range ids {
			if id == "" {
				t.Fatalf("an empty id in %q", joined)
			}
		}
	})
}

package wechat

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

var testKeys = dataset.NewCredentials(1).WeChat

// newSimulator returns a simulator and the key with which its merchant signs.
func newSimulator() (*Simulator, *signer) {
	clock := testclock.New()
	s := New(Config{
		Seed: 1, Clock: clock, Plan: faults.NewPlan(), Journal: journal.New(50, clock.Now), Credentials: testKeys,
		PlatformKey: dataset.PlatformKeyPEM(), PublicKey: dataset.PublicKeyPairPEM(),
	})
	return s, sharedSigner(testKeys.MchPrivateKeyPEM, testKeys.MchSerial)
}

// call is a signed call; each test changes one part of it.
type call struct {
	method, target, body string
	at                   time.Time
	nonce                string
}

func (c call) send(s *Simulator, key *signer, change func(*http.Request)) *httptest.ResponseRecorder {
	signature := key.sign(requestMessage(c.method, strings.TrimPrefix(c.target, "http://"+PayHost), c.at.Unix(),
		c.nonce, []byte(c.body)))
	r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "test")
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Authorization",
		fmt.Sprintf(`%s mchid="%s",nonce_str="%s",timestamp="%d",serial_no="%s",signature="%s"`,
			scheme, testKeys.MchID, c.nonce, c.at.Unix(), key.serial, signature))
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.PayHandler().ServeHTTP(w, r)
	return w
}

func TestVerify_OneThingWrongAtATime(t *testing.T) {
	t.Parallel()
	s, key := newSimulator()
	good := call{http.MethodGet, "http://" + PayHost + "/v3/certificates?a=1", "", time.Now(), "n0"}
	require.Equal(t, http.StatusOK, good.send(s, key, nil).Code)
	rows := map[string]struct {
		change func(*http.Request)
		at     time.Time
		status int
		text   string
	}{
		"no header": {func(r *http.Request) { r.Header.Del("Authorization") }, time.Now(), 401, "格式错误"},
		"another scheme": {func(r *http.Request) { r.Header.Set("Authorization", "Bearer 1") }, time.Now(), 401,
			"格式错误"},
		"another query":  {func(r *http.Request) { r.URL.RawQuery = "a=2" }, time.Now(), 401, "验签失败"},
		"another method": {func(r *http.Request) { r.Method = http.MethodHead }, time.Now(), 401, "验签失败"},
		"a body":         {func(r *http.Request) { r.Body = body("x") }, time.Now(), 401, "验签失败"},
		"too old":        {nil, time.Now().Add(-timeWindow - 2*time.Second), 401, "5分钟"},
		"from ahead":     {nil, time.Now().Add(timeWindow + 2*time.Second), 401, "5分钟"},
		"nonce again":    {nil, time.Now(), 401, "nonce_str重复"},
		"no accept":      {func(r *http.Request) { r.Header.Del("Accept") }, time.Now(), 400, "Accept"},
	}
	for name, row := range rows {
		c := good
		c.at, c.nonce = row.at, strings.ReplaceAll(name, " ", "")
		if name == "nonce again" {
			c.nonce = "n0"
		}
		w := c.send(s, key, row.change)
		require.Equal(t, row.status, w.Code, name)
		require.Contains(t, w.Body.String(), row.text, name)
		require.NotEmpty(t, w.Header().Get("Wechatpay-Signature"), "rejections are signed too")
	}
	fringe := good
	fringe.at, fringe.nonce = time.Now().Add(-timeWindow+2*time.Second), "fringe"
	require.Equal(t, http.StatusOK, fringe.send(s, key, nil).Code)
}

func TestVerify_ThePrefixMayBeSignedOrNot(t *testing.T) {
	t.Parallel()
	s, key := newSimulator()
	long := call{http.MethodGet, "http://" + PayHost + "/wechatpay/v3/certificates", "", time.Now(), "long"}
	require.Equal(t, http.StatusOK, long.send(s, key, nil).Code)
	short := call{http.MethodGet, "http://" + PayHost + "/v3/certificates", "", time.Now(), "short"}
	require.Equal(t, http.StatusOK, short.send(s, key, func(r *http.Request) {
		r.URL.Path = "/wechatpay" + r.URL.Path
	}).Code)
}

func TestPrepay_BodiesThatDoNotFit(t *testing.T) {
	t.Parallel()
	s, key := newSimulator()
	for i, text := range []string{``, `{`, `[]`, `{"amount":{"total":"1"}}`, `{"amount":{"total":1.5}}`, `{"payer":7}`,
		`null`, `{"time_expire":"soon"}`} {
		c := call{http.MethodPost, "http://" + PayHost + "/v3/pay/transactions/jsapi", text, time.Now(),
			fmt.Sprint("body", i)}
		w := c.send(s, key, nil)
		require.Equal(t, http.StatusBadRequest, w.Code, text)
		require.Contains(t, w.Body.String(), `"PARAM_ERROR"`, text)
	}
	c := call{http.MethodPost, "http://" + PayHost + "/v3/pay/transactions/jsapi", strings.Repeat(" ", 2<<20),
		time.Now(), "huge"}
	require.Equal(t, http.StatusRequestEntityTooLarge, c.send(s, key, nil).Code)
}

func FuzzParseAuthorization(f *testing.F) {
	signature := base64.StdEncoding.EncodeToString([]byte("signature"))
	f.Add(scheme + ` mchid="1",nonce_str="n",timestamp="1",serial_no="A",signature="` + signature + `"`)
	f.Add(scheme + ` signature="==",timestamp="x", mchid="",mchid=""`)
	f.Add(scheme + ` ",",="`)
	f.Add("")
	f.Fuzz(func(t *testing.T, header string) {
		a, err := parseAuthorization(header)
		if err == nil && (a.MchID == "" || a.Nonce == "" || a.Serial == "" || len(a.Nonce) > 64) {
			t.Fatalf("accepted %q without a part: %+v", header, a)
		}
	})
}

func body(text string) io.ReadCloser { return io.NopCloser(strings.NewReader(text)) }

// FuzzPayCalls sends any body, correctly signed: the answer is signed JSON and never an internal error.
func FuzzPayCalls(f *testing.F) {
	for _, body := range []string{
		`{"appid":"wx","amount":{"total":9223372036854775807}}`, `{"amount":{"refund":1e3,"total":-0}}`,
		`{"mchid":null}`, "\xff{}", `{"out_trade_no":"\u0000\ud800"}`, `[[[[`,
		`{"time_expire":"9999-12-31T23:59:59+08:00"}`, `{"notify_url":"https://[::1%25]/"}`, "\ufeff{}",
	} {
		for target := range uint8(4) {
			f.Add(target, body)
		}
	}
	s, key := newSimulator()
	targets := []string{"/v3/pay/transactions/jsapi", "/v3/refund/domestic/refunds",
		"/v3/pay/transactions/out-trade-no/ORDER-1/close", "/v3/pay/partner/transactions/native"}
	f.Fuzz(func(t *testing.T, target uint8, text string) {
		c := call{http.MethodPost, "http://" + PayHost + targets[int(target)%len(targets)], text, time.Now(),
			randomHex(16)}
		w := c.send(s, key, nil)
		if w.Code >= 500 || w.Code == http.StatusUnauthorized || w.Header().Get("Wechatpay-Signature") == "" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if w.Code != http.StatusNoContent && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%d %q", w.Code, w.Body)
		}
	})
}

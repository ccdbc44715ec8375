package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
)

func TestWxLogin_ReturnsToTheShopsOwnHostsOnly(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	for _, c := range []struct {
		url string
		ok  bool
	}{
		{"https://shop.example/quickLogin?a=1", true},
		{"http://shop.example/", true},
		{"https://evil.example/", false},
		{"https://shop.example.evil.example/", false},
		{"https://shop.example:8443/", false},
		{"https://shop.example@evil.example/", false},
		{"https://user@shop.example/", false},
		{"https:evil.example", false},
		{"//shop.example/", false},
		{"/quickLogin", false},
		{"javascript:alert(1)//shop.example", false},
		{"https://shop.example\\@evil.example/", false},
		{"", false},
	} {
		for _, path := range []string{"/Login/wxlogin", "/movie/route/Movie/getLocation"} {
			a := r.form(t, path, map[string]string{"url": c.url})
			if !c.ok {
				require.Equal(t, "url_not_allowed", a.Error, "%s %s", path, c.url)
			} else {
				require.NotEqual(t, "url_not_allowed", a.Error, "%s %s", path, c.url)
			}
		}
	}
}

func TestWxLogin_TheStateIsTiedToTheBrowser(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.Secure = true })
	a := r.form(t, "/Login/wxlogin", map[string]string{"url": "https://shop.example/quickLogin"})
	var start struct{ URL, State string }
	require.NoError(t, json.Unmarshal(a.Data, &start))
	require.Equal(t, "the-state", start.State)
	cookies := (&http.Response{Header: a.Header}).Cookies()
	require.Len(t, cookies, 1)
	c := cookies[0]
	require.Equal(t, "the-seal", c.Value, "the state would be valid in any browser")
	require.True(t, c.HttpOnly)
	require.True(t, c.Secure)
	require.Equal(t, http.SameSiteLaxMode, c.SameSite)
	require.Equal(t, "/Login", c.Path)
	require.Empty(t, c.Domain, "only for this host")

	post := func(state string, cookie *http.Cookie, token string) answer {
		req := r.request(t, http.MethodPost, "/Login/getopenid", encode(map[string]string{
			"channel_no": testChannel.No, "code": "c", "state": state, "token": token,
		}))
		if cookie != nil {
			req.AddCookie(cookie)
		}
		return r.do(t, req)
	}
	require.Equal(t, "oauth_state_invalid", post("the-state", nil, "").Error, "another browser")
	back := post("the-state", c, "")
	require.EqualValues(t, 200, back.Code, back.Body)
	set := (&http.Response{Header: back.Header}).Cookies()
	require.Len(t, set, 2)
	require.Negative(t, set[0].MaxAge)
	require.Equal(t, "the-browser", set[1].Value, "the proof is tied to the browser")
	require.Equal(t, "/", set[1].Path, "proofs are used below /Member, too")
	require.Equal(t, int(durations.Proof.Seconds()), set[1].MaxAge)
	require.True(t, set[1].HttpOnly && set[1].Secure && set[1].SameSite == http.SameSiteLaxMode)
	require.Empty(t, set[1].Domain)
	require.Empty(t, r.accounts.finished.Token)

	require.EqualValues(t, 200, post("the-state", c, goodToken).Code)
	require.Equal(t, goodToken, r.accounts.finished.Token, "the identity may be bound to the buyer of the session")
	require.Equal(t, "login_required", post("the-state", c, "an-old-token").Error)
}

func TestAnswers_EnvelopeByBackend(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	main := r.form(t, "/Login/sendcode", map[string]string{"phone": "13800000001"})
	require.JSONEq(t, `{"code":200,"msg":"ok","data":{"wait":60}}`, main.Body)
	login := r.form(t, "/Login/phoneLogin", map[string]string{"phone": "13800000001", "code": "1"})
	require.JSONEq(t,
		`{"code":200,"msg":"ok","data":{"token":"`+goodToken+`","uid":"1","openid":"","yz_code":""}}`, login.Body)
	newer := r.form(t, "/newmovie/seat/time", nil)
	require.JSONEq(t, `{"code":0,"msg":"ok","data":{"time":1777636800}}`, newer.Body)
	gateway := r.form(t, "/movie/route", map[string]string{"method": "city.list"})
	require.JSONEq(t, `{"success":true,"error":null,"data":{"cityList":[
		{"cityid":"310100","cityname":"上海市","pinyin":"shanghai","hot":0}
	]}}`, gateway.Body)
	rejected := r.form(t, "/movie/route", map[string]string{"method": "seat.lock"})
	require.JSONEq(t, `{"success":false,"error":{"code":"1005","msg":"接口方法不支持"},
		"error_code":"method_not_allowed","data":null}`, rejected.Body)
	card := r.form(t, "/api/api.php/Card/lists", nil)
	require.JSONEq(t, `{"code":-1,"msg":"请先登录","error":"login_required","data":null}`, card.Body)
}

func TestSendCode_TooSoonReturnsTheTimeToWait(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	r.accounts.codeErr = fmt.Errorf("keep the code: %w", account.ErrSMSLimited.WithRetryAfter(41500*time.Millisecond))
	a := r.form(t, "/Login/sendcode", map[string]string{"phone": "13800000001"})
	require.JSONEq(t, `{"code":400,"msg":"发送过于频繁，请稍后再试","error":"sms_limited","data":{"wait":42}}`, a.Body)
	require.Equal(t, "42", a.Header.Get("Retry-After"))
	r.accounts.codeErr = account.ErrSMSLimited
	a = r.form(t, "/Login/sendcode", map[string]string{"phone": "13800000001"})
	require.JSONEq(t, `{"code":400,"msg":"发送过于频繁，请稍后再试","error":"sms_limited","data":null}`, a.Body,
		"the limit of a day has no countdown")
}

func TestSendCode_NamesTheDeviceAndTheAnswerToTheChallenge(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.Secure = true })
	login := r.form(t, "/Login/phoneLogin", map[string]string{"phone": "13800000001", "code": "123456"})
	cookies := (&http.Response{Header: login.Header}).Cookies()
	require.Len(t, cookies, 2)
	device := cookies[0]
	for i, path := range []string{"/Login", "/newmovie/seat/quicklogin"} {
		require.Equal(t, "marquee_device", cookies[i].Name)
		require.Equal(t, path, cookies[i].Path)
		require.Equal(t, device.Value, cookies[i].Value)
		require.True(t, cookies[i].HttpOnly && cookies[i].Secure && cookies[i].SameSite == http.SameSiteLaxMode)
		require.Equal(t, int(durations.Device.Seconds()), cookies[i].MaxAge)
	}

	known := account.EnsureDevice("")
	req := r.request(t, http.MethodPost, "/Login/sendcode",
		"channel_no=ch1&phone=13800000001&ticket=t03abc&randstr=%40xyz")
	req.AddCookie(&http.Cookie{Name: device.Name, Value: known})
	require.EqualValues(t, 200, r.do(t, req).Code)
	require.Equal(t, account.Origin{
		Address: "127.0.0.1", Device: known, Answer: account.ChallengeAnswer{Ticket: "t03abc", Random: "@xyz"},
	}, r.accounts.from)
}

func TestSendCode_GivesTheClientADevice(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	a := r.form(t, "/Login/sendcode", map[string]string{"phone": "13800000001"})
	cookies := (&http.Response{Header: a.Header}).Cookies()
	require.Len(t, cookies, 2)
	require.Equal(t, cookies[0].Value, r.accounts.from.Device)
	req := r.request(t, http.MethodPost, "/Login/sendcode", "channel_no=ch1&phone=13800000001")
	req.AddCookie(&http.Cookie{Name: cookies[0].Name, Value: cookies[0].Value})
	again := r.do(t, req)
	require.Empty(t, (&http.Response{Header: again.Header}).Cookies(), "it keeps the device that it has")
	require.Equal(t, cookies[0].Value, r.accounts.from.Device)
}

func TestBindPhone_LimitedAccessMakesNoDeviceKnown(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	a := r.form(t, "/Login/wxbindingPhone",
		map[string]string{"phone": "13800000001", "code": "123456", "openid": "o", "yz_code": "p"})
	require.Contains(t, a.Body, `"token":"`+goodToken+`"`)
	require.Contains(t, a.Body, `"access":"limited"`)
	require.Empty(t, (&http.Response{Header: a.Header}).Cookies())
}

func TestFilms_PageSizesOfTheSpecification(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	total := func(query string) (total int, listed string) {
		a := r.get(t, "/newmovie/api/movie/movies?cityId=310100"+query)
		var page struct {
			Total int
			List  []struct{ MovieID string }
		}
		require.NoError(t, json.Unmarshal(a.Data, &page), a.Body)
		for _, film := range page.List {
			listed += film.MovieID
		}
		return page.Total, listed
	}
	for query, want := range map[string]string{
		"": "f1f2", "&pageSize=99999999": "f1f2", "&pageSize=1": "f1", "&pageSize=1&pageNum=2": "f2",
		"&pageSize=1&pageNum=3": "",
	} {
		all, listed := total(query)
		require.Equal(t, 2, all, query)
		require.Equal(t, want, listed, query)
	}
	for query, want := range map[string]string{
		"?cityId=310100&pageSize=x": "invalid_input", "?cityId=310100&pageSize=0": "invalid_input", "": "invalid_input",
		"?cityId=0": "city_not_found", "?cityId=310100&cityId=1": "form_invalid",
		"?cityId=310100&channel_no=other": "channel_unknown",
	} {
		require.Equal(t, want, r.get(t, "/newmovie/api/movie/movies"+query).Error, query)
	}
}

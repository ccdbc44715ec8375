package wechat_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/silenceper/wechat/v2/cache"
	"github.com/silenceper/wechat/v2/officialaccount"
	"github.com/silenceper/wechat/v2/officialaccount/config"
	"github.com/silenceper/wechat/v2/util"
	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
	"marquee/simulators/wechat"
)

// account returns a client of a community SDK for the account. The function that redirects the SDK's calls to a
// simulator is global to the process, so that only one test can use the SDK.
func account(r *wechatServer, secret string) *officialaccount.OfficialAccount {
	return officialaccount.NewOfficialAccount(&config.Config{AppID: r.keys.AppID, AppSecret: secret,
		Cache: cache.NewMemory()})
}

// authorize opens a login link in the phone and returns the address it redirects to.
func (r *wechatServer) authorize(t *testing.T, link string, cookies ...*http.Cookie) (*url.URL, int) {
	t.Helper()
	client := r.client(t)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	link, _, _ = strings.Cut(link, "#")
	request, err := http.NewRequest(http.MethodGet, strings.Replace(link, "https://", "http://", 1), http.NoBody)
	require.NoError(t, err)
	for _, c := range cookies {
		request.AddCookie(c)
	}
	answer, err := client.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusFound {
		return nil, answer.StatusCode
	}
	location, err := answer.Location()
	require.NoError(t, err)
	return location, answer.StatusCode
}

func TestSDK_LoginAndTicket(t *testing.T) {
	t.Parallel()
	r := start(t)
	util.SetURIModifier(func(uri string) string {
		return strings.Replace(uri, "https://"+wechat.APIHost, r.server.URL,
			1)
	})
	sdk := account(r, r.keys.AppSecret)
	login := sdk.GetOauth()

	link, err := login.GetRedirectURL("http://127.0.0.1:8080/quickLogin?from=mine", "snsapi_base", "state-1")
	require.NoError(t, err)
	back, _ := r.authorize(t, link, &http.Cookie{Name: "phone_openid", Value: wechat.UnboundOpenID})
	require.Equal(t, "127.0.0.1:8080", back.Host)
	require.Equal(t, "/quickLogin", back.Path)
	require.Equal(t, "mine", back.Query().Get("from"))
	require.Equal(t, "state-1", back.Query().Get("state"))
	code := back.Query().Get("code")

	_, err = account(r, "wrong").GetOauth().GetUserAccessToken(code)
	require.ErrorContains(t, err, "errcode=40125")
	token, err := login.GetUserAccessToken(code)
	require.NoError(t, err)
	require.Equal(t, wechat.UnboundOpenID, token.OpenID)
	require.Equal(t, "snsapi_base", token.Scope)
	require.EqualValues(t, 7200, token.ExpiresIn)
	_, err = login.GetUserAccessToken(code)
	require.ErrorContains(t, err, "errcode=40163")
	_, err = login.GetUserAccessToken("made-up")
	require.ErrorContains(t, err, "errcode=40029")

	back, _ = r.authorize(t, link)
	r.clock.Advance(5 * time.Minute)
	_, err = login.GetUserAccessToken(back.Query().Get("code"))
	require.ErrorContains(t, err, "errcode=40029", "a code lives five minutes")

	valid, err := login.CheckAccessToken(token.AccessToken, token.OpenID)
	require.NoError(t, err)
	require.True(t, valid)
	_, err = login.GetUserInfo(token.AccessToken, token.OpenID, "")
	require.ErrorContains(t, err, "48001")
	again, err := login.RefreshAccessToken(token.RefreshToken)
	require.NoError(t, err)
	require.Equal(t, token.OpenID, again.OpenID)

	link, err = login.GetRedirectURL("http://127.0.0.1:8080/", "snsapi_userinfo", "s")
	require.NoError(t, err)
	back, _ = r.authorize(t, link)
	person, err := login.GetUserInfoByCodeContext(t.Context(), back.Query().Get("code"))
	require.NoError(t, err)
	require.Equal(t, "林晚晴", person.Nickname)

	signed, err := sdk.GetJs().GetConfig("http://inapp.localhost:9090/index")
	require.NoError(t, err)
	require.Len(t, signed.Signature, 40)
	_, err = account(r, "wrong").GetJs().GetConfig("http://inapp.localhost:9090/index")
	require.ErrorContains(t, err, "40125")
	_, err = sdk.GetJs().GetTicket("made-up")
	require.NoError(t, err, "the SDK has it in its cache")

	r.fault(t, faults.Fault{Operation: "oauth-token", Do: "error", Code: "40029", Message: "planned", Times: 1})
	back, _ = r.authorize(t, link)
	_, err = login.GetUserAccessToken(back.Query().Get("code"))
	require.ErrorContains(t, err, "errcode=40029")
}

func TestAuthorize_RejectsWrongLinks(t *testing.T) {
	t.Parallel()
	r := start(t)
	good := url.Values{
		"appid": {r.keys.AppID}, "redirect_uri": {"http://inapp.localhost:9090/quickLogin#top"},
		"response_type": {"code"},
		"scope":         {"snsapi_base"}, "state": {"a b&c"},
	}
	at := "https://" + wechat.OpenHost + "/connect/oauth2/authorize?"
	back, _ := r.authorize(t, at+good.Encode())
	require.Equal(t, "a b&c", back.Query().Get("state"))
	require.Equal(t, "top", back.Fragment)
	for field, value := range map[string]string{
		"appid": "wx0", "redirect_uri": "https://evil.example/", "response_type": "token", "scope": "all",
		"state": strings.Repeat("x", 129),
	} {
		q := url.Values{}
		for k, v := range good {
			q[k] = v
		}
		q.Set(field, value)
		_, status := r.authorize(t, at+q.Encode())
		require.Equal(t, http.StatusBadRequest, status, field)
	}
	for _, uri := range []string{"", "javascript:alert(1)", "//evil.example", "http://localhost.evil.example/",
		"/quickLogin"} {
		q := url.Values{}
		for k, v := range good {
			q[k] = v
		}
		q.Set("redirect_uri", uri)
		_, status := r.authorize(t, at+q.Encode())
		require.Equal(t, http.StatusBadRequest, status, uri)
	}
}

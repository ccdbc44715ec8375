package wechat

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ask calls api.weixin.qq.com and decodes the answer.
func ask(t *testing.T, s *Simulator, path string, q url.Values) map[string]any {
	t.Helper()
	w := httptest.NewRecorder()
	s.APIHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path+"?"+q.Encode(), http.NoBody))
	require.Equal(t, http.StatusOK, w.Code)
	answer := map[string]any{}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer
}

func askStable(t *testing.T, s *Simulator, force bool) string {
	t.Helper()
	token, _ := postStable(t, s, force)["access_token"].(string)
	require.NotEmpty(t, token)
	return token
}

func postStable(t *testing.T, s *Simulator, force bool) map[string]any {
	t.Helper()
	body := encode(map[string]any{"grant_type": "client_credential", "appid": testKeys.AppID,
		"secret": testKeys.AppSecret, "force_refresh": force})
	w := httptest.NewRecorder()
	s.APIHandler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/cgi-bin/stable_token",
		strings.NewReader(string(body))))
	answer := map[string]any{}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer
}

func TestTokens_LivesOverlapAndTicket(t *testing.T) {
	t.Parallel()
	s, _ := newSimulator()
	now := time.Now()
	s.appTokens.now = func() time.Time { return now }
	account := url.Values{"grant_type": {"client_credential"}, "appid": {testKeys.AppID},
		"secret": {testKeys.AppSecret}}
	ticket := func(token any) map[string]any {
		text, _ := token.(string)
		return ask(t, s, "/cgi-bin/ticket/getticket", url.Values{"access_token": {text}, "type": {"jsapi"}})
	}
	first := ask(t, s, "/cgi-bin/token", account)["access_token"]
	require.InDelta(t, 0, ticket(first)["errcode"], 0)
	second := ask(t, s, "/cgi-bin/token", account)["access_token"]
	require.NotEqual(t, first, second)
	require.InDelta(t, 0, ticket(first)["errcode"], 0, "the old token lives on for a while")
	now = now.Add(tokenOverlap)
	require.InDelta(t, 42001, ticket(first)["errcode"], 0)
	require.Equal(t, ticket(second)["ticket"], ticket(second)["ticket"], "the ticket stays")
	before := ticket(second)["ticket"]

	s.payments.clock.Advance(30 * 24 * time.Hour)
	require.InDelta(t, 0, ticket(second)["errcode"], 0,
		"business time does not end what clients cache by their own clock")
	now = now.Add(tokenLife)
	require.InDelta(t, 42001, ticket(second)["errcode"], 0)
	require.InDelta(t, 40001, ticket("made-up")["errcode"], 0)
	third := ask(t, s, "/cgi-bin/token", account)["access_token"]
	require.NotEqual(t, before, ticket(third)["ticket"])

	stable := askStable(t, s, false)
	require.Equal(t, stable, askStable(t, s, false))
	ask(t, s, "/cgi-bin/token", account)
	now = now.Add(tokenOverlap)
	require.InDelta(t, 0, ticket(stable)["errcode"], 0, "apart from the other call's tokens")
	forced := askStable(t, s, true)
	require.NotEqual(t, stable, forced)
	require.InDelta(t, 40001, ticket(stable)["errcode"], 0)
	now = now.Add(forcedPause - time.Second)
	require.Equal(t, forced, askStable(t, s, true), "a second replacement within 30 s does nothing")
	now = now.Add(tokenLife - stableEarly)
	next := askStable(t, s, false)
	require.NotEqual(t, forced, next, "five minutes before its end it is replaced")
	require.InDelta(t, 0, ticket(forced)["errcode"], 0, "and lives on until then")
	require.InDelta(t, 0, ticket(next)["errcode"], 0)
	for range forcedMost - 1 {
		now = now.Add(forcedPause)
		askStable(t, s, true)
	}
	now = now.Add(forcedPause)
	require.InDelta(t, 45009, postStable(t, s, true)["errcode"], 0, "the 21st of a day")
	now = now.Add(24 * time.Hour)
	askStable(t, s, true)

	for field, code := range map[string]float64{"appid": 40013, "secret": 40125, "grant_type": 40002} {
		wrong := url.Values{}
		for k, v := range account {
			wrong[k] = v
		}
		wrong.Set(field, "wrong")
		require.InDelta(t, code, ask(t, s, "/cgi-bin/token", wrong)["errcode"], 0)
	}
}

// A client recognizes a call that is not simulated as failed, whether it checks errcode or the HTTP status.
func TestAPI_WhatIsNotSimulatedIsAFailureInTheVendorsForm(t *testing.T) {
	t.Parallel()
	s, _ := newSimulator()
	for _, call := range []string{"POST /wxa/business/getuserencryptkey", "POST /cgi-bin/message/subscribe/send",
		"GET /cgi-bin/user/info", "POST /wxa/msg_sec_check", "GET /"} {
		method, path, _ := strings.Cut(call, " ")
		r := httptest.NewRequest(method, "http://"+APIHost+path+"?access_token=87_made_up", strings.NewReader("{}"))
		w := httptest.NewRecorder()
		s.APIHandler().ServeHTTP(w, r)
		require.Equal(t, http.StatusNotImplemented, w.Code, call)
		require.Equal(t, "1", w.Header().Get("Marquee-Not-Simulated"))
		var failure apiResult
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &failure), w.Body.String())
		require.Equal(t, apiResult{501, "wechat: " + call + " is not simulated"}, failure)
	}
}

func TestTickets_OfTheJSSDKAndOfCardsAreTwo(t *testing.T) {
	t.Parallel()
	s, _ := newSimulator()
	now := time.Now()
	s.appTokens.now = func() time.Time { return now }
	token, _ := ask(t, s, "/cgi-bin/token", url.Values{"grant_type": {"client_credential"}, "appid": {testKeys.AppID},
		"secret": {testKeys.AppSecret}})["access_token"].(string)
	get := func(kind string) map[string]any {
		return ask(t, s, "/cgi-bin/ticket/getticket", url.Values{"access_token": {token}, "type": {kind}})
	}
	card, page := get("wx_card"), get("jsapi")
	for _, answer := range []map[string]any{card, page} {
		require.InDelta(t, 0, answer["errcode"], 0)
		require.InDelta(t, 7200, answer["expires_in"], 0)
		require.NotEmpty(t, answer["ticket"])
	}
	require.NotEqual(t, card["ticket"], page["ticket"])
	require.Equal(t, card["ticket"], get("wx_card")["ticket"], "the ticket stays")
	require.InDelta(t, 40097, get("agent_config")["errcode"], 0)
	restored, _ := newSimulator()
	require.NoError(t, restored.Load(s.Save()))
	require.Equal(t, s.appTokens.tickets, restored.appTokens.tickets)
	now = now.Add(2 * time.Hour).Add(-time.Second)
	token, _ = ask(t, s, "/cgi-bin/token", url.Values{"grant_type": {"client_credential"}, "appid": {testKeys.AppID},
		"secret": {testKeys.AppSecret}})["access_token"].(string)
	require.Equal(t, card["ticket"], get("wx_card")["ticket"])
	now = now.Add(time.Second)
	require.NotEqual(t, card["ticket"], get("wx_card")["ticket"])
}

func TestJSConfig_SignatureOverThePage(t *testing.T) {
	t.Parallel()
	s, _ := newSimulator()
	c := jsConfig{AppID: testKeys.AppID, Timestamp: "1700000000", NonceStr: "abc", Signature: "00",
		URL: "http://inapp.localhost:9090/scan?a=1#top"}
	rejection, why := s.appTokens.checkJSConfig(c)
	require.Equal(t, "invalid signature", rejection)
	require.Contains(t, why, "no ticket")

	s.appTokens.tickets[jsTicket] = ticket{"TICKET", time.Now().Add(time.Hour)}
	rejection, why = s.appTokens.checkJSConfig(c)
	require.Equal(t, "invalid signature", rejection)
	require.Contains(t, why,
		"over jsapi_ticket=TICKET&noncestr=abc&timestamp=1700000000&url=http://inapp.localhost:9090/scan?a=1, came 00")
	c.Signature = strings.Fields(why)[1]
	rejection, _ = s.appTokens.checkJSConfig(c)
	require.Empty(t, rejection)
	c.AppID = "wx0"
	rejection, _ = s.appTokens.checkJSConfig(c)
	require.Equal(t, "invalid appid", rejection)
}

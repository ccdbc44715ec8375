package wechat

import (
	"encoding/json"
	"net/http"
	"time"

	"marquee/simulators/dataset"
)

type tokenAnswer struct {
	AccessToken string `json:"access_token"`
	ExpiresIn   int    `json:"expires_in"`
}

// token hands out a new account token; the one before lives on for five minutes.
func (s *Simulator) token(r *http.Request) (any, *apiFailure) {
	q := r.URL.Query()
	if q.Get("grant_type") != "client_credential" {
		return nil, invalidGrantType
	}
	if failure := s.checkAccount(q.Get("appid"), q.Get("secret")); failure != nil {
		return nil, failure
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	end := s.wireNow().Add(tokenOverlap)
	for token, e := range s.account.tokens {
		if token != s.account.stable && e.After(end) {
			s.account.tokens[token] = end
		}
	}
	return s.newToken(), nil
}

// stableToken hands out the same token until it ends or a new one is forced; tokens of the other call are apart.
func (s *Simulator) stableToken(r *http.Request) (any, *apiFailure) {
	var q struct {
		GrantType    string `json:"grant_type"`
		AppID        string `json:"appid"`
		Secret       string `json:"secret"`
		ForceRefresh bool   `json:"force_refresh"`
	}
	if r.Method != http.MethodPost {
		return nil, requirePost
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		return nil, &apiFailure{47001, "data format error"}
	}
	if q.GrantType != "client_credential" {
		return nil, invalidGrantType
	}
	if failure := s.checkAccount(q.AppID, q.Secret); failure != nil {
		return nil, failure
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.account.tokens[s.account.stable].Sub(s.wireNow())
	if left > 0 && !q.ForceRefresh {
		return tokenAnswer{s.account.stable, int(left.Seconds())}, nil
	}
	delete(s.account.tokens, s.account.stable)
	a := s.newToken()
	s.account.stable = a.AccessToken
	return a, nil
}

func (s *Simulator) checkAccount(appID, secret string) *apiFailure {
	switch {
	case appID == "":
		return missingAppID
	case secret == "":
		return missingSecret
	case appID != s.Credentials.AppID:
		return invalidAppID
	case secret != s.Credentials.AppSecret:
		return invalidSecret
	}
	return nil
}

const keyDigits = 12

// TokenKey is how every token of an account goes on after its three characters of kind, so that a call tells whose it is.
func TokenKey(appID string) string {
	return dataset.RandOf(0, "token key", appID).Text("0123456789abcdef", keyDigits)
}

// KeyOf is the key in a token, "" when there is none.
func KeyOf(token string) string {
	if len(token) < 3+keyDigits {
		return ""
	}
	return token[3 : 3+keyDigits]
}

// AppIDOf is the appid in the body of a call for a stable token, "" when there is none.
func AppIDOf(body []byte) string {
	var q struct {
		AppID string `json:"appid"`
	}
	_ = json.Unmarshal(body, &q) // the call itself says what is wrong with it
	return q.AppID
}

func (s *Simulator) newUserToken() string {
	return "88_" + TokenKey(s.Credentials.AppID) + randomHex(18)
}

// newToken makes an account token. The caller holds the lock.
func (s *Simulator) newToken() tokenAnswer {
	token := "87_" + TokenKey(s.Credentials.AppID) + randomHex(42)
	s.account.tokens[token] = s.wireNow().Add(tokenLife)
	return tokenAnswer{token, int(tokenLife.Seconds())}
}

// jsTicket hands out the JS-SDK's ticket, the same until it ends.
func (s *Simulator) jsTicket(r *http.Request) (any, *apiFailure) {
	q := r.URL.Query()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.wireNow()
	end, known := s.account.tokens[q.Get("access_token")]
	switch {
	case q.Get("access_token") == "":
		return nil, missingToken
	case !known:
		return nil, invalidToken
	case !now.Before(end):
		return nil, expiredToken
	case q.Get("type") != "jsapi":
		return nil, invalidType
	}
	if !now.Before(s.account.ticketEnd) {
		s.account.ticket, s.account.ticketEnd = "bxLdikRXVbTPdHSM05e5u"+randomHex(32), now.Add(ticketLife)
	}
	return struct {
		apiFailure
		Ticket    string `json:"ticket"`
		ExpiresIn int    `json:"expires_in"`
	}{apiFailure{0, "ok"}, s.account.ticket, int(s.account.ticketEnd.Sub(now).Round(time.Second).Seconds())}, nil
}

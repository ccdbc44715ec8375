package newmovie

import (
	"crypto/subtle"
	"fmt"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
)

const tokenLife = 2 * time.Hour // business time

// TokenKey is how every bearer token of an entId begins, so that a call tells whose it is.
func TokenKey(entID string) string {
	return dataset.RandOf(0, "token key", entID).Text("0123456789abcdef", keyDigits)
}

const keyDigits = 12

// KeyOf is the key of the token in an Authorization header, "" when there is none.
func KeyOf(authorization string) string {
	token, ok := strings.CutPrefix(authorization, "Bearer ")
	if !ok || len(token) < keyDigits {
		return ""
	}
	return token[:keyDigits]
}

type tokenRequest struct {
	EntID     string `json:"entId"`
	AppSecret string `json:"appSecret"`
}

func (n *NewMovie) giveToken(c call) ([]byte, *refusal) {
	var q tokenRequest
	if refused := decode(c.body, &q); refused != nil {
		return nil, refused
	}
	same := subtle.ConstantTimeCompare([]byte(q.AppSecret), []byte(n.c.Credentials.AppSecret)) == 1
	if q.EntID != n.c.Credentials.EntID || !same {
		return nil, &refusal{code: 401004, msg: "entId或appSecret错误", reason: fmt.Sprintf("401004 entId %q with its secret right: %t", q.EntID, same)}
	}
	now := n.c.Clock.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.given++
	token := dataset.RandOf(n.c.Country.Seed(), "token", strconv.Itoa(n.given)).Text("0123456789abcdef", 40-keyDigits)
	token = TokenKey(n.c.Credentials.EntID) + token
	for old, expiry := range n.tokens {
		if now.Sub(expiry) > 24*time.Hour { // so long it answers "expired" and not "unknown"
			delete(n.tokens, old)
		}
	}
	n.tokens[token] = now.Add(tokenLife)
	return success(map[string]any{"token_type": "Bearer", "access_token": token, "expires_in": int(tokenLife.Seconds())}), nil
}

// admit checks the bearer token of a call.
func (n *NewMovie) admit(note *journal.Note, header, operation string) *refusal {
	if header == "" {
		return &refusal{code: 401001, msg: "缺少token"}
	}
	token, ok := strings.CutPrefix(header, "Bearer ")
	n.mu.Lock()
	expiry, known := n.tokens[token]
	n.mu.Unlock()
	if !ok || !known {
		return &refusal{code: 401003, msg: "token无效"}
	}
	if now := n.c.Clock.Now(); !now.Before(expiry) {
		return &refusal{code: 401002, msg: "token已过期", reason: "401002 the token expired " + now.Sub(expiry).Round(time.Second).String() + " ago, business time"}
	}
	if f, hit := n.c.Plan.Take(Name, operation, "token-expired"); hit {
		note.Suffer(f.ID, f.Do)
		n.mu.Lock()
		delete(n.tokens, token)
		n.mu.Unlock()
		return &refusal{code: 401002, msg: "token已过期", reason: "401002 by a planned fault"}
	}
	return nil
}

// EntIDOf is the entId in the body of a call for a token, "" when there is none.
func EntIDOf(body []byte) string {
	var q tokenRequest
	if decode(body, &q) != nil {
		return ""
	}
	return q.EntID
}

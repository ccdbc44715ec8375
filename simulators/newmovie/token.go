package newmovie

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

const (
	tokenLife = 2 * time.Hour  // business time
	tokenKept = 24 * time.Hour // business time for which an expired token is rejected as expired, not as unknown
)

// tokens issues and checks bearer tokens.
type tokens struct {
	seed        uint64
	clock       *testclock.Clock
	plan        *faults.Plan
	credentials dataset.NewMovieCredentials

	mu     sync.Mutex
	expiry map[string]time.Time // by token, in business time
	issued int                  // tokens so far
}

// keyDigits is the length of the key at the start of a token.
const keyDigits = 12

// tokenKey is the start of every bearer token of an entId. It identifies the world of a call.
func tokenKey(entID string) string {
	return dataset.RandOf(0, "token key", entID).Text("0123456789abcdef", keyDigits)
}

// keyOf is the key of the token in an Authorization header; "" if there is none.
func keyOf(authorization string) string {
	token, ok := strings.CutPrefix(authorization, "Bearer ")
	if !ok || len(token) < keyDigits {
		return ""
	}
	return token[:keyDigits]
}

// tokenRequest is the body of oauth/token.
type tokenRequest struct {
	EntID     string `json:"entId"`
	AppSecret string `json:"appSecret"`
}

// entIDOf is the entId in the body of a call for a token; "" if there is none.
func entIDOf(body []byte) string {
	var q tokenRequest
	if json.Unmarshal(body, &q) != nil {
		return ""
	}
	return q.EntID
}

// issue is oauth/token: a new bearer token for an entId and its secret.
func (t *tokens) issue(c call) ([]byte, *journal.Rejection) {
	var q tokenRequest
	if rejected := decode(c, &q); rejected != nil {
		return nil, rejected
	}
	rightSecret := subtle.ConstantTimeCompare([]byte(q.AppSecret), []byte(t.credentials.AppSecret)) == 1
	if q.EntID != t.credentials.EntID || !rightSecret {
		return nil, &journal.Rejection{
			Code: "401004", Message: "entId或appSecret错误",
			Reason: fmt.Sprintf("401004 entId %q with its secret right: %t", q.EntID, rightSecret),
		}
	}
	now := t.clock.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.issued++
	token := tokenKey(q.EntID) + dataset.RandOf(t.seed, "token", strconv.Itoa(t.issued)).Text("0123456789abcdef",
		40-keyDigits)
	maps.DeleteFunc(t.expiry, func(_ string, expiry time.Time) bool { return now.Sub(expiry) > tokenKept })
	t.expiry[token] = now.Add(tokenLife)
	return success(map[string]any{"token_type": "Bearer", "access_token": token,
		"expires_in": int(tokenLife.Seconds())}), nil
}

// check rejects a call whose bearer token is missing, unknown or expired, or expires now because of a planned fault of
// the operation.
func (t *tokens) check(note *journal.Note, authorization, operation string) *journal.Rejection {
	if authorization == "" {
		return journal.NewRejection("401001", "缺少token")
	}
	token, ok := strings.CutPrefix(authorization, "Bearer ")
	t.mu.Lock()
	defer t.mu.Unlock()
	expiry, known := t.expiry[token]
	if !ok || !known {
		return journal.NewRejection("401003", "token无效")
	}
	expired := func(reason string) *journal.Rejection {
		return &journal.Rejection{Code: "401002", Message: "token已过期", Reason: reason}
	}
	if now := t.clock.Now(); !now.Before(expiry) {
		return expired("the token expired " + now.Sub(expiry).Round(time.Second).String() + " ago, business time")
	}
	if _, hit := t.plan.Apply(note, Name, operation, doTokenExpired); hit {
		delete(t.expiry, token)
		return expired("by a planned fault")
	}
	return nil
}

// save keeps all tokens. Expired ones are included, so that they are rejected as expired.
func (t *tokens) save(to *State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	to.Tokens, to.Issued = maps.Clone(t.expiry), t.issued
}

// load restores the count of issued tokens, and the saved tokens of the entId of this world. It leaves out tokens of
// another entId, as a snapshot of another world has them.
func (t *tokens) load(saved State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.issued = saved.Issued
	own := tokenKey(t.credentials.EntID)
	for token, expiry := range saved.Tokens {
		if strings.HasPrefix(token, own) {
			t.expiry[token] = expiry
		}
	}
}

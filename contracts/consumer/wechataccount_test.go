//go:build pact

package consumer_test

import (
	"testing"
	"time"

	"github.com/pact-foundation/pact-go/v2/matchers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/providers/transport"
	"marquee/server/providers/wechat"
)

func weChatAccount(t *testing.T, base string) *wechat.Account {
	t.Helper()
	a, err := wechat.NewAccount(
		wechat.AccountConfig{AppID: "wx1", AppSecret: "secret", SimulatorURL: base, Operations: transport.Operations{Limit: time.Minute}},
	)
	require.NoError(t, err)
	return a
}

func exchangeCode(state, what string, answer fields) exchange {
	return exchange{
		state:  state,
		what:   what,
		method: "GET",
		path:   "/sns/oauth2/access_token",
		answer: answer,
		query: query{
			"appid": fromState("appid", "wx1"), "secret": fromState("secret", "secret"),
			"code": fromState("code", "code"), "grant_type": matchers.String("authorization_code"),
		},
	}
}

func TestWeChatAccount_Login(t *testing.T) {
	with(t, weChatName, func(base string) {
		openID, err := weChatAccount(t, base).Exchange(t.Context(), "code")
		require.NoError(t, err)
		assert.Equal(t, "oBuyer1", openID)
	}, exchangeCode("a login code", "an exchange of a code", fields{
		"access_token": like("t"), "expires_in": matchers.Integer(7200), "refresh_token": like("r"),
		"openid": like("oBuyer1"), "scope": "snsapi_base",
	}))
	for _, tt := range []struct {
		state, what string
		code        int
		want        *fault.Fault
	}{
		{"a code that was never issued", "an exchange of an invalid code", 40029, account.ErrOAuthCode},
		{"a code that was used", "an exchange of a used code", 40163, account.ErrOAuthCode},
		{"a wrong app secret", "an exchange with a wrong secret", 40125, fault.ErrUnavailable},
	} {
		with(t, weChatName, func(base string) {
			_, err := weChatAccount(t, base).Exchange(t.Context(), "code")
			assert.ErrorIs(t, err, tt.want)
		}, exchangeCode(tt.state, tt.what, fields{"errcode": tt.code, "errmsg": like("m")}))
	}
}

// stableToken matches a request for an account token, also one that makes the vendor replace the token.
func stableToken() fields {
	return fields{
		"grant_type": "client_credential", "appid": fromState("appid", "wx1"), "secret": fromState("secret", "secret"),
		"force_refresh": like(false),
	}
}

func TestWeChatAccount_JSTicket(t *testing.T) {
	token := exchange{
		state:  "known credentials",
		what:   "a stable account token",
		path:   "/cgi-bin/stable_token",
		json:   stableToken(),
		answer: fields{"access_token": like("token"), "expires_in": matchers.Integer(7200)},
	}
	ticket := func(state, what string, answer fields) exchange {
		return exchange{
			state:  state,
			what:   what,
			method: "GET",
			path:   "/cgi-bin/ticket/getticket",
			answer: answer,
			query: query{
				"access_token": fromState("token", "token"), "type": matchers.String("jsapi"),
			},
		}
	}
	with(t, weChatName, func(base string) {
		c, err := weChatAccount(t, base).SignJS(t.Context(), "https://shop.example/")
		require.NoError(t, err)
		assert.Len(t, c.Signature, 40)
	}, token, ticket("an account token", "a JS ticket", fields{"errcode": 0, "errmsg": like("ok"), "ticket": like("k"),
		"expires_in": matchers.Integer(7200)}))
	with(t, weChatName, func(base string) {
		_, err := weChatAccount(t, base).SignJS(t.Context(), "https://shop.example/")
		assert.ErrorIs(t, err, fault.ErrUnavailable)
	}, token, ticket("an unknown account token", "a JS ticket for an unknown token", fields{"errcode": 40001,
		"errmsg": like("m")}))
	with(t, weChatName, func(base string) {
		_, err := weChatAccount(t, base).SignJS(t.Context(), "https://shop.example/")
		assert.ErrorIs(t, err, fault.ErrUnavailable)
	},
		exchange{state: "a wrong app secret", what: "a stable account token for a wrong secret",
			path: "/cgi-bin/stable_token",
			json: stableToken(), answer: fields{"errcode": matchers.Integer(40125), "errmsg": like("m")}})
}

package wechat_test

import (
	"errors"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/providertest"
	"marquee/server/providers/wechat"
)

// atBackup returns the route at the backup host.
func atBackup(route string) string { return strings.Replace(route, host, backupHost, 1) }

// goodAnswers are the answers of a healthy vendor by route.
var goodAnswers = map[string]http.HandlerFunc{
	prepayRoute: answers(200, `{"prepay_id":"wx1"}`), queryRoute: answers(200, paidTrade), closeRoute: answers(204, ""),
	h5Route:     answers(200, h5Answer),
	refundRoute: answers(200, refunded), refundQuery: answers(200, refunded),
}

func TestHosts_EveryCallFailsOverToTheBackup(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]http.HandlerFunc{
		"reset": providertest.BrokenAnswers(t)["reset"], "hang": providertest.BrokenAnswers(t)[providertest.Hangs],
		"502": answers(502, "<html>"), "busy": answers(500, `{"code":"SYSTEM_ERROR","message":"m"}`),
	} {
		for callName, call := range calls() {
			v := newVendor(t).on(call.Route, broken).on(atBackup(call.Route), goodAnswers[call.Route])
			p := payAt(t, v.server.URL, func(c *wechat.PayConfig) { c.Operations.Limit = 4 * time.Second })
			require.NoError(t, call.Do(t.Context(), p), "%s: %s", name, callName)
			tried := v.called(call.Route) // a GET after a reset is sent again by net/http
			require.NoError(t, call.Do(t.Context(), p), "%s: %s", name, callName)
			assert.Equal(t, tried, v.called(call.Route), "%s: %s: the host is not tried for a minute", name, callName)
			assert.Equal(t, 2, v.called(atBackup(call.Route)), "%s: %s", name, callName)
		}
	}
}

func TestHosts_TheMainHostServesAgainWhenTheBackupFails(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(closeRoute, answers(502, "")).on(atBackup(closeRoute), answers(204, ""))
	p := v.pay()
	require.NoError(t, p.Close(t.Context(), "n1-1"))
	v.on(closeRoute, answers(204, "")).on(atBackup(closeRoute), answers(502, ""))
	require.NoError(t, p.Close(t.Context(), "n1-1"))
	require.NoError(t, p.Close(t.Context(), "n1-1"))
	assert.Equal(t, 2, v.called(atBackup(closeRoute)))
	assert.Equal(t, 3, v.called(closeRoute))
}

func TestHosts_AnAnswerOfTheMainHostIsFinal(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(closeRoute, answers(400, `{"code":"ORDERPAID","message":"已支付"}`)).
		on(atBackup(closeRoute), answers(204, ""))
	require.ErrorIs(t, v.pay().Close(t.Context(), "n1-1"), order.ErrAlreadyPaid)
	v.on(closeRoute, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Wechatpay-Signature", "WECHATPAY/SIGNTEST/x")
		answers(200, "{}")(w, r)
	})
	require.ErrorIs(t, v.pay().Close(t.Context(), "n1-1"), fault.ErrUnknown)
	assert.Zero(t, v.called(atBackup(closeRoute)))
}

// If a command may have reached the main host, the backup's answer decides only if it is signed and proves the state of
// the trade.
func TestHosts_UnknownOutcomeStaysUnknownWithoutASignedState(t *testing.T) {
	t.Parallel()
	paid, unsigned := `{"code":"ORDERPAID","message":"已支付"}`, func(h http.Header) { h.Set("Wechatpay-Signature", "x") }
	for name, c := range map[string]struct {
		body   string
		change func(http.Header)
		want   *fault.Fault
	}{
		"signed state":     {paid, nil, order.ErrAlreadyPaid},
		"unsigned state":   {paid, unsigned, fault.ErrUnknown},
		"signed rejection": {`{"code":"PARAM_ERROR","message":"m"}`, nil, fault.ErrUnknown},
		"no permission":    {`{"code":"NO_AUTH","message":"m"}`, nil, fault.ErrUnknown},
		"not found":        {`{"code":"ORDER_NOT_EXIST","message":"m"}`, nil, fault.ErrUnknown},
	} {
		v := newVendor(t).on(prepayRoute, providertest.BrokenAnswers(t)["reset"])
		v.on(atBackup(prepayRoute), func(w http.ResponseWriter, r *http.Request) {
			if c.change != nil {
				first().signHeaders(w.Header(), c.body, 0)
				c.change(w.Header())
			}
			answers(400, c.body)(w, r)
		})
		_, err := v.pay().Prepay(t.Context(), prepayRequest())
		require.ErrorIs(t, err, c.want, name)
	}
}

// unreachable is a transport that cannot connect to a host.
type unreachable struct{ host string }

func (u unreachable) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Host == u.host {
		httptrace.ContextClientTrace(r.Context()).GetConn(u.host)
		return nil, errors.New("no route to host")
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestHosts_ACommandThatWasNotSentToTheMainHost(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	v.on(atBackup(certificatesRoute), v.serveCertificates).
		on(atBackup(prepayRoute), answers(400, `{"code":"PARAM_ERROR","message":"m"}`))
	p := payAt(t, v.server.URL, func(c *wechat.PayConfig) {
		c.HTTPClient = &http.Client{Transport: unreachable{host}}
	})
	_, err := p.Prepay(t.Context(), prepayRequest())
	require.ErrorIs(t, err, fault.ErrInvalidInput, "the backup's error is the only answer")
	v.on(atBackup(prepayRoute), providertest.BrokenAnswers(t)["reset"])
	_, err = p.Prepay(t.Context(), prepayRequest())
	require.ErrorIs(t, err, fault.ErrUnknown, "the backup may have acted, and the main host cannot be asked")
}

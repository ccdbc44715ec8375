package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
)

func TestPayNotify_IsAnsweredByItsOutcome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		parse, capture error
		status         int
		captured       int
	}{
		"taken":             {nil, nil, http.StatusOK, 1},
		"rejected":          {order.ErrNotifyRejected, nil, http.StatusUnauthorized, 0},
		"no certificates":   {fault.ErrUnavailable, nil, http.StatusInternalServerError, 0},
		"of no order":       {nil, order.ErrTradeNotFound, http.StatusBadRequest, 1},
		"the database lost": {nil, http.ErrServerClosed, http.StatusInternalServerError, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newHarness(t, func(cfg *Config) { cfg.PaymentWebhooks = fakeWebhooks{err: c.parse} })
			r.orders.err = c.capture
			a := r.do(t, r.request(t, http.MethodPost, "/notify/wechat/pay", "{}"))
			require.Equal(t, c.status, a.Status)
			require.Len(t, r.orders.captured, c.captured)
			if c.status == http.StatusOK {
				require.Equal(t, "SUCCESS", a.Code)
			} else {
				require.Equal(t, "FAIL", a.Code)
			}
		})
	}
}

type fakePushes struct{ form url.Values }

func (f *fakePushes) VerifyPush(form url.Values) (order.ProviderOrder, error) {
	f.form = form
	if form.Get("sign") != "right" {
		return order.ProviderOrder{}, fault.New(fault.Forbidden, "push_refused", "通知验证失败")
	}
	return order.ProviderOrder{OrderNo: form.Get("orderno")}, nil
}

// fakeTicketEvents records the pushed orders of the legacy source.
type fakeTicketEvents struct {
	err    error
	pushed []string
}

func (p *fakeTicketEvents) ReceivePush(_ context.Context, s catalog.Source, o order.ProviderOrder) error {
	if s == catalog.Legacy {
		p.pushed = append(p.pushed, o.OrderNo)
	}
	return p.err
}

func TestGatewayPush_AnswersSuccessOnlyWhenTaken(t *testing.T) {
	t.Parallel()
	taken := &fakeTicketEvents{}
	r := newHarness(t, func(c *Config) { c.TicketEvents = taken; c.TicketWebhooks = &fakePushes{} })
	a := r.post(t, "/notify/gateway", "orderno=1&sign=right")
	require.Equal(t, "success", a.Body)
	require.Equal(t, []string{"1"}, taken.pushed)

	a = r.post(t, "/notify/gateway", "orderno=1&sign=wrong")
	require.Equal(t, "fail", a.Body)
	require.Equal(t, http.StatusUnauthorized, a.Status)
	require.Equal(t, "fail", r.post(t, "/notify/gateway", "%zz").Body)
	require.Equal(t, "fail", r.post(t, "/notify/gateway", "sign=right&x="+strings.Repeat("1", 70<<10)).Body)
	require.Len(t, taken.pushed, 1)

	taken.err = order.ErrOrderState
	require.Equal(t, "fail", r.post(t, "/notify/gateway", "orderno=1&sign=right").Body)
}

package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/order"
)

// An error that its operation does not declare is reported, and the client gets one that it declares.
func TestUndeclaredErrors_AreReported(t *testing.T) {
	t.Parallel()
	var reported []string
	r := newHarness(t, func(c *Config) {
		c.ObserveUndeclared = func(path, code string) { reported = append(reported, path+" "+code) }
	})
	send := map[string]string{"phone": buyerPhone}
	r.accounts.codeErr = account.ErrSMSLimited
	require.Equal(t, "sms_limited", r.form(t, "/Login/sendcode", send).Error)
	require.Empty(t, reported)
	r.accounts.codeErr = order.ErrSeatTaken
	require.Equal(t, "provider_unavailable", r.form(t, "/Login/sendcode", send).Error)
	require.Equal(t, []string{"/Login/sendcode seat_taken"}, reported)

	reported = nil
	lock := map[string]string{"sessionId": "1", "seatIds": "1", "token": goodToken}
	r.orders.err = order.ErrAmountMismatch
	require.Equal(t, "provider_unavailable", r.form(t, "/newmovie/seat/lock", lock).Error)
	r.orders.err = fault.ErrService
	require.Equal(t, fault.ErrService.Code, r.form(t, "/newmovie/seat/lock", lock).Error)
	require.Equal(t, []string{"/newmovie/seat/lock amount_mismatch"}, reported)
}

// Before a lock, an overdue order of the buyer is expired, which fails while the gateway does not report whether it was
// paid. A lock that was abandoned before the source answered is an expired order.
func TestLockSeats_DeclaresTheErrorsOfTheOrder(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) {
		c.ObserveUndeclared = func(path, code string) { t.Errorf("%s does not declare %s", path, code) }
	})
	for _, err := range []*fault.Fault{order.ErrPaymentPending, order.ErrOrderExpired} {
		r.orders.err = err
		for path, form := range map[string]map[string]string{
			"/Film/lockseat":      {"opiid": "1", "seatids": "1", "totalSettleAmount": "4290", "token": goodToken},
			"/newmovie/seat/lock": {"sessionId": "1", "seatIds": "1", "token": goodToken},
		} {
			require.Equal(t, err.Code, r.form(t, path, form).Error, path)
		}
	}
}

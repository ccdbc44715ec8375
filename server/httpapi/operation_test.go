package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/order"
)

// An answer with an error that its operation does not declare is reported, and reaches the client all the same.
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
	require.Equal(t, "seat_taken", r.form(t, "/Login/sendcode", send).Error)
	require.Equal(t, []string{"/Login/sendcode seat_taken"}, reported)
}

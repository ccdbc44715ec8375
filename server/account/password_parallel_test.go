package account_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
)

// Several servers share the database; each has its own queue.
func TestPassword_ParallelCorrectAttemptsLockNoAccount(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	var wg sync.WaitGroup
	for range 4 {
		r.configureCodes(account.CodesConfig{})
		server := r.Passwords
		for range 3 {
			wg.Go(func() {
				if err := server.VerifyPaymentPassword(t.Context(), id, right); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), id, right))
}

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
)

// TestRestart buys, restarts the shop on the same database with new simulators, and buys again. The new simulators hand
// out numbers that the old ones have used; the shop must distinguish them.
func TestRestart(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			db := harness.NewDatabase(t)
			token, unpaid := "", ""
			for run := range 3 {
				h := startTestShop(t, db)
				b := h.newBuyer("13811110016")
				if b.token = token; run == 0 {
					b.loginInApp()
					token = b.token
				}
				if unpaid != "" {
					require.Equal(t, unpaid, orderNo(t, b.call("/Film/unpayorder", nil)))
					dataOf[any](t, b.call("/Film/unlockseat", params{"oid": unpaid}))
				}
				no := s.lock(b, 4*run)
				h.PayInApp(b.prepay(no, "", ""), "pay")
				b.requireTickets(s, b.waitForStatus(no, s.issued))
				unpaid = s.lock(b, 4*run+2)
				h.Verify()
				h.close()
			}
		})
	}
}

package app_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRestart buys, starts everything anew on the same database beside simulators that remember nothing, and buys
// again: numbers that the simulated providers hand out must not be taken for the old ones.
func TestRestart(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "shop.db")
			token, unpaid := "", ""
			for run := range 3 {
				h := openHouse(t, db)
				b := h.browser("13811110016")
				if b.token = token; run == 0 {
					b.login()
					b.oauth(openID)
					token = b.token
				}
				if unpaid != "" {
					require.Equal(t, unpaid, want[struct{ Orderid string }](t, b.call("/Film/unpayorder", nil)).Orderid)
					want[any](t, b.call("/Film/unlockseat", map[string]string{"oid": unpaid}))
				}
				no := s.lock(b, 4*run)
				h.pay(b.wxpay(no, "", ""), "pay")
				b.holdsTickets(s, b.reaches(no, s.issued))
				unpaid = s.lock(b, 4*run+2)
				h.consistent()
				h.close()
			}
		})
	}
}

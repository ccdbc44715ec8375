package purchase_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"marquee/server/purchase/purchasetest"
	"marquee/server/reconcile"
)

// The periodic job of one server and the command of an operator, or two servers after a lease was lost, may reconcile a
// day at the same time: each difference is recorded once.
func TestReconcile_ADayOnSeveralServersAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.issuedOrder(t)
	day := s.nextMorning()
	foreign := reconcile.Row{Kind: reconcile.PaymentRow, Number: "x-1", Ref: "42x", State: reconcile.RowDone,
		Amount: 77}
	withForeign := func(statements map[reconcile.Book]reconcile.Statement) {
		statements[reconcile.Trades] = purchasetest.Altered(statements[reconcile.Trades],
			func(rows []reconcile.Row) []reconcile.Row { return append(slices.Clone(rows), foreign) })
	}
	var servers errgroup.Group
	for range 4 {
		r := s.replica(t).reconciliation(withForeign)
		servers.Go(func() error {
			_, err := r.Reconcile(t.Context(), day)
			return err
		})
	}
	require.NoError(t, servers.Wait())
	reconciled := s.reconciliation(withForeign)
	attempts, open, err := reconciled.Overview(t.Context())
	require.NoError(t, err)
	require.Len(t, open, 1)
	require.Equal(t, reconcile.PaidWithoutOrder, open[0].Kind)
	require.Equal(t, 1, s.audits(t, "difference.found"))
	require.Len(t, attempts, len(reconciled.Books()), "an attempt for each book")
	for _, a := range attempts {
		require.False(t, a.DoneAt.IsZero(), "%s of %s", a.Book, a.Day)
	}
}

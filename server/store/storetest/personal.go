package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/order"
	"marquee/server/personal"
)

// closedAccounts tests that a closed account gets neither an order nor a card: both return account.ErrLoginRequired.
// Closing it once more does so, too.
func closedAccounts(t *testing.T, e Engine) {
	u, err := e.Accounts.EnsureUser(t.Context(), "13800000001", noon)
	require.NoError(t, err)
	cardID, _ := e.card(t, 0, 1, 0)
	bind := func() error {
		return e.Cards.Update(t.Context(), func(tx cards.Tx) error {
			c, err := tx.Cards.Get(cardID, noon)
			if err != nil {
				return err
			}
			c.UserID = u.ID
			return tx.Cards.Save(c)
		})
	}
	shut := func() error {
		return e.Personal.Update(t.Context(), func(tx personal.Tx) error {
			return tx.Accounts.Close(u.ID, account.Event{At: noon, Kind: account.AccountClosed, UserID: u.ID, Actor: "buyer"})
		})
	}
	require.NoError(t, shut())
	require.ErrorIs(t, shut(), account.ErrLoginRequired)
	require.ErrorIs(t, bind(), account.ErrLoginRequired)
	o := newOrder("1", u.ID, "1-1")
	require.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Orders.Insert(&o) }), account.ErrLoginRequired)
}

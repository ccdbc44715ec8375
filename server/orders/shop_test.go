package orders_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/orders"
	"marquee/server/orders/orderstest"
	"marquee/server/payment"
	"marquee/server/store/sqlite"
)

const (
	show  = "show-1"
	price = money.Fen(4290)
)

// tb is what helpers need of a test; rapid's own T has it too.
type tb interface {
	require.TestingT
	Helper()
	Cleanup(func())
	Context() context.Context
}

// shop is the core with everything around it in memory, and a real database.
type shop struct {
	*orders.Service
	cards   *cards.Service
	db      *sqlite.DB
	clock   *orderstest.Clock
	source  *orderstest.Source
	gateway *orderstest.Gateway
	path    string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	return newShopAt(t, filepath.Join(t.TempDir(), "shop.db"))
}

func newShopAt(t tb, path string) *shop {
	t.Helper()
	clock := orderstest.NewClock()
	s := &shop{clock: clock, source: orderstest.NewSource(clock), gateway: orderstest.NewGateway(clock)}
	s.source.AddShow(catalog.Legacy, show, 4*time.Hour, 10, 10, price)
	s.open(t, path)
	return s
}

// open starts the core on a database, as a server start does.
func (s *shop) open(t tb, path string) {
	t.Helper()
	db, err := sqlite.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	s.db, s.path = db, path
	s.cards = cards.New(db.Cards(), []byte("pepper"), s.clock.Now)
	s.Service, err = orders.New(orders.Config{
		Store: db.Orders(), Sources: map[catalog.Source]orders.TicketSource{catalog.Legacy: s.source, catalog.NewMovie: s.source},
		Gateway: s.gateway, AppID: orderstest.AppID, MchID: orderstest.MchID,
		Passwords: &orderstest.Buyers{}, Buyers: &orderstest.Buyers{}, Now: s.clock.Now, Lots: s.cards,
	})
	require.NoError(t, err)
}

// giveCard issues a super card with the points and binds it to the buyer.
func (s *shop) giveCard(t tb, userID int64, points money.Points) int64 {
	t.Helper()
	return s.giveCardOf(t, userID, cards.SuperCard, points, 365*24*time.Hour)
}

func (s *shop) giveCardOf(t tb, userID int64, pid cards.PID, points money.Points, life time.Duration) int64 {
	t.Helper()
	n, err := s.cards.Count(t.Context(), userID)
	require.NoError(t, err)
	number := fmt.Sprintf("80%04d%04d", userID, n)
	require.NoError(t, s.cards.Issue(t.Context(), []cards.NewCard{{
		PID: pid, Number: number, Password: "pass", Points: points, ExpiresAt: s.clock.Now().Add(life),
	}}, "test"))
	id, err := s.cards.Bind(t.Context(), userID, number, "pass")
	require.NoError(t, err)
	return id
}

// lock locks seats for a buyer.
func (s *shop) lock(t tb, userID int64, seats ...string) orders.Order {
	t.Helper()
	o, err := s.LockSeats(t.Context(), userID, orders.LockSeats{Source: catalog.Legacy, ShowID: show, SeatIDs: seats})
	require.NoError(t, err)
	return o
}

// openApp opens a payment in the messaging app and returns the number of its trade.
func (s *shop) openApp(t tb, o orders.Order, cardIDs ...int64) string {
	t.Helper()
	_, err := s.PayWithApp(t.Context(), o.UserID, orders.PayWithApp{
		OrderNo: o.No, CardIDs: cardIDs, Password: orderstest.Password, OpenID: orderstest.OpenID(o.UserID),
	})
	require.NoError(t, err)
	payments, err := s.db.Orders().Payments(t.Context(), o.No)
	require.NoError(t, err)
	leg, ok := payments[len(payments)-1].App()
	require.True(t, ok)
	return leg.OutTradeNo
}

// pay is the buyer paying a trade; it returns the notify.
func (s *shop) pay(t tb, trade string) payment.Trade {
	t.Helper()
	n, ok := s.gateway.Pay(trade)
	require.True(t, ok, "trade %s cannot be paid", trade)
	return n
}

// after moves the clock and runs the jobs.
func (s *shop) after(t tb, d time.Duration) {
	t.Helper()
	s.clock.Advance(d)
	require.NoError(t, s.RunDue(t.Context()))
}

func (s *shop) state(t tb, o orders.Order) orders.State {
	t.Helper()
	now, err := s.db.Orders().Order(t.Context(), o.No)
	require.NoError(t, err)
	return now.State
}

func (s *shop) balance(t tb, userID, cardID int64) (avail, held money.Points) {
	t.Helper()
	list, err := s.db.Cards().CardsOf(t.Context(), userID, s.clock.Now())
	require.NoError(t, err)
	for _, c := range list {
		if c.ID == cardID {
			return c.Balance, c.Held
		}
	}
	require.Fail(t, "card not found")
	return 0, 0
}

// sound fails the test when the books do not agree.
func (s *shop) sound(t tb) {
	t.Helper()
	found, err := s.Verify(t.Context())
	require.NoError(t, err)
	require.Empty(t, found)
}

func (s *shop) count(t tb, query string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, s.db.Read().QueryRow(query, args...).Scan(&n))
	return n
}

func (s *shop) audits(t tb, what string) int {
	t.Helper()
	return s.count(t, `SELECT count(*) FROM audit WHERE what = ?`, what)
}

package purchase_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/clocktest"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/pepper"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
	"marquee/server/store"
)

const (
	show  = "show-1"
	price = money.Fen(4290)
	// mobile is the phone number of every buyer.
	mobile = "13800000007"
)

// tb is the part of *testing.T that the helpers use. *rapid.T implements it too.
type tb interface {
	require.TestingT
	Helper()
	Cleanup(func())
	Context() context.Context
}

// shop is a Purchase on a real database, with providers in memory.
type shop struct {
	*purchase.Purchase
	cards   *cards.Service
	issuer  *cards.Issuer
	db      *testDB
	store   *interceptedStore
	clock   *clocktest.Clock
	source  *purchasetest.Source
	gateway *purchasetest.Gateway
	path    string

	leaves   []string // see leaveDiscrepancies
	tampered bool     // the test has changed records directly
}

// option changes the configuration of a shop before it is built.
type option func(*purchase.Config)

// newShop returns a shop on a new database, whose books are verified when the test ends. Its default show is named show
// and costs price for each seat.
func newShop(t *testing.T, options ...option) *shop {
	t.Helper()
	s := newShopAt(t, newDatabase(t), options...)
	s.verifyBooksAtEnd(t)
	return s
}

// newShopAt returns such a shop on an empty database. The test verifies the books itself.
func newShopAt(t tb, path string, options ...option) *shop {
	t.Helper()
	clock := purchasetest.NewClock()
	s := &shop{clock: clock, source: purchasetest.NewSource(clock), gateway: purchasetest.NewGateway(clock)}
	s.source.AddShow(catalog.Legacy, show, 4*time.Hour, 10, 10, price)
	s.open(t, path, options...)
	return s
}

// open opens the database and builds the Purchase, as the start of a server does.
func (s *shop) open(t tb, path string, options ...option) {
	t.Helper()
	db, err := openDatabase(path, nil, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	if _, measured := t.(*testing.B); !measured {
		db = repeatWrites(db)
	}
	s.db, s.path, s.store = db, path, newInterceptedStore(db.Orders())
	s.cards = cards.New(db.Cards(), testPeppers, s.clock.Now)
	s.issuer = cards.NewIssuer(db.Cards(), testPeppers, s.clock.Now)
	c := purchaseConfig(db, s.source, s.gateway, s.clock.Now)
	c.Store = s.store
	for _, change := range options {
		change(&c)
	}
	s.Purchase, err = purchase.New(c)
	require.NoError(t, err)
}

// purchaseConfig configures a purchase over a database, one source for both catalogs, and a gateway. Its periodic
// verification finds nothing, unless verifyPeriodically is called: the books are verified when a test ends.
func purchaseConfig(
	db *testDB, source order.TicketSource, gateway order.Gateway, now func() time.Time,
) purchase.Config {
	return purchase.Config{
		Store: db.Orders(), Tasks: db.Orders(), Records: unverifiedRecords{db.Orders()},
		Sources: order.TicketSources{catalog.Legacy: source, catalog.NewMovie: source},
		Gateway: gateway, AppID: purchasetest.AppID, MchID: purchasetest.MchID, H5: true,
		Passwords: &purchasetest.Buyers{}, Identities: &purchasetest.Buyers{}, Venues: noVenues,
		Lots: cards.NewIssuer(db.Cards(), testPeppers, now), Recharges: cards.New(db.Cards(), testPeppers, now), Now: now,
	}
}

// unverifiedRecords are records that no periodic job verifies. A verification on a new connection to PostgreSQL takes
// 44 ms, several times as long as the rest of a job run.
type unverifiedRecords struct{ purchase.Records }

func (unverifiedRecords) VerifySome(context.Context, time.Time, int) ([]order.Discrepancy, error) {
	return nil, nil
}

// verifyPeriodically is an option: the periodic job verifies the records, as on a server.
func verifyPeriodically(c *purchase.Config) { c.Records = c.Records.(unverifiedRecords).Records }

// interceptedStore calls the real store, or an interceptor that a test has put in front of it.
type interceptedStore struct {
	order.Store // the real one
	current     atomic.Pointer[order.Store]
}

// newInterceptedStore returns a store without an interceptor.
func newInterceptedStore(real order.Store) *interceptedStore {
	s := &interceptedStore{Store: real}
	s.current.Store(&real)
	return s
}

// intercept puts an interceptor in front of the store; restore removes it.
func (s *interceptedStore) intercept(with order.Store) { s.current.Store(&with) }
func (s *interceptedStore) restore()                   { s.current.Store(&s.Store) }
func (s *interceptedStore) active() order.Store        { return *s.current.Load() }

func (s *interceptedStore) Update(ctx context.Context, fn func(order.Tx) error) error {
	return s.active().Update(ctx, fn)
}

func (s *interceptedStore) View(ctx context.Context, fn func(order.Reader) error) error {
	return s.active().View(ctx, fn)
}

func (s *interceptedStore) Payments(ctx context.Context, no string) ([]order.Payment, error) {
	return s.active().Payments(ctx, no)
}

func (s *interceptedStore) Order(ctx context.Context, no string) (order.Order, error) {
	return s.active().Order(ctx, no)
}

func (s *interceptedStore) OpenOrder(ctx context.Context, userID int64) (order.Order, bool, error) {
	return s.active().OpenOrder(ctx, userID)
}

func (s *interceptedStore) IdempotencyKey(
	ctx context.Context, userID int64, route, key string,
) (order.IdempotencyKey, bool, error) {
	return s.active().IdempotencyKey(ctx, userID, route, key)
}

func (s *interceptedStore) CardsFor(
	ctx context.Context, userID int64, no string, now time.Time,
) ([]cards.Card, error) {
	return s.active().CardsFor(ctx, userID, no, now)
}

func (s *interceptedStore) HeldSeats(
	ctx context.Context, source catalog.Source, show string,
) (map[string]bool, error) {
	return s.active().HeldSeats(ctx, source, show)
}

func (s *interceptedStore) OwnSeats(
	ctx context.Context, userID int64, source catalog.Source, show string,
) (map[string]string, error) {
	return s.active().OwnSeats(ctx, userID, source, show)
}

// giveCard issues a super card with the points (1/100 point), valid for a year, and binds it to the buyer.
func (s *shop) giveCard(t tb, userID int64, points money.Points) int64 {
	t.Helper()
	return s.giveCardOf(t, userID, cards.SuperCard, points, 365*24*time.Hour)
}

func (s *shop) giveCardOf(t tb, userID int64, pid cards.PID, points money.Points, life time.Duration) int64 {
	t.Helper()
	n, err := s.cards.Count(t.Context(), userID)
	require.NoError(t, err)
	number := fmt.Sprintf("80%08d%06d", userID, n)
	require.NoError(t, s.issuer.Issue(t.Context(), []cards.NewCard{{
		PID: pid, Number: number, Password: "pass", Points: points, ExpiresAt: s.clock.Now().Add(life),
	}}, "test"))
	id, err := s.cards.Bind(t.Context(), userID, number, "pass")
	require.NoError(t, err)
	return id
}

// lock locks seats for a buyer.
func (s *shop) lock(t tb, userID int64, seats ...string) order.Order {
	t.Helper()
	o, err := s.Seating.LockSeats(t.Context(), userID, seating.LockSeats{
		Mobile: mobile, Source: catalog.Legacy, ShowID: show, SeatIDs: seats,
	})
	require.NoError(t, err)
	return o
}

// openAppPayment opens a payment in the messaging app and returns the number of its trade.
func (s *shop) openAppPayment(t tb, o order.Order, cardIDs ...int64) string {
	t.Helper()
	_, err := s.Checkout.Payer.PayWithApp(t.Context(), o.UserID, checkout.PayWithApp{
		OrderNo: o.No, CardIDs: cardIDs, Password: purchasetest.Password, OpenID: purchasetest.OpenID(o.UserID),
	})
	require.NoError(t, err)
	payments, err := s.db.Orders().Payments(t.Context(), o.No)
	require.NoError(t, err)
	leg, ok := payments[len(payments)-1].App()
	require.True(t, ok)
	return leg.OutTradeNo
}

// payWithCard pays the order of buyer 7 with the points of a card.
func (s *shop) payWithCard(t tb, o order.Order, card int64) {
	t.Helper()
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
}

// pay pays a trade as the buyer does, and returns the notification.
func (s *shop) pay(t tb, trade string) order.Trade {
	t.Helper()
	n, ok := s.gateway.Pay(trade)
	require.True(t, ok, "trade %s cannot be paid", trade)
	return n
}

// runDueJobsAfter moves the clock and runs the tasks that are due then.
func (s *shop) runDueJobsAfter(t tb, d time.Duration) {
	t.Helper()
	s.clock.Advance(d)
	require.NoError(t, s.Jobs.RunDue(t.Context()))
}

// state returns the stored state of an order.
func (s *shop) state(t tb, o order.Order) order.State {
	t.Helper()
	current, err := s.db.Orders().Order(t.Context(), o.No)
	require.NoError(t, err)
	return current.State
}

// balance returns the available and the held points of a card.
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

// orderAndTrade returns an order and the number of its first trade.
func (s *shop) orderAndTrade(t tb, no string) (order.Order, string) {
	t.Helper()
	o, err := s.db.Orders().Order(t.Context(), no)
	require.NoError(t, err)
	return o, order.OutTradeNo(o.No, 1)
}

// assertBalance checks that a card of buyer 7 has the points, and that none of them are held.
func (s *shop) assertBalance(t tb, card int64, points money.Points) {
	t.Helper()
	avail, held := s.balance(t, 7, card)
	assert.Equal(t, points, avail)
	assert.Zero(t, held)
}

// assertAllRefunded checks that the messaging app has taken the amount, and has refunded all of it.
func (s *shop) assertAllRefunded(t tb, taken money.Fen) {
	t.Helper()
	paid, refunded := s.gateway.Money()
	assert.Equal(t, taken, paid)
	assert.Equal(t, taken, refunded)
}

// verifyBooksAtEnd verifies the books when the test has ended, unless it has failed or has tampered with them.
func (s *shop) verifyBooksAtEnd(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		if !t.Failed() && !s.tampered {
			s.verifyBooks(t)
		}
	})
}

// leaveDiscrepancies declares, by the names of the checks, the discrepancies that the test leaves to an operator.
func (s *shop) leaveDiscrepancies(checks ...string) { s.leaves = checks }

// verifyBooks fails the test if Discrepancies reports anything other than leaveDiscrepancies has declared.
func (s *shop) verifyBooks(t tb) {
	t.Helper()
	if len(s.leaves) > 0 {
		require.Equal(t, s.leaves, s.discrepancies(t))
		return
	}
	found, err := s.db.Orders().Discrepancies(context.WithoutCancel(t.Context()))
	require.NoError(t, err)
	require.Empty(t, found)
}

// discrepancies returns the names of the checks that report a contradiction between records.
func (s *shop) discrepancies(t tb) (checks []string) {
	t.Helper()
	found, err := s.db.Orders().Discrepancies(context.WithoutCancel(t.Context()))
	require.NoError(t, err)
	for _, d := range found {
		checks = append(checks, d.Check)
	}
	return checks
}

// tamper changes the database directly, by statements in one transaction.
func (s *shop) tamper(t tb, statements ...string) {
	t.Helper()
	s.tampered = true
	require.NoError(t, s.db.engine.Write(t.Context(), func(tx store.Conn) error {
		for _, statement := range statements {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	}))
}

// count runs a query for one integer.
func (s *shop) count(t tb, query string, args ...any) int {
	t.Helper()
	n, err := s.db.count(t.Context(), query, args...)
	require.NoError(t, err)
	return n
}

// audits returns the number of audit entries with the action.
func (s *shop) audits(t tb, what string) int {
	t.Helper()
	return s.count(t, `SELECT count(*) FROM audit WHERE what = $1`, what)
}

// testPeppers keys the hashes of the tests.
var testPeppers = func() pepper.Ring {
	ring, err := pepper.New([]byte("a pepper for tests only"), nil)
	if err != nil {
		panic(err)
	}
	return ring
}()

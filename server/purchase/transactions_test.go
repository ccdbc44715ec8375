package purchase_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

// buyerPhone is the phone of the buyer of countedShop.
const buyerPhone = "13800138000"

// countedShop is a shop that counts its write transactions. It checks payment passwords as production does, at a low
// cost. Its jobs run.
type countedShop struct {
	*shop
	buyer, card int64
	writes      *atomic.Int64
	passwords   *account.Passwords
	stop        func() // ends the jobs
}

// codeSender keeps the last code that was sent.
type codeSender struct{ code atomic.Value }

func (s *codeSender) SendCode(_ context.Context, _, code string) error {
	s.code.Store(code)
	return nil
}

func newCountedShop(t *testing.T) *countedShop {
	t.Helper()
	clock := purchasetest.NewClock()
	s := &countedShop{
		shop:   &shop{clock: clock, source: purchasetest.NewSource(clock), gateway: purchasetest.NewGateway(clock)},
		writes: &atomic.Int64{},
	}
	s.source.AddShow(catalog.Legacy, show, 4*time.Hour, 10, 10, price)
	db, err := openDatabase(newDatabase(t), nil, func(writes int) { s.writes.Add(int64(writes)) })
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	s.db, s.store = db, newInterceptedStore(db.Orders())
	s.cards, s.issuer = cards.New(db.Cards(), testPeppers, clock.Now),
		cards.NewIssuer(db.Cards(), testPeppers, clock.Now)

	sender := &codeSender{}
	journal := account.NewJournal(db.Accounts(), slog.New(slog.DiscardHandler), clock.Now)
	codes := account.NewCodes(account.CodesConfig{
		Store: db.Codes(), Sender: sender, Journal: journal, Now: clock.Now, Pepper: testPeppers,
	})
	s.passwords = account.NewPasswords(account.PasswordsConfig{
		Store: db.Accounts(), Codes: codes, Journal: journal, Now: clock.Now, Pepper: testPeppers,
		Cost: account.Cost{MemoryKiB: 8, Passes: 1},
	})
	u, err := db.Accounts().EnsureUser(t.Context(), buyerPhone, clock.Now())
	require.NoError(t, err)
	require.NoError(t, s.passwords.SendPasswordCode(t.Context(), u.ID, account.Origin{}))
	code, _ := sender.code.Load().(string)
	require.NoError(t, s.passwords.SetPaymentPassword(t.Context(), u.ID, code, purchasetest.Password))
	s.buyer, s.card = u.ID, s.giveCard(t, u.ID, 1_000_000)

	c := purchaseConfig(db, s.source, s.gateway, clock.Now)
	c.Store, c.Passwords, c.UnpaidLimits = s.store, s.passwords, order.DefaultUnpaidLimits
	s.Purchase, err = purchase.New(c)
	require.NoError(t, err)
	// The notice that a payment password was set is not needed here; without a handler its task would be retried
	// forever.
	s.Jobs.Handle(account.NoticeTask, s.Jobs.Finish)
	require.NoError(t, s.Jobs.RunDue(t.Context())) // the periodic jobs; the clock does not reach their next run
	s.stop = s.runJobs(t)
	s.verifyBooksAtEnd(t)
	return s
}

// runJobs runs the jobs until the test ends.
func (s *shop) runJobs(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() { s.Jobs.Run(ctx); close(ended) }()
	stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(stop)
	return stop
}

// awaitState moves the clock second by second until the order has the state.
func (s *shop) awaitState(t *testing.T, o order.Order, state order.State) {
	t.Helper()
	require.Eventually(t, func() bool {
		if s.state(t, o) == state {
			return true
		}
		s.clock.Advance(time.Second)
		s.Jobs.Wake()
		return false
	}, 10*time.Second, 10*time.Millisecond)
}

func (s *countedShop) payByCard(t *testing.T, o order.Order) (order.Order, error) {
	t.Helper()
	return s.Checkout.Payer.PayWithCards(t.Context(), s.buyer, o.No, []int64{s.card}, purchasetest.Password)
}

// pushTickets waits until the source has issued the tickets, and pushes them.
func (s *countedShop) pushTickets(t *testing.T, o order.Order) {
	t.Helper()
	require.Eventually(t, func() bool { return s.source.State(o.No) == order.ProviderIssued },
		10*time.Second, time.Millisecond)
	p, err := s.source.Query(t.Context(), o.No)
	require.NoError(t, err)
	require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy, p))
}

// A purchase with points takes eight transactions: lock intent, lock outcome, count of the password, payment, claim of
// the order's task, intent to issue, its outcome, and issued. Without a push of the tickets, the poll is claimed in a
// further one. A claim takes all tasks that are due.
func TestPurchase_TakesEightTransactions(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]struct {
		deliver func(*testing.T, *countedShop, order.Order)
		writes  int
	}{
		"a poll finds the tickets": {func(t *testing.T, s *countedShop, o order.Order) {
			s.awaitState(t, o, order.Issued)
		}, 9},
		"a push brings the tickets": {func(t *testing.T, s *countedShop, o order.Order) {
			s.pushTickets(t, o)
			s.clock.Advance(10 * time.Second)
			s.Jobs.Wake()
		}, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newCountedShop(t)
			before := s.writes.Load()
			o := s.lock(t, s.buyer, "1-1", "1-2")
			assert.EqualValues(t, 2, s.writes.Load()-before, "transactions of a lock")
			paid, err := s.payByCard(t, o)
			require.NoError(t, err)
			assert.Equal(t, order.Paid, paid.State)
			way.deliver(t, s, o)
			assert.Equal(t, order.Issued, s.state(t, o))
			s.stop() // a transaction is counted after its writes can be read
			assert.EqualValues(t, way.writes, s.writes.Load()-before, "transactions of a purchase")
			assert.Equal(t, 1, s.source.Calls("issue"))
			assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'order'`))
		})
	}
}

// A payment that fails after its password was correct does not count as a wrong try. The correct password has reset the
// count.
func TestPay_ARejectedPaymentIsNoWrongTry(t *testing.T) {
	t.Parallel()
	s := newCountedShop(t)
	o := s.lock(t, s.buyer, "1-1")
	require.ErrorIs(t, s.passwords.VerifyPaymentPassword(t.Context(), s.buyer, "135790"), account.ErrPasswordWrong)
	s.store.intercept(&rollingBackStore{Store: s.store.Store})
	_, err := s.payByCard(t, o)
	require.ErrorIs(t, err, fault.ErrInvalidInput)
	assert.Zero(t, s.count(t, `SELECT password_wrong FROM users WHERE id = $1`, s.buyer))
	s.store.restore()
	_, err = s.payByCard(t, o)
	require.NoError(t, err)
	s.awaitState(t, o, order.Issued)
}

// rollingBackStore rolls every transaction back after its function has run.
type rollingBackStore struct{ order.Store }

func (s *rollingBackStore) Update(ctx context.Context, fn func(order.Tx) error) error {
	return s.Store.Update(ctx, func(tx order.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return fault.ErrInvalidInput
	})
}

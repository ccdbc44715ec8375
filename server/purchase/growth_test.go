package purchase_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/backoffice"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/clocktest"
	"marquee/server/durations"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/personal"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
	"marquee/server/reconcile"
	"marquee/server/seating"
	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/postgres/pgserver"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/sqlite"
	"marquee/server/upkeep"
)

// grownOrders is the number of orders in the large shop of BenchmarkGrowth. A tenth as many cards and 2.2 times as many
// ledger entries come with them. Ten million orders take 14 GB on SQLite.
var grownOrders = flag.Int("growth-orders", 100_000, "orders of the large shop of BenchmarkGrowth")

const (
	smallShop    = 12_000 // orders of the shop that the large one is compared with: two full pages of every step
	growthRounds = 60     // of each operation, in turn
	heavyOrders  = 1000   // of one buyer, in addition
)

// sized is a shop with a number of past orders, all of one day. Each buyer has ten of them and one card.
type sized struct {
	*purchase.Purchase
	db      *store.Stores
	clock   *clocktest.Clock
	begin   time.Time // of the clock
	source  *purchasetest.Source
	gateway *purchasetest.Gateway
	orders  int
	url     string // of the database, for commands
	exec    func(query string) error
	// numbered means that ids come from sequences, which rows with given ids do not advance.
	numbered bool
	cards    []int64 // of new buyers: the n-th one has the id n+1

	trade order.Trade // that the operation under test captures
}

// BenchmarkGrowth compares the cost of operations in a shop with many orders and in a small one, and reports the ratio
// of the medians. The two shops take turns, so that the load of the machine affects both.
func BenchmarkGrowth(b *testing.B) {
	for engine, opener := range map[string]func(testing.TB) func(testing.TB, int) *sized{
		"sqlite": func(testing.TB) func(testing.TB, int) *sized { return sizedSQLite }, "postgres": onSeparateServer,
	} {
		b.Run(engine, func(b *testing.B) {
			open := opener(b)
			small, large := open(b, smallShop), open(b, *grownOrders)
			for b.Loop() {
				for _, op := range growthOperations {
					rounds, per := growthRounds, func(*sized) float64 { return 1 }
					if op.everything {
						rounds, per = 3, func(s *sized) float64 { return float64(s.orders) / smallShop }
					}
					var took [2][]float64
					for round := range rounds {
						for i, s := range []*sized{small, large} {
							if op.prepare != nil {
								op.prepare(b, s, round)
							}
							start := time.Now()
							op.run(b, s, round)
							took[i] = append(took[i], float64(time.Since(start).Microseconds())/1000/per(s))
						}
					}
					b.ReportMetric(median(took[1])/median(took[0]), "×"+op.name)
					b.Logf("%s %s: %.2f ms at %d orders, %.2f ms at %d", engine, op.name, median(took[0]), small.orders,
						median(took[1]), large.orders)
				}
			}
		})
	}
}

// Every operation of BenchmarkGrowth succeeds, so that a change that breaks one is noticed before it is measured.
func TestGrowth_OperationsSucceed(t *testing.T) {
	t.Parallel()
	s := sizedSQLite(t, 2000)
	for _, op := range growthOperations {
		for round := range 2 {
			if op.prepare != nil {
				op.prepare(t, s, round)
			}
			op.run(t, s, round)
		}
	}
}

// growthOperation is an operation whose cost must not grow with the shop. Rounds are numbered from 0.
type growthOperation struct {
	name string
	run  func(b testing.TB, s *sized, round int)

	prepare func(b testing.TB, s *sized, round int) // before the time is taken; may be nil
	// everything means that the operation reads all orders once: its cost per 12,000 orders must not grow.
	everything bool
}

var growthOperations = []growthOperation{
	{name: "lock", run: func(b testing.TB, s *sized, round int) {
		_, err := s.Seating.LockSeats(b.Context(), int64(round+1), seating.LockSeats{
			Mobile: mobile,
			Source: catalog.Legacy, ShowID: show, SeatIDs: []string{fmt.Sprintf("%d-%d", round/8+1, round%8+1)},
		})
		require.NoError(b, err)
	}},
	{name: "unpaid", run: func(b testing.TB, s *sized, round int) {
		_, found, err := s.Orders.Unpaid(b.Context(), int64(round+1))
		require.NoError(b, err)
		require.True(b, found)
	}},
	{name: "pay", run: func(b testing.TB, s *sized, round int) {
		o, _, err := s.Orders.Unpaid(b.Context(), int64(round+1))
		require.NoError(b, err)
		_, err = s.Checkout.Payer.PayWithCards(b.Context(), int64(round+1), o.No, s.cards[round:round+1],
			purchasetest.Password)
		require.NoError(b, err)
	}},
	{name: "list", run: listOrders},
	{name: "list-again", run: listOrders}, // of the same buyers, whose orders were just read from the disk
	{name: "verify-step", run: func(b testing.TB, s *sized, round int) {
		// Check a page in the middle of each table in turn.
		group := []string{"orders", "payments", "legs", "lots", "cards", "ledger"}[round%6]
		rows := s.orders
		if group == "lots" || group == "cards" {
			rows /= 10
		}
		require.NoError(b, s.exec(fmt.Sprintf(`UPDATE verification SET at_group = '%s', at_row = %d`, group, rows/2)))
		found, err := s.db.Orders().VerifySome(b.Context(), s.clock.Now(), 1)
		require.NoError(b, err)
		require.Empty(b, found)
	}},
	{name: "purge-step", run: func(b testing.TB, s *sized, _ int) {
		_, _, err := s.db.Orders().Purge(b.Context(), s.clock.Now().Add(-30*24*time.Hour), 1)
		require.NoError(b, err)
	}},
	{name: "review-list", run: func(b testing.TB, s *sized, _ int) {
		_, err := s.db.BackOffice().OrdersToReview(b.Context(), 100)
		require.NoError(b, err)
	}},
	{name: "find-order", run: func(b testing.TB, s *sized, round int) {
		no := fmt.Sprintf("G%d", 1_000_000_000+s.orders/2+round)
		for _, number := range []string{no, "P" + no, "C" + no} {
			found, err := s.db.BackOffice().FindOrders(b.Context(), number, "", 50)
			require.NoError(b, err)
			require.Len(b, found, 1)
			require.Equal(b, no, found[0].No)
		}
	}},
	{name: "seat-claims", run: func(b testing.TB, s *sized, round int) {
		showing := backoffice.Showing{Source: catalog.Legacy, ID: fmt.Sprintf("g%d", s.orders/200+round)}
		claims, err := s.db.BackOffice().SeatClaims(b.Context(), showing)
		require.NoError(b, err)
		require.Len(b, claims, 100)
	}},
	{name: "trace-order", run: func(b testing.TB, s *sized, round int) {
		found, err := s.db.BackOffice().Records(b.Context(), fmt.Sprintf("G%d", 1_000_000_000+s.orders/2+round))
		require.NoError(b, err)
		require.Len(b, found.Calls, 1)
	}},
	{name: "claim", run: func(b testing.TB, s *sized, _ int) {
		_, err := s.db.Orders().Claim(b.Context(), s.clock.Now(), s.clock.Now(), 8, nil)
		require.NoError(b, err)
	}},
	{name: "seat-map", run: func(b testing.TB, s *sized, round int) {
		m, err := s.Seating.SeatMap(b.Context(), int64(round+1), catalog.Legacy, show)
		require.NoError(b, err)
		require.NotEmpty(b, m.Seats)
	}},
	{name: "capture", prepare: func(b testing.TB, s *sized, round int) { s.payInApp(b, appShow, round) },
		run: func(b testing.TB, s *sized, _ int) {
			require.NoError(b, s.Checkout.Trades.Capture(b.Context(), s.trade))
		}},
	{name: "refund", prepare: failIssue, run: func(b testing.TB, s *sized, round int) {
		require.NoError(b, s.Jobs.RunDue(b.Context())) // the query for the tickets, and the refund
		_, refunded := s.gateway.Money()
		require.Equal(b, price*money.Fen(round+1), refunded)
	}},
	{name: "account-by-phone", run: func(b testing.TB, s *sized, round int) {
		u, err := s.db.Accounts().UserWithPhone(b.Context(), phoneOf(s.buyer(round)))
		require.NoError(b, err)
		_, err = s.closer().Preview(b.Context(), u.ID)
		require.NoError(b, err)
	}},
	{name: "export-heavy", run: func(b testing.TB, s *sized, _ int) {
		got, err := s.exporter().ExportOnRequest(b.Context(), account.User{ID: s.heavyBuyer()}, "request")
		require.NoError(b, err)
		require.Len(b, got.Orders, heavyOrders)
	}},
	{name: "scrape", run: func(b testing.TB, s *sized, _ int) {
		_, err := s.db.Orders().QueueLoads(b.Context(), s.clock.Now(), 1000)
		require.NoError(b, err)
		_, err = s.db.BackOffice().CountOrdersToReview(b.Context(), 1000)
		require.NoError(b, err)
		_, err = s.db.BackOffice().OpenRefunds(b.Context(), 1000)
		require.NoError(b, err)
	}},
	{name: "verify-all", everything: true, run: func(b testing.TB, s *sized, _ int) {
		found, err := s.db.Orders().Discrepancies(b.Context())
		require.NoError(b, err)
		require.Empty(b, found)
	}},
	{name: "reconcile-day", everything: true, run: reconcileDay},
	{name: "backup", everything: true, run: func(b testing.TB, s *sized, _ int) {
		_, err := upkeep.Backup(b.Context(), s.url, filepath.Join(b.TempDir(), "backup.db"),
			upkeep.CopyOptions{Release: "test", Now: s.clock.Now})
		require.NoError(b, err)
	}},
}

// appShow is the showing whose tickets are paid in the app, failingShow the one whose tickets are not issued.
const appShow, failingShow = "growth-app", "growth-failing"

// payInApp locks a seat and pays for it in the messaging app; the shop has not been notified yet.
func (s *sized) payInApp(b testing.TB, showID string, round int) (o order.Order) {
	user := int64(1000 + round)
	o, err := s.Seating.LockSeats(b.Context(), user, seating.LockSeats{
		Mobile: mobile, Source: catalog.Legacy, ShowID: showID,
		SeatIDs: []string{fmt.Sprintf("%d-%d", round/8+1, round%8+1)},
	})
	require.NoError(b, err)
	_, err = s.Checkout.Payer.PayWithApp(b.Context(), user, checkout.PayWithApp{
		OrderNo: o.No, OpenID: purchasetest.OpenID(user),
	})
	require.NoError(b, err)
	payments, err := s.db.Orders().Payments(b.Context(), o.No)
	require.NoError(b, err)
	leg, _ := payments[len(payments)-1].App()
	var paid bool
	s.trade, paid = s.gateway.Pay(leg.OutTradeNo)
	require.True(b, paid)
	return o
}

// failIssue pays an order whose tickets the source rejects. Its query is due, and no other task is.
func failIssue(b testing.TB, s *sized, round int) {
	if round == 0 { // complete the orders of the operations before
		s.source.DeliverAll()
		s.clock.Advance(2 * time.Minute)
		require.NoError(b, s.Jobs.RunDue(b.Context()))
		s.source.DeliverAll()
		s.clock.Advance(2 * time.Minute)
		require.NoError(b, s.Jobs.RunDue(b.Context()))
	}
	o := s.payInApp(b, failingShow, round)
	require.NoError(b, s.Checkout.Trades.Capture(b.Context(), s.trade))
	require.NoError(b, s.Jobs.RunDue(b.Context())) // the request for the tickets
	s.source.FailIssue(o.No, "rejected")
	s.clock.Advance(durations.FirstTicketPoll + time.Second)
}

// reconcileDay compares all past orders that were paid in the app with a bill that agrees.
func reconcileDay(b testing.TB, s *sized, _ int) {
	bill := func(_ context.Context, _ reconcile.Day, each func(reconcile.Row) error) error {
		row := func(no string) error {
			return each(reconcile.Row{
				Kind: reconcile.PaymentRow, Number: no + "-1", Ref: "T" + no, State: reconcile.RowDone, Amount: price,
			})
		}
		for i := 1; i <= s.orders+heavyOrders; i++ {
			if i <= s.orders && i/(s.orders/10)%2 == 0 {
				continue // paid with a card
			}
			if err := row(fmt.Sprintf("G%d", 1_000_000_000+i)); err != nil {
				return err
			}
		}
		return nil
	}
	books := reconcile.New(reconcile.Config{
		Store: s.db.Reconciliation(), Statements: map[reconcile.Book]reconcile.Statement{reconcile.Trades: bill},
		Wake: s.Jobs.Wake, Now: s.clock.Now, Logger: slog.New(slog.DiscardHandler),
	})
	open, err := books.Reconcile(b.Context(), reconcile.DayOf(s.past()))
	require.NoError(b, err)
	require.Empty(b, open)
}

func (s *sized) journal() *account.Journal {
	return account.NewJournal(s.db.Accounts(), slog.New(slog.DiscardHandler), s.clock.Now)
}

func (s *sized) closer() *personal.Closer {
	return personal.NewCloser(s.db.Personal(), nil, s.journal(), s.clock.Now)
}

func (s *sized) exporter() *personal.Exporter {
	return personal.NewExporter(personal.ExporterConfig{
		Profile: s.db.Personal(), Orders: s.Orders, Cards: s.db.Cards(), Journal: s.journal(), Now: s.clock.Now,
	})
}

// past is when the past orders were made and paid.
func (s *sized) past() time.Time { return s.begin.Add(-60 * 24 * time.Hour) }

// heavyBuyer is the buyer with heavyOrders past orders.
func (s *sized) heavyBuyer() int64 { return 1_000_000 + int64(s.orders/10) + 1 }

// phoneOf is the phone of a buyer with past orders.
func phoneOf(buyer int64) string { return fmt.Sprintf("136%08d", buyer-1_000_000) }

func listOrders(b testing.TB, s *sized, round int) {
	p, err := s.Orders.List(b.Context(), s.buyer(round), order.TabAll, 1, 10)
	require.NoError(b, err)
	require.Len(b, p.Orders, 10)
}

// buyer returns one of the buyers with ten past orders.
func (s *sized) buyer(n int) int64 { return 1_000_000 + int64(n*7919%(s.orders/10)) + 1 }

func sizedSQLite(t testing.TB, orders int) *sized {
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := sqlite.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	raw, err := sql.Open("sqlite",
		path+"?_pragma=busy_timeout(10000)&_pragma=synchronous(0)&_pragma=cache_size(-500000)")
	require.NoError(t, err)
	raw.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, raw.Close()) })
	return newSized(t, db.Stores, path, orders, "X'00'", false, func(query string) error {
		_, err := raw.Exec(query)
		return err
	})
}

func sizedPostgres(t testing.TB, orders int) *sized {
	url := pgtest.New(t, pgtest.Template{})
	_, err := postgres.Migrate(t.Context(), url)
	require.NoError(t, err)
	return openFilled(t, url, orders)
}

// onSeparateServer starts a PostgreSQL server with its data on disk: large shops do not fit into memory, where the
// databases of tests are. Its settings are typical for a machine with 8 GB.
func onSeparateServer(t testing.TB) func(testing.TB, int) *sized {
	server, err := pgserver.Start(t.Context(), pgserver.Options{Durable: true, Settings: map[string]string{
		"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", // only the processor time is compared
		"shared_buffers": "2GB", "effective_cache_size": "6GB", "max_wal_size": "8GB",
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	return func(t testing.TB, orders int) *sized {
		url, err := server.Database(t.Context(), fmt.Sprintf("shop%d", orders))
		require.NoError(t, err)
		_, err = postgres.Migrate(t.Context(), url)
		require.NoError(t, err)
		return openFilled(t, url, orders)
	}
}

func openFilled(t testing.TB, url string, orders int) *sized {
	db, err := postgres.Open(t.Context(), url, postgres.Connections(4))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	conn, err := db.Pool().Acquire(context.Background())
	require.NoError(t, err)
	t.Cleanup(conn.Release)
	exec := func(query string) error {
		_, err := conn.Exec(context.Background(), query)
		return err
	}
	// Filling a database takes longer than a transaction of the shop may, and needs no check of foreign keys.
	for _, setting := range []string{"statement_timeout = 0", "transaction_timeout = 0",
		"idle_in_transaction_session_timeout = 0", "session_replication_role = replica"} {
		require.NoError(t, exec("SET "+setting))
	}
	s := newSized(t, db.Stores, url, orders, `'\x00'::bytea`, true, exec)
	require.NoError(t, exec(`ANALYZE`)) // autovacuum does so within a minute of such growth
	return s
}

// newSized fills a database and builds the use cases over it. blob is a literal of bytes.
func newSized(
	t testing.TB, db *store.Stores, url string, orders int, blob string, numbered bool, exec func(string) error,
) *sized {
	clock := purchasetest.NewClock()
	source, gateway := purchasetest.NewSource(clock), purchasetest.NewGateway(clock)
	s := &sized{db: db, url: url, clock: clock, begin: clock.Now(), source: source, gateway: gateway, orders: orders,
		exec: exec, numbered: numbered}
	s.fill(t, blob)
	for _, id := range []string{show, appShow, failingShow} {
		source.AddShow(catalog.Legacy, id, 4*time.Hour, 10, 10, price)
	}
	var err error
	s.Purchase, err = purchase.New(purchase.Config{
		Store: db.Orders(), Tasks: db.Orders(), Records: db.Orders(),
		Sources: order.TicketSources{catalog.Legacy: source},
		Gateway: gateway, AppID: purchasetest.AppID, MchID: purchasetest.MchID,
		Passwords: &purchasetest.Buyers{}, Identities: &purchasetest.Buyers{}, Venues: noVenues,
		Lots: cards.NewIssuer(db.Cards(), testPeppers, clock.Now), Recharges: cards.New(db.Cards(), testPeppers, clock.Now),
		Now: clock.Now,
	})
	require.NoError(t, err)
	for user := range int64(growthRounds) {
		s.cards = append(s.cards, 500_000_000+user)
		require.NoError(t, exec(fmt.Sprintf(`INSERT INTO cards (id, pid, number, password, user_id, status, version,
			created_at)
			VALUES (%d, 1, 'new%d', %s, %d, 'active', 1, 1)`, s.cards[user], user, blob, user+1)))
		require.NoError(t, exec(fmt.Sprintf(`INSERT INTO lots (id, card_id, expires_at, avail, origin)
			VALUES (%d, %[1]d, 4000000000, 1000000, 'issue')`, s.cards[user])))
		require.NoError(t, exec(fmt.Sprintf(`INSERT INTO ledger_txs (id, key, event, actor, at)
			VALUES (%d, 'new:%[1]d', 'issue', 'test', 1)`, s.cards[user])))
		require.NoError(t, exec(fmt.Sprintf(`INSERT INTO ledger_entries (tx_id, account, lot_id, cp)
			VALUES (%d, 'issued', NULL, -1000000), (%[1]d, 'avail', %[1]d, 1000000)`, s.cards[user])))
	}
	_, err = db.Orders().VerifySome(t.Context(), clock.Now(), 1) // makes the row that verify-step moves
	require.NoError(t, err)
	return s
}

// fillRows is how many orders one statement inserts.
const fillRows = 50_000

// fill inserts past orders with everything that belongs to them, in consistent books. Half of a buyer's orders were
// paid with the card, half in the app.
func (s *sized) fill(t testing.TB, blob string) {
	snapshot, err := json.Marshal(order.Snapshot{
		Show:  catalog.Show{Source: catalog.Legacy, ID: "g", FilmName: "流浪地球", CinemaName: "星光影城", Hall: "1号厅"},
		Seats: []catalog.Seat{{ID: "1-1", Name: "1排1座", Row: 1, Col: 1, Price: price}}, Mobile: "13800138000",
	})
	require.NoError(t, err)
	values := func(card, byCard string) *strings.Replacer {
		return strings.NewReplacer(
			"$buyers", fmt.Sprint(s.orders/10), "$price", fmt.Sprint(int64(price)), "$blob", blob, "$snapshot",
			string(snapshot), "$now", fmt.Sprint(s.clock.Now().Unix()), "$no", `('G' || CAST(1000000000 + i AS TEXT))`,
			"$at", fmt.Sprint(s.past().Unix()), "$card", card, "$byCard", byCard,
		)
	}
	fill := func(from, to int, values *strings.Replacer) {
		for _, insert := range grownRows {
			rows := fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT CAST(%d AS BIGINT) UNION ALL SELECT i + 1 FROM n
				WHERE i < %d)
				INSERT INTO `, from, to)
			require.NoError(t, s.exec(rows+values.Replace(insert)), insert)
		}
	}
	for from := 1; from <= s.orders; from += fillRows {
		fill(from, min(s.orders, from+fillRows-1),
			values(fmt.Sprintf(`(i %% %d + 1)`, s.orders/10), fmt.Sprintf(`i / %d %% 2 = 0`, s.orders/10)))
	}
	// The orders of the heavy buyer were paid in the app.
	fill(s.orders+1, s.orders+heavyOrders, values(fmt.Sprint(s.orders/10+1), `1 = 0`))
	if s.numbered {
		for _, table := range []string{"orders", "seat_holds", "payments", "legs", "ledger_txs", "cards", "lots"} {
			require.NoError(t, s.exec(fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%s', 'id'),
				%d)`, table, 600_000_000)))
		}
	}
}

// grownRows insert what belongs to the orders i.
var grownRows = []string{
	`users (id, phone, created_at)
		SELECT 1000000 + i, '136' || substr(CAST(100000000 + i AS TEXT), 2), $at FROM n WHERE i <= $buyers`,
	`showings (source, external_id, starts_at, closes_at, price)
		SELECT 1, 'g' || CAST((i - 1) / 100 AS TEXT), $at, 0, $price FROM n WHERE (i - 1) % 100 = 0`,
	`cards (id, pid, number, password, user_id, status, version, bound_at, created_at)
		SELECT i, 1, 'old' || CAST(i AS TEXT), $blob, 1000000 + i, 'active', 1, $at, $at FROM n WHERE i <= $buyers`,
	`lots (id, card_id, expires_at, avail, origin)
		SELECT i, i, 4000000000, 1000000 - 5 * $price, 'issue' FROM n WHERE i <= $buyers`,
	`ledger_txs (id, key, event, actor, at)
		SELECT i, 'issue:old' || CAST(i AS TEXT), 'issue', 'test', $at FROM n WHERE i <= $buyers`,
	`ledger_entries (tx_id, account, lot_id, cp) SELECT i, 'issued', NULL, -1000000 FROM n WHERE i <= $buyers`,
	`ledger_entries (tx_id, account, lot_id, cp) SELECT i, 'avail', i, 1000000 FROM n WHERE i <= $buyers`,
	`orders (id, order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at, ends_at, seats,
		provider_no, tickets)
		SELECT i, $no, 'ticket', 1, 'ISSUED', 4, 1000000 + $card, $price, $at, $at, $at, $at, 1, 'P' || $no,
		'[{"Name":"取票码","Code":"C' || $no || '"}]' FROM n`,
	`order_snapshots (order_id, snapshot) SELECT i, '$snapshot' FROM n`,
	`seat_holds (id, source, show_id, seat_id, order_no, state, changed_at)
		SELECT i, 1, 'g' || CAST((i - 1) / 100 AS TEXT), 's' || CAST((i - 1) % 100 AS TEXT), $no, 'sold', $at FROM n`,
	`payments (id, order_no, attempt, state, total, created_at) SELECT i, $no, 1, 'paid', $price, $at FROM n`,
	`legs (id, payment_id, order_no, kind, title, card_id, amount, captured, captured_at, out_trade_no, transaction_id,
		openid)
		SELECT i, i, $no, CASE WHEN $byCard THEN 'card' ELSE 'wx' END, 'leg',
		CASE WHEN $byCard THEN $card END, $price, $price,
		$at, CASE WHEN $byCard THEN NULL ELSE $no || '-1' END, CASE WHEN $byCard THEN NULL ELSE 'T' || $no END, 'openid'
		FROM n`,
	`ledger_txs (id, key, event, order_no, actor, at)
		SELECT $buyers + 2 * i - 1, 'reserve:' || CAST(i AS TEXT) || ':0', 'reserve', $no, 'test', $at FROM n
		WHERE $byCard`,
	`ledger_txs (id, key, event, order_no, actor, at)
		SELECT $buyers + 2 * i, 'commit:' || CAST(i AS TEXT) || ':0', 'commit', $no, 'test', $at FROM n WHERE $byCard`,
	`ledger_entries (tx_id, account, lot_id, cp) SELECT $buyers + 2 * i - 1, 'avail', $card, -$price FROM n
		WHERE $byCard`,
	`ledger_entries (tx_id, account, lot_id, cp) SELECT $buyers + 2 * i - 1, 'held', $card, $price FROM n
		WHERE $byCard`,
	`ledger_entries (tx_id, account, lot_id, cp) SELECT $buyers + 2 * i, 'held', $card, -$price FROM n WHERE $byCard`,
	`ledger_entries (tx_id, account, lot_id, cp) SELECT $buyers + 2 * i, 'revenue', NULL, $price FROM n WHERE $byCard`,
	`provider_calls (key, order_no, request_hash, outcome, sent_at)
		SELECT 'issue:' || $no, $no, 'hash', 'ok', $now FROM n`,
}

// The books of a grown shop are consistent, so that BenchmarkGrowth measures a realistic shop.
func TestGrowth_TheBooksAgree(t *testing.T) {
	t.Parallel()
	for engine, open := range map[string]func(testing.TB, int) *sized{"sqlite": sizedSQLite,
		"postgres": sizedPostgres} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			found, err := open(t, 200).db.Orders().Discrepancies(t.Context())
			require.NoError(t, err)
			require.Empty(t, found)
		})
	}
}

package purchase_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/catalog"
	"marquee/server/clocktest"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/postgres/pgserver"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/sqlite"
)

// grownOrders is the number of orders in the large shop of BenchmarkGrowth. A tenth as many cards and 2.2 times as many
// ledger entries come with them. Ten million orders take 14 GB on SQLite.
var grownOrders = flag.Int("growth-orders", 100_000, "orders of the large shop of BenchmarkGrowth")

const (
	smallShop    = 12_000 // orders of the shop that the large one is compared with: two full pages of every step
	growthRounds = 60     // of each operation, in turn
)

// sized is a shop with a number of past orders. Every tenth of them belongs to the same buyer, who has one card.
type sized struct {
	*purchase.Purchase
	db     *store.Stores
	clock  *clocktest.Clock
	orders int
	exec   func(query string) error
	// numbered means that ids come from sequences, which rows with given ids do not advance.
	numbered bool
	cards    []int64 // of new buyers: the n-th one has the id n+1
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
					var took [2][]float64
					for round := range growthRounds {
						for i, s := range []*sized{small, large} {
							start := time.Now()
							op.run(b, s, round)
							took[i] = append(took[i], float64(time.Since(start).Microseconds())/1000)
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

// growthOperations are the operations whose cost must not grow with the shop. Rounds are numbered from 0.
var growthOperations = []struct {
	name string
	run  func(b *testing.B, s *sized, round int)
}{
	{"lock", func(b *testing.B, s *sized, round int) {
		_, err := s.Seating.LockSeats(b.Context(), int64(round+1), seating.LockSeats{
			Mobile: mobile,
			Source: catalog.Legacy, ShowID: show, SeatIDs: []string{fmt.Sprintf("%d-%d", round/8+1, round%8+1)},
		})
		require.NoError(b, err)
	}},
	{"unpaid", func(b *testing.B, s *sized, round int) {
		_, found, err := s.Orders.Unpaid(b.Context(), int64(round+1))
		require.NoError(b, err)
		require.True(b, found)
	}},
	{"pay", func(b *testing.B, s *sized, round int) {
		o, _, err := s.Orders.Unpaid(b.Context(), int64(round+1))
		require.NoError(b, err)
		_, err = s.Checkout.Payer.PayWithCards(b.Context(), int64(round+1), o.No, s.cards[round:round+1],
			purchasetest.Password)
		require.NoError(b, err)
	}},
	{"list", listOrders},
	{"list-again", listOrders}, // of the same buyers, whose orders were just read from the disk
	{"verify-step", func(b *testing.B, s *sized, round int) {
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
	{"purge-step", func(b *testing.B, s *sized, _ int) {
		_, _, err := s.db.Orders().Purge(b.Context(), s.clock.Now().Add(-30*24*time.Hour), 1)
		require.NoError(b, err)
	}},
	{"review-list", func(b *testing.B, s *sized, _ int) {
		_, err := s.db.BackOffice().OrdersToReview(b.Context(), 100)
		require.NoError(b, err)
	}},
	{"find-order", func(b *testing.B, s *sized, round int) {
		no := fmt.Sprintf("G%d", 1_000_000_000+s.orders/2+round)
		for _, number := range []string{no, "P" + no, "C" + no} {
			found, err := s.db.BackOffice().FindOrders(b.Context(), number, "", 50)
			require.NoError(b, err)
			require.Len(b, found, 1)
			require.Equal(b, no, found[0].No)
		}
	}},
	{"seat-claims", func(b *testing.B, s *sized, round int) {
		showing := backoffice.Showing{Source: catalog.Legacy, ID: fmt.Sprintf("g%d", s.orders/200+round)}
		claims, err := s.db.BackOffice().SeatClaims(b.Context(), showing)
		require.NoError(b, err)
		require.Len(b, claims, 100)
	}},
	{"trace-order", func(b *testing.B, s *sized, round int) {
		found, err := s.db.BackOffice().Records(b.Context(), fmt.Sprintf("G%d", 1_000_000_000+s.orders/2+round))
		require.NoError(b, err)
		require.Len(b, found.Calls, 1)
	}},
	{"claim", func(b *testing.B, s *sized, _ int) {
		_, err := s.db.Orders().Claim(b.Context(), s.clock.Now(), s.clock.Now(), 8, nil)
		require.NoError(b, err)
	}},
}

func listOrders(b *testing.B, s *sized, round int) {
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
	return newSized(t, db.Stores, orders, "X'00'", false, func(query string) error {
		_, err := raw.Exec(query)
		return err
	})
}

func sizedPostgres(t testing.TB, orders int) *sized {
	return filledPostgres(t, pgtest.OpenShop(t), orders)
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
		require.NoError(t, postgres.Migrate(t.Context(), url))
		db, err := postgres.Open(t.Context(), url, postgres.Connections(4))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		return filledPostgres(t, db, orders)
	}
}

func filledPostgres(t testing.TB, db *postgres.DB, orders int) *sized {
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
	s := newSized(t, db.Stores, orders, `'\x00'::bytea`, true, exec)
	require.NoError(t, exec(`ANALYZE`)) // autovacuum does so within a minute of such growth
	return s
}

// newSized fills a database and builds the use cases over it. blob is a literal of bytes.
func newSized(
	t testing.TB, db *store.Stores, orders int, blob string, numbered bool, exec func(string) error,
) *sized {
	clock := purchasetest.NewClock()
	s := &sized{db: db, clock: clock, orders: orders, exec: exec, numbered: numbered}
	s.fill(t, blob)
	source := purchasetest.NewSource(clock)
	source.AddShow(catalog.Legacy, show, 4*time.Hour, 10, 10, price)
	var err error
	s.Purchase, err = purchase.New(purchase.Config{
		Store: db.Orders(), Tasks: db.Orders(), Records: db.Orders(),
		Sources: map[catalog.Source]order.TicketSource{catalog.Legacy: source},
		Gateway: purchasetest.NewGateway(clock), AppID: purchasetest.AppID, MchID: purchasetest.MchID,
		Passwords: &purchasetest.Buyers{}, Identities: &purchasetest.Buyers{}, Now: clock.Now,
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
	values := strings.NewReplacer(
		"$buyers", fmt.Sprint(s.orders/10), "$price", fmt.Sprint(int64(price)), "$blob", blob, "$snapshot",
		string(snapshot), "$now", fmt.Sprint(s.clock.Now().Unix()), "$no", `('G' || CAST(1000000000 + i AS TEXT))`,
		"$at", fmt.Sprint(s.clock.Now().Add(-60*24*time.Hour).Unix()), "$card",
		fmt.Sprintf(`(i %% %d + 1)`, s.orders/10), "$byCard", fmt.Sprintf(`i / %d %% 2 = 0`, s.orders/10),
	)
	for from := 1; from <= s.orders; from += fillRows {
		to := min(s.orders, from+fillRows-1)
		for _, insert := range grownRows {
			rows := fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT CAST(%d AS BIGINT) UNION ALL SELECT i + 1 FROM n
				WHERE i < %d)
				INSERT INTO `, from, to)
			require.NoError(t, s.exec(rows+values.Replace(insert)), insert)
		}
	}
	if s.numbered {
		for _, table := range []string{"orders", "seat_holds", "payments", "legs", "ledger_txs", "cards", "lots"} {
			require.NoError(t, s.exec(fmt.Sprintf(`SELECT setval(pg_get_serial_sequence('%s', 'id'),
				%d)`, table, 600_000_000)))
		}
	}
}

// grownRows insert what belongs to the orders i.
var grownRows = []string{
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

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/money"
	"marquee/server/order"
)

// Cards implements cards.Store: welfare cards, their lots (portions of points that expire at the same time) and the
// ledger.
type Cards struct{ db *Stores }

// Cards returns the card store.
func (s *Stores) Cards() *Cards { return &Cards{s} }

var _ cards.Store = (*Cards)(nil)

// Update implements cards.Store.
func (s *Cards) Update(ctx context.Context, fn func(cards.Tx) error) error {
	return s.db.write(ctx, func(w *writeTx) error { return fn(w.cardTx()) })
}

// cardQuery reads cards with the sums of their lots at the time $1: the points that can be spent, and the points that
// open payments hold. It also reads when the earliest of these points expire or, for a card without such points, when
// its last points expired.
const cardQuery = cardColumns + cardTables

const cardColumns = `SELECT c.id, c.pid, c.number, coalesce(c.user_id, 0), c.status, c.deleted, c.version, c.bound_at,
	c.created_at, c.password, coalesce(c.merged_into, 0),
	coalesce(sum(l.avail) FILTER (WHERE l.expires_at > $1), 0), coalesce(sum(l.held), 0),
	coalesce(min(l.expires_at) FILTER (WHERE l.held > 0 OR (l.avail > 0 AND l.expires_at > $1)), max(l.expires_at), 0)`

const cardTables = ` FROM cards c LEFT JOIN lots l ON l.card_id = c.id `

// cardRow is a card with the hash of its password.
type cardRow struct {
	card cards.Card
	hash []byte
}

func scanCard(row scanner) (cardRow, error) { return scanCardWith(row) }

// scanCardWith reads a card and the columns that follow those of cardQuery.
func scanCardWith(row scanner, more ...any) (cardRow, error) {
	var r cardRow
	var bound, created, ends int64
	c := &r.card
	err := row.Scan(append([]any{&c.ID, &c.PID, &c.Number, &c.UserID, &c.Status, &c.Deleted, &c.Version, &bound,
		&created, &r.hash, &c.MergedInto, &c.Balance, &c.Held, &ends}, more...)...)
	c.BoundAt, c.CreatedAt, c.EndTime = fromEpoch(bound), fromEpoch(created), fromEpoch(ends)
	return r, err
}

// card reads the card whose column has the value, with its balance at the given time. It locks the card first, because
// PostgreSQL cannot lock the rows of a query with aggregates.
func (w cardRepo) card(column string, value any, now time.Time) (cardRow, error) {
	if err := w.lockCardWith(column, value); err != nil {
		return cardRow{}, err
	}
	return txQueryOne(w.writeTx, scanCard, cards.ErrCardNotFound,
		cardQuery+`WHERE c.`+column+` = $2 GROUP BY c.id`, toEpoch(now), value)
}

// Get implements cards.Cards.
func (w cardRepo) Get(id int64, now time.Time) (cards.Card, error) {
	r, err := w.card("id", id, now)
	return r.card, err
}

// ByNumber implements cards.Cards.
func (w cardRepo) ByNumber(number string, now time.Time) (cards.Card, []byte, error) {
	r, err := w.card("number", number, now)
	return r.card, r.hash, err
}

// Insert implements cards.Cards.
func (w cardRepo) Insert(c cards.Card, hash []byte) (int64, error) {
	id, err := txQueryOne(w.writeTx, scanValue[int64], cards.ErrCardExists,
		`INSERT INTO cards (pid, number, password, user_id, status, version, bound_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id`,
		int(c.PID), c.Number, hash, nullUserID(c), string(c.Status), c.Version, toEpoch(c.BoundAt),
		toEpoch(c.CreatedAt))
	if err != nil {
		return 0, fmt.Errorf("store: insert card: %w", err)
	}
	return id, nil
}

// nullUserID returns the buyer of a card, or NULL if the card is not bound.
func nullUserID(c cards.Card) sql.NullInt64 {
	return sql.NullInt64{Int64: c.UserID, Valid: c.UserID != 0}
}

// Save implements cards.Cards.
func (w cardRepo) Save(c cards.Card) error {
	changed, err := w.exec(`UPDATE cards
		SET user_id = $1, status = $2, deleted = $3, bound_at = $4, merged_into = $5, version = version + 1
		WHERE id = $6 AND version = $7`,
		nullUserID(c), string(c.Status), c.Deleted, toEpoch(c.BoundAt), sql.NullInt64{Int64: c.MergedInto,
			Valid: c.MergedInto != 0}, c.ID, c.Version)
	if w.isRule(err, accountClosed) {
		return account.ErrLoginRequired
	}
	if err != nil {
		return fmt.Errorf("store: save card %d: %w", c.ID, err)
	}
	return requireRow(changed, cards.ErrStale)
}

// Get implements cards.TryCounts.
func (w tryRepo) Get(scope string) (t cards.Tries, err error) {
	if err := w.lock("card tries " + scope); err != nil {
		return t, err
	}
	found, err := txQueryAll(w.writeTx, func(row scanner) (t cards.Tries, err error) {
		var until int64
		err = row.Scan(&t.Wrong, &until)
		t.Until = fromEpoch(until)
		return t, err
	}, `SELECT wrong, stands_until FROM card_tries WHERE scope = $1`, scope)
	if err != nil || len(found) == 0 {
		return t, err
	}
	return found[0], nil
}

// Set implements cards.TryCounts.
func (w tryRepo) Set(scope string, t cards.Tries) error {
	if t.Wrong == 0 {
		_, err := w.exec(`DELETE FROM card_tries WHERE scope = $1`, scope)
		return err
	}
	_, err := w.exec(`INSERT INTO card_tries (scope, wrong, stands_until) VALUES ($1, $2, $3)
		ON CONFLICT (scope) DO UPDATE SET wrong = $2, stands_until = $3`, scope, t.Wrong, toEpoch(t.Until))
	return err
}

// DeleteExpired implements cards.TryCounts.
func (w tryRepo) DeleteExpired(now time.Time) error {
	_, err := w.exec(`DELETE FROM card_tries WHERE stands_until < $1`, toEpoch(now))
	return err
}

// CardsOf implements cards.Store.
func (s *Cards) CardsOf(ctx context.Context, userID int64, now time.Time) ([]cards.Card, error) {
	return queryAll(ctx, s.db, scanOnlyCard, cardsOfBuyer, toEpoch(now), userID)
}

// cardsOfBuyer reads the cards of the buyer $2 that are not deleted.
const cardsOfBuyer = cardQuery + ofBuyer

const ofBuyer = `WHERE c.user_id = $2 AND c.deleted = FALSE GROUP BY c.id ORDER BY c.id`

// CardsFor implements order.Store. It is one statement, so that it reads a consistent state.
func (s *Orders) CardsFor(ctx context.Context, userID int64, orderNo string, now time.Time) ([]cards.Card, error) {
	scan := func(row scanner) (cards.Card, error) {
		var held money.Fen
		r, err := scanCardWith(row, &held)
		r.card.Balance += held.Points()
		return r.card, err
	}
	return queryAll(ctx, s.from, scan, cardsForOrder, toEpoch(now), userID, orderNo)
}

// cardsForOrder reads the cards of the buyer $2, each with the points that the open payment of the order $3 holds on
// it.
const cardsForOrder = cardColumns + `, coalesce((SELECT sum(g.amount) FROM legs g WHERE g.card_id = c.id
	AND g.payment_id = (SELECT id FROM payments WHERE order_no = $3 AND state = 'open')), 0)` + cardTables + ofBuyer

// scanOnlyCard reads a row of cardQuery without the hash.
func scanOnlyCard(row scanner) (cards.Card, error) {
	r, err := scanCard(row)
	return r.card, err
}

// ExpiredLots implements cards.Store.
func (s *Cards) ExpiredLots(ctx context.Context, now time.Time, limit int) ([]cards.Lot, error) {
	return queryAll(ctx, s.db, scanLot, `SELECT `+lotColumns+` FROM lots WHERE avail > 0 AND expires_at <= $1
		ORDER BY id LIMIT $2`+planOnce, toEpoch(now), limit)
}

// lotColumns are the columns that scanLot reads.
const lotColumns = `id, card_id, expires_at, avail, held, origin, coalesce(merged_into, 0)`

func scanLot(row scanner) (l cards.Lot, err error) {
	var expires int64
	err = row.Scan(&l.ID, &l.CardID, &expires, &l.Avail, &l.Held, &l.Origin, &l.MergedInto)
	l.ExpiresAt = fromEpoch(expires)
	return l, err
}

// points converts points to the integer type of the driver.
func points(p money.Points) int64 { return int64(p) }

// ByCoupon implements cards.Cards.
func (w cardRepo) ByCoupon(hash []byte, now time.Time) (cards.Card, []byte, error) {
	r, err := w.card("coupon", hash, now)
	return r.card, r.hash, err
}

// SetPassword implements cards.Cards.
func (w cardRepo) SetPassword(cardID int64, hash []byte) error {
	_, err := w.exec(`UPDATE cards SET password = $1 WHERE id = $2`, hash, cardID)
	return err
}

// SetCoupon implements cards.Cards.
func (w cardRepo) SetCoupon(cardID int64, hash []byte) error {
	changed, err := w.exec(`UPDATE cards SET coupon = $1 WHERE id = $2
		AND NOT EXISTS (SELECT 1 FROM cards WHERE coupon = $1 AND id <> $2)`, hash, cardID)
	if w.isUnique(err) { // another transaction has given the coupon code to a card
		return cards.ErrCardExists
	}
	if err != nil {
		return err
	}
	return requireRow(changed, cards.ErrCardExists)
}

// LinkLot implements cards.Ledger.
func (w ledgerRepo) LinkLot(id, into int64) error {
	_, err := w.exec(`UPDATE lots SET merged_into = $1 WHERE id = $2`, into, id)
	return err
}

// MergeTarget implements cards.Cards.
func (w cardRepo) MergeTarget(cardID int64) (int64, error) {
	target, err := txQueryOne(w.writeTx, scanValue[int64], cards.ErrCardNotFound,
		`WITH RECURSIVE chain (id, next) AS (SELECT id, merged_into FROM cards WHERE id = $1
			UNION SELECT c.id, c.merged_into FROM cards c JOIN chain ON c.id = chain.next)
		SELECT id FROM chain WHERE next IS NULL`, cardID)
	if err != nil {
		return 0, fmt.Errorf("store: merge target of card %d: %w", cardID, err)
	}
	return target, nil
}

// Reinstate implements cards.Cards.
func (w cardRepo) Reinstate(cardID int64) (bool, error) {
	changed, err := w.exec(`UPDATE cards SET deleted = FALSE, version = version + 1 WHERE id = $1
		AND deleted = TRUE AND merged_into IS NULL`, cardID)
	if err != nil {
		return false, fmt.Errorf("store: reinstate card %d: %w", cardID, err)
	}
	return changed > 0, nil
}

// Insert implements cards.MergeCodes.
func (w mergeCodeRepo) Insert(m cards.MergeCode) error {
	_, err := w.exec(`INSERT INTO merge_codes (code_hash, user_id, pid, cards, expires_at) VALUES ($1, $2, $3, $4, $5)`,
		m.Hash, m.UserID, int(m.PID), m.Cards, toEpoch(m.ExpiresAt))
	return err
}

// Take implements cards.MergeCodes.
func (w mergeCodeRepo) Take(hash []byte, now time.Time) (cards.MergeCode, error) {
	return txQueryOne(w.writeTx, func(row scanner) (cards.MergeCode, error) {
		m := cards.MergeCode{Hash: hash}
		var expires int64
		err := row.Scan(&m.UserID, &m.PID, &m.Cards, &expires)
		m.ExpiresAt = fromEpoch(expires)
		return m, err
	}, cards.ErrMergeCodeInvalid, `UPDATE merge_codes SET used_at = $2 WHERE code_hash = $1 AND used_at = 0
		AND expires_at > $2
		RETURNING user_id, pid, cards, expires_at`,
		hash, toEpoch(now))
}

// Replace implements cards.Packages.
func (w packageRepo) Replace(list []cards.Package) error {
	if err := w.lock("card packages"); err != nil {
		return err
	}
	if _, err := w.exec(`DELETE FROM card_packages`); err != nil {
		return err
	}
	for i, p := range list {
		if _, err := w.exec(`INSERT INTO card_packages (position, points, price)
			VALUES ($1, $2, $3)`, i, points(p.Points), fen(p.Price)); err != nil {
			return err
		}
	}
	return nil
}

func scanPackage(row scanner) (p cards.Package, err error) {
	return p, row.Scan(&p.ID, &p.Points, &p.Price)
}

// Packages implements cards.Store.
func (s *Cards) Packages(ctx context.Context) ([]cards.Package, error) {
	return queryAll(ctx, s.db, scanPackage, `SELECT id, points, price FROM card_packages ORDER BY position, id`)
}

// Records implements cards.Store.
func (s *Cards) Records(ctx context.Context, cardID int64, events []cards.Event, limit, offset int) ([]cards.Record,
	int, error) {
	args := []any{cardID}
	for _, e := range events {
		args = append(args, string(e))
	}
	from := ` FROM ledger_entries e JOIN lots l ON l.id = e.lot_id JOIN ledger_txs t ON t.id = e.tx_id
		WHERE l.card_id = $1 AND t.event IN (` + placeholders(2, len(events)) + `)`
	total, err := queryAll(ctx, s.db, scanValue[int], `SELECT count(DISTINCT t.id)`+from, args...)
	if err != nil || total[0] == 0 {
		return []cards.Record{}, 0, err
	}
	scan := func(row scanner) (cards.Record, error) { return scanCardRecord(ctx, row) }
	list, err := queryAll(ctx, s.db, scan, `SELECT r.event, r.at, r.remark, r.points, r.order_no,
			coalesce(o.kind, ''), coalesce(s.snapshot, '')
		FROM (SELECT t.id, t.event, t.at, t.remark, t.order_no, sum(e.cp) points`+from+` GROUP BY t.id
		ORDER BY t.id DESC
			LIMIT `+placeholders(len(args)+1, 1)+planOnce+` OFFSET `+placeholders(len(args)+2, 1)+`) r
		LEFT JOIN orders o ON o.order_no = r.order_no AND o.kind IN ('ticket', 'goods')
			AND o.user_id = (SELECT user_id FROM cards WHERE id = $1)
		LEFT JOIN order_snapshots s ON s.order_id = o.id ORDER BY r.id DESC`, append(args, limit, offset)...)
	return list, total[0], err
}

// scanCardRecord reads a record and the kind and snapshot of its order, which are empty if there is none. The title of
// an order whose snapshot cannot be decoded is empty, so that one bad snapshot does not hide the history of the card.
func scanCardRecord(ctx context.Context, row scanner) (r cards.Record, err error) {
	var when int64
	var no, kind, text string
	err = row.Scan(&r.Event, &when, &r.Remark, &r.Points, &no, &kind, &text)
	r.At = fromEpoch(when)
	if err != nil || text == "" {
		return r, err
	}
	r.Order = cards.RecordOrder{No: no, Kind: kind}
	var bought order.Snapshot
	if err := json.Unmarshal([]byte(text), &bought); err != nil {
		slog.ErrorContext(ctx, "decode snapshot for card record failed", "order", no, "error", err)
		return r, nil
	}
	r.Order.Title = bought.Show.FilmName
	if bought.Goods != nil {
		r.Order.Title = bought.Goods.Title
	}
	return r, nil
}

// CardNumbered implements cards.Store.
func (s *Cards) CardNumbered(ctx context.Context, number string, now time.Time) (cards.Card, error) {
	r, err := queryOne(ctx, s.db, scanCard, cards.ErrCardNotFound, cardQuery+`WHERE c.number = $2
		GROUP BY c.id`, toEpoch(now), number)
	return r.card, err
}

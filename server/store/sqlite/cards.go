package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/money"
)

// Cards is the store of welfare cards.
type Cards struct{ db *DB }

// Cards is the database as cards.Service sees it.
func (db *DB) Cards() *Cards { return &Cards{db} }

var _ cards.Store = (*Cards)(nil)

// Update implements cards.Store.
func (s *Cards) Update(ctx context.Context, fn func(cards.Tx) error) error {
	return s.db.write(ctx, func(w *writeTx) error { return fn(w.cardTx()) })
}

// cardQuery reads a card with what its lots add up to at the time ?1.
const cardQuery = `SELECT c.id, c.pid, c.number, coalesce(c.user_id, 0), c.status, c.version, c.bound_at,
	c.created_at, c.password, coalesce(c.merged_into, 0),
	coalesce(sum(l.avail) FILTER (WHERE l.expires_at > ?1), 0), coalesce(sum(l.held), 0),
	coalesce(min(l.expires_at) FILTER (WHERE l.held > 0 OR (l.avail > 0 AND l.expires_at > ?1)), max(l.expires_at), 0)
	FROM cards c LEFT JOIN lots l ON l.card_id = c.id `

type cardRow struct {
	card cards.Card
	hash []byte
}

func scanCard(row scanner) (cardRow, error) {
	var r cardRow
	var bound, created, ends int64
	c := &r.card
	err := row.Scan(&c.ID, &c.PID, &c.Number, &c.UserID, &c.Status, &c.Version, &bound, &created, &r.hash,
		&c.MergedInto, &c.Balance, &c.Held, &ends)
	if errors.Is(err, sql.ErrNoRows) {
		return r, cards.ErrCardNotFound
	}
	if err != nil {
		return r, fmt.Errorf("sqlite: read card: %w", err)
	}
	c.BoundAt, c.CreatedAt, c.EndTime = fromEpoch(bound), fromEpoch(created), fromEpoch(ends)
	return r, nil
}

func (w cardRepo) card(where string, args ...any) (cardRow, error) {
	s, err := w.stmt(cardQuery + where + ` GROUP BY c.id`)
	if err != nil {
		return cardRow{}, err
	}
	return scanCard(s.QueryRow(args...))
}

// Get implements cards.Cards.
func (w cardRepo) Get(id int64, now time.Time) (cards.Card, error) {
	r, err := w.card(`WHERE c.id = ?2`, toEpoch(now), id)
	return r.card, err
}

// ByNumber implements cards.Cards.
func (w cardRepo) ByNumber(number string, now time.Time) (cards.Card, []byte, error) {
	r, err := w.card(`WHERE c.number = ?2`, toEpoch(now), number)
	return r.card, r.hash, err
}

// Insert implements cards.Cards.
func (w cardRepo) Insert(c cards.Card, hash []byte) (int64, error) {
	res, err := w.exec(`INSERT INTO cards (pid, number, password, user_id, status, version, bound_at, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		int(c.PID), c.Number, hash, owner(c), string(c.Status), c.Version, toEpoch(c.BoundAt), toEpoch(c.CreatedAt))
	if IsUnique(err) {
		return 0, cards.ErrCardExists
	}
	if err != nil {
		return 0, fmt.Errorf("sqlite: insert card: %w", err)
	}
	return res.LastInsertId()
}

func owner(c cards.Card) sql.NullInt64 { return sql.NullInt64{Int64: c.UserID, Valid: c.UserID != 0} }

// Save implements cards.Cards.
func (w cardRepo) Save(c cards.Card) error {
	res, err := w.exec(`UPDATE cards
		SET user_id = ?, status = ?, bound_at = ?, merged_into = ?, version = version + 1 WHERE id = ? AND version = ?`,
		owner(c), string(c.Status), toEpoch(c.BoundAt), sql.NullInt64{Int64: c.MergedInto,
			Valid: c.MergedInto != 0}, c.ID, c.Version)
	if err != nil {
		return fmt.Errorf("sqlite: save card %d: %w", c.ID, err)
	}
	return requireRow(res, cards.ErrStale)
}

// Get implements cards.TryCounts.
func (w tryRepo) Get(scope string) (t cards.Tries, err error) {
	s, err := w.stmt(`SELECT wrong, stands_until FROM card_tries WHERE scope = ?`)
	if err != nil {
		return t, err
	}
	var until int64
	err = s.QueryRow(scope).Scan(&t.Wrong, &until)
	if errors.Is(err, sql.ErrNoRows) {
		return t, nil
	}
	t.Until = fromEpoch(until)
	return t, err
}

// Set implements cards.TryCounts.
func (w tryRepo) Set(scope string, t cards.Tries) error {
	if t.Wrong == 0 {
		_, err := w.exec(`DELETE FROM card_tries WHERE scope = ?`, scope)
		return err
	}
	_, err := w.exec(`INSERT INTO card_tries (scope, wrong, stands_until) VALUES (?1, ?2, ?3)
		ON CONFLICT (scope) DO UPDATE SET wrong = ?2, stands_until = ?3`, scope, t.Wrong, toEpoch(t.Until))
	return err
}

// DeleteExpired implements cards.TryCounts.
func (w tryRepo) DeleteExpired(now time.Time) error {
	_, err := w.exec(`DELETE FROM card_tries WHERE stands_until < ?`, toEpoch(now))
	return err
}

// CardsOf implements cards.Store.
func (s *Cards) CardsOf(ctx context.Context, userID int64, now time.Time) ([]cards.Card, error) {
	return cardsOf(ctx, s.db, userID, now)
}

// CardsOf implements order.Store.
func (s *Orders) CardsOf(ctx context.Context, userID int64, now time.Time) ([]cards.Card, error) {
	return cardsOf(ctx, s.from, userID, now)
}

func cardsOf(ctx context.Context, from querier, userID int64, now time.Time) ([]cards.Card, error) {
	scan := func(row scanner) (cards.Card, error) {
		r, err := scanCard(row)
		return r.card, err
	}
	return queryAll(ctx, from, scan, cardQuery+`WHERE c.user_id = ?2 AND c.status <> 'deleted' GROUP BY c.id
		ORDER BY c.id`, toEpoch(now), userID)
}

// ExpiredLots implements cards.Store.
func (s *Cards) ExpiredLots(ctx context.Context, now time.Time, limit int) ([]cards.Lot, error) {
	return queryAll(ctx, s.db, scanLot, `SELECT `+lotColumns+` FROM lots WHERE avail > 0 AND expires_at <= ?
		ORDER BY id LIMIT ?`, toEpoch(now), limit)
}

const lotColumns = `id, card_id, expires_at, avail, held, origin, coalesce(merged_into, 0)`

func scanLot(row scanner) (l cards.Lot, err error) {
	var expires int64
	err = row.Scan(&l.ID, &l.CardID, &expires, &l.Avail, &l.Held, &l.Origin, &l.MergedInto)
	if errors.Is(err, sql.ErrNoRows) {
		return l, cards.ErrCardNotFound
	}
	l.ExpiresAt = fromEpoch(expires)
	return l, err
}

func points(p money.Points) int64 { return int64(p) }

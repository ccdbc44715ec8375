package app

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/money"
)

// BackOffice does what the shop's people do by hand. Everything it changes is in the audit, under the name of who
// did it. Amounts are text as people write them: yuan or points with at most two decimals.
type BackOffice struct {
	app   *App
	actor string
}

// BackOffice opens the back office for a person.
func (a *App) BackOffice(by string) (*BackOffice, error) {
	if strings.TrimSpace(by) == "" {
		return nil, errors.New("the back office must know who is at work")
	}
	return &BackOffice{a, "admin:" + by}, nil
}

// Batch is a number of cards to issue.
type Batch struct {
	PID     int
	Count   int
	Points  string
	Days    int  // how long the points live
	Coupons bool // each with a code that binds it by itself
	Out     string
}

// mostCards bounds a batch, which is one transaction.
const mostCards = 10_000

// IssueCards issues a batch and writes numbers and passwords to the file Out, which must not exist: this is the
// only time that they are seen, the shop keeps hashes. Either both happen or none.
func (b *BackOffice) IssueCards(ctx context.Context, n Batch) error {
	points, err := money.ParsePoints(n.Points)
	if err != nil {
		return fmt.Errorf("points %q: %w", n.Points, err)
	}
	life, err := cards.LifeOf(n.Days)
	if err != nil {
		return err
	}
	if n.Count < 1 || n.Count > mostCards || cards.PID(n.PID).Name() == "" || points <= 0 {
		return fmt.Errorf("a batch has 1 to %d cards of types 1 to 11, with points", mostCards)
	}
	file, err := os.OpenFile(n.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the batch: %w", err)
	}
	list, err := b.draw(n, points, life)
	if err == nil {
		err = writeBatch(file, list)
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = b.app.cards.Issue(ctx, list, b.actor)
	}
	if err != nil {
		return errors.Join(err, os.Remove(n.Out))
	}
	return nil
}

func (b *BackOffice) draw(n Batch, points money.Points, life time.Duration) ([]cards.NewCard, error) {
	list := make([]cards.NewCard, 0, n.Count)
	expires := b.app.cfg.Now().Add(life)
	for range n.Count {
		number, err := digits(13)
		if err != nil {
			return nil, err
		}
		password, err := digits(10)
		if err != nil {
			return nil, err
		}
		c := cards.NewCard{PID: cards.PID(n.PID), Number: fmt.Sprintf("8%02d%s", n.PID, number), Password: password, Points: points, ExpiresAt: expires}
		if n.Coupons {
			c.Coupon = rand.Text()[:16]
		}
		list = append(list, c)
	}
	return list, nil
}

func digits(n int) (string, error) {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	v, err := rand.Int(rand.Reader, limit)
	if err != nil {
		return "", fmt.Errorf("draw a number: %w", err)
	}
	return fmt.Sprintf("%0*d", n, v), nil
}

func writeBatch(file *os.File, list []cards.NewCard) error {
	w := csv.NewWriter(file)
	rows := [][]string{{"number", "password", "coupon", "type", "points", "expires"}}
	for _, c := range list {
		rows = append(rows, []string{c.Number, c.Password, c.Coupon, c.PID.Name(), c.Points.String(), c.ExpiresAt.In(beijing.Time).Format(time.DateOnly)})
	}
	if err := w.WriteAll(rows); err != nil {
		return fmt.Errorf("write the batch: %w", err)
	}
	return file.Sync()
}

// Adjust recharges a card (points without sign) or, with deduct, takes points away. key makes it happen once: again
// tells that it was done before. "" is a new one each time.
func (b *BackOffice) Adjust(ctx context.Context, number, points string, deduct bool, days int, reason, key string) (again bool, err error) {
	amount, err := money.ParsePoints(points)
	if err != nil {
		return false, fmt.Errorf("points %q: %w", points, err)
	}
	if amount <= 0 {
		return false, fmt.Errorf("points %q: there must be some: %w", points, fault.ErrInvalidInput)
	}
	life, err := cards.LifeOf(days)
	if err != nil {
		return false, err
	}
	card, err := b.app.db.Cards().CardNumbered(ctx, number, b.app.cfg.Now())
	if err != nil {
		return false, err
	}
	if key == "" {
		key = rand.Text()
	}
	if deduct {
		amount = -amount
	}
	return b.app.cards.Adjust(ctx, cards.Adjustment{Key: key, CardID: card.ID, Points: amount, Life: life, Reason: reason, Actor: b.actor})
}

// Freeze makes a card unusable; thaw makes it usable again.
func (b *BackOffice) Freeze(ctx context.Context, number, reason string, thaw bool) error {
	card, err := b.app.db.Cards().CardNumbered(ctx, number, b.app.cfg.Now())
	if err != nil {
		return err
	}
	if thaw {
		return b.app.cards.Unfreeze(ctx, card.ID, reason, b.actor)
	}
	return b.app.cards.Freeze(ctx, card.ID, reason, b.actor)
}

// CardOfCode tells the number of the card whose page shows the code.
func (b *BackOffice) CardOfCode(ctx context.Context, code string) (string, error) {
	id, err := b.app.cards.CardOfCode(code)
	if err != nil {
		return "", err
	}
	var number string
	err = b.app.db.Read().QueryRowContext(ctx, `SELECT number FROM cards WHERE id = ?`, id).Scan(&number)
	return number, err
}

// SetPackages replaces the recharge packages by the lines of a CSV: points, price.
func (b *BackOffice) SetPackages(ctx context.Context, file io.Reader) error {
	list, err := readCSV(file, []string{"points", "price"}, func(row []string) (p cards.Package, err error) {
		if p.Points, err = money.ParsePoints(row[0]); err != nil {
			return p, err
		}
		p.Price, err = money.ParseFen(row[1])
		if err == nil && (p.Points <= 0 || p.Price <= 0) {
			err = cards.ErrCardInvalid
		}
		return p, err
	})
	if err != nil {
		return err
	}
	return b.app.cards.SetPackages(ctx, list, b.actor)
}

// RetryOrder makes the jobs look at a stuck order, and at its refunds that were left to a person.
func (b *BackOffice) RetryOrder(ctx context.Context, no string) error {
	return b.app.orders.Retry(ctx, no, b.actor)
}

// RefundOrder gives up a stuck order: every leg goes back to where it came from.
func (b *BackOffice) RefundOrder(ctx context.Context, no, reason string) error {
	return b.app.orders.GiveUp(ctx, no, reason, b.actor)
}

// OrderDelivered says that an account was recharged by hand.
func (b *BackOffice) OrderDelivered(ctx context.Context, no string) error {
	return b.app.orders.MarkDelivered(ctx, no, b.actor)
}

// OrderSettled says that what was left to a person, a disputed payment or a refund, has been put right outside the shop.
func (b *BackOffice) OrderSettled(ctx context.Context, no, reason string) error {
	return b.app.orders.Settled(ctx, no, reason, b.actor)
}

// Waiting lists orders that need somebody: stuck, or with a refund or a disputed payment that was left to a person.
func (b *BackOffice) Waiting(ctx context.Context) ([]string, error) {
	rows, err := b.app.db.Read().QueryContext(ctx, `SELECT order_no || ' ' || kind || ' ' || state || iif(stuck = 1, ' stuck', '') ||
		iif(refund, ' refund left to a person', '') || iif(disputed, ' disputed payment', '')
		FROM (SELECT id, order_no, kind, state, stuck, EXISTS (SELECT 1 FROM refunds r WHERE r.order_no = o.order_no AND r.state = 'manual') refund,
			EXISTS (SELECT 1 FROM payments p WHERE p.order_no = o.order_no AND p.state = 'disputed') disputed FROM orders o)
		WHERE stuck = 1 OR (kind = 'goods' AND state = 'ISSUING') OR refund OR disputed ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, rows.Err()
}

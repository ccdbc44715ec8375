package backoffice

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"regexp"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/input"
	"marquee/server/money"
)

// CardCodes finds a card by the code that the card's page has shown. It returns cards.ErrCardNotFound for an invalid
// code.
type CardCodes interface {
	// CardOfCode returns the id of the card.
	CardOfCode(code string) (int64, error)
}

// CardService changes welfare cards. Package cards implements it.
type CardService interface {
	// Issue adds the cards; the same call again continues an interrupted one. It returns cards.ErrCardInvalid,
	// cards.ErrValidity, cards.ErrCardExists or cards.ErrCardIssued, in a *cards.IssueError.
	Issue(ctx context.Context, list []cards.NewCard, actor string) error
	// Adjust adds or deducts points. If the same adjustment was made before with the same key, it changes nothing and
	// reports repeated. It returns cards.ErrCardNotFound, cards.ErrPointsInsufficient, cards.ErrAdjustmentKeyReused or
	// cards.ErrAdjustmentKeyRequired.
	Adjust(ctx context.Context, a cards.Adjustment) (repeated bool, err error)
	// Freeze makes a card unusable until Unfreeze. It returns cards.ErrCardNotFound for a card that was merged.
	Freeze(ctx context.Context, cardID int64, reason, actor string) error
	// Unfreeze makes a frozen card usable again.
	Unfreeze(ctx context.Context, cardID int64, reason, actor string) error
	// SetPackages replaces all recharge packages. Pages show them in the order of the list.
	SetPackages(ctx context.Context, list []cards.Package, actor string) error
}

// CardLookup finds cards by their number, including cards that belong to no buyer. It returns cards.ErrCardNotFound.
type CardLookup interface {
	// CardNumbered returns the card with the balance that it has at the time now.
	CardNumbered(ctx context.Context, number string, now time.Time) (cards.Card, error)
}

// Cards issues and changes welfare cards.
type Cards struct {
	service CardService
	codes   CardCodes
	lookup  CardLookup
	read    ReadModel
	now     func() time.Time
	actor   string
}

// Batch describes cards to issue.
type Batch struct {
	PID     int    // card type, 1 to 11 (see cards.PID)
	Count   int    // number of cards, 1 to maxBatch
	Points  string // points on each card
	Days    int    // days until the points expire
	Coupons bool   // give each card a code that binds it without number and password
	Out     string // path of the CSV file to write; no file may exist there
}

// maxBatch limits the number of cards in a batch, because a batch is generated in memory.
const maxBatch = 10_000

// Issue issues a batch and writes numbers, passwords and coupon codes to the file Out, readable by its owner only. The
// shop stores only hashes, so the file is the only copy of the passwords. The file is written first. If not all cards
// can be issued, it stays, and Resume issues the rest. Issue returns an error if Out exists or a field of the batch is
// invalid.
func (c *Cards) Issue(ctx context.Context, b Batch) error {
	points, err := money.ParsePoints(b.Points)
	if err != nil {
		return fmt.Errorf("points %q: %w", b.Points, err)
	}
	validity, err := cards.LifeOf(b.Days)
	if err != nil {
		return err
	}
	if b.Count < 1 || b.Count > maxBatch || cards.PID(b.PID).Name() == "" || points <= 0 {
		return fmt.Errorf("a batch has 1 to %d cards of types 1 to 11, with points", maxBatch)
	}
	file, err := os.OpenFile(b.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the batch: %w", err)
	}
	list, err := generateCards(b, points, endOfDay(c.now().Add(validity), c.now().Add(durations.LongestValidity)))
	if err == nil {
		err = writeBatch(file, list)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(b.Out))
	}
	if err := c.service.Issue(ctx, list, c.actor); err != nil {
		return fmt.Errorf("not all cards are issued; issue the others with: card resume %s: %w", b.Out, err)
	}
	return nil
}

// Resume issues those cards of a file written by Issue that are not issued yet, even if a spreadsheet program has saved
// the file again. It returns how many cards the file has. It returns an error with the line for a card that is not as
// Issue writes it, and cards.ErrCardIssued for one that was issued with other points, another last day or another
// coupon code.
func (c *Cards) Resume(ctx context.Context, file io.Reader) (int, error) {
	var lines []int // the line of each card in the file
	list, err := readCSV(file, batchColumns, func(r record) (cards.NewCard, error) {
		lines = append(lines, r.line)
		return readCard(r.fields)
	})
	if err != nil {
		return 0, err
	}
	err = c.service.Issue(ctx, list, c.actor)
	if of := new(cards.IssueError); errors.As(err, &of) {
		err = fmt.Errorf("line %d: %w", lines[of.Card-1], err)
	}
	return len(list), err
}

// The patterns of the values that generateCards draws.
var (
	cardNumberForm = regexp.MustCompile(`^8\d{15}$`)
	passwordForm   = regexp.MustCompile(`^\d{10}$`)
	couponForm     = regexp.MustCompile(`^(?:[A-Z2-7]{16})?$`)
)

// dayForms are the formats in which spreadsheet programs write the last day.
var dayForms = []string{time.DateOnly, "2006/1/2", "2006-1-2"}

// readCard reads a record of the file of a batch.
func readCard(fields []string) (n cards.NewCard, err error) {
	row := make([]string, len(fields))
	for i, field := range fields {
		row[i] = asText(field)
	}
	n = cards.NewCard{Number: row[0], Password: row[1], Coupon: row[2]}
	switch {
	case !cardNumberForm.MatchString(n.Number):
		return n, fmt.Errorf("the number %q must have 16 digits and begin with 8: format the column as text", n.Number)
	case !passwordForm.MatchString(n.Password):
		return n, errors.New("the password must have 10 digits: format the column as text")
	case !couponForm.MatchString(n.Coupon):
		return n, errors.New("the coupon code must have 16 capital letters and digits")
	}
	for pid := cards.SuperCard; pid <= cards.PrizeVoucher11; pid++ {
		if strings.HasPrefix(n.Number, numberPrefix(pid)) && pid.Name() == row[3] {
			n.PID = pid
		}
	}
	if n.PID == 0 {
		return n, fmt.Errorf("the type %q is not that of the number %s", row[3], n.Number)
	}
	if n.Points, err = money.ParsePoints(row[4]); err != nil {
		return n, err
	}
	for _, form := range dayForms {
		var lastDay time.Time
		if lastDay, err = time.ParseInLocation(form, row[5], beijing.Time); err == nil {
			n.ExpiresAt = endOfDay(lastDay, lastDay.AddDate(0, 0, 1))
			break
		}
	}
	return n, err
}

// endOfDay returns the last second of the day of t in Beijing, or of the day before if that second is after latest. The
// points of a batch expire then, so that the last day in its file is exact.
func endOfDay(t, latest time.Time) time.Time {
	y, m, d := t.In(beijing.Time).Date()
	end := time.Date(y, m, d, 23, 59, 59, 0, beijing.Time)
	if end.After(latest) {
		return end.AddDate(0, 0, -1)
	}
	return end
}

// batchColumns are the columns of the file of a batch.
var batchColumns = []string{"number", "password", "coupon", "type", "points", "expires"}

// numberPrefix returns the first digits of a type's card numbers: an 8 and two digits for the type.
func numberPrefix(pid cards.PID) string { return fmt.Sprintf("8%02d", pid) }

// generateCards draws numbers and passwords from crypto/rand. A number is numberPrefix and 13 random digits; a password
// has 10 digits.
func generateCards(b Batch, points money.Points, expires time.Time) ([]cards.NewCard, error) {
	list := make([]cards.NewCard, 0, b.Count)
	for range b.Count {
		number, err := randomDigits(13)
		if err != nil {
			return nil, err
		}
		password, err := randomDigits(10)
		if err != nil {
			return nil, err
		}
		card := cards.NewCard{
			PID: cards.PID(b.PID), Number: numberPrefix(cards.PID(b.PID)) + number, Password: password,
			Points: points, ExpiresAt: expires,
		}
		if b.Coupons {
			card.Coupon = rand.Text()[:16]
		}
		list = append(list, card)
	}
	return list, nil
}

func randomDigits(n int) (string, error) {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	v, err := rand.Int(rand.Reader, limit)
	if err != nil {
		return "", fmt.Errorf("draw a random number: %w", err)
	}
	return fmt.Sprintf("%0*d", n, v), nil
}

// writeBatch writes the cards as CSV and flushes the file to the disk. The format suits spreadsheet programs: they show
// Chinese only after a byte order mark, and would otherwise round the numbers and drop leading zeros of the passwords.
// The last day is the one that buyers see, in Beijing time.
func writeBatch(file *os.File, list []cards.NewCard) error {
	if _, err := file.WriteString("\ufeff"); err != nil {
		return fmt.Errorf("write the batch: %w", err)
	}
	w := csv.NewWriter(file)
	rows := [][]string{batchColumns}
	for _, c := range list {
		lastDay := c.ExpiresAt.In(beijing.Time).Format(time.DateOnly)
		rows = append(rows, []string{
			textField(c.Number), textField(c.Password), textField(c.Coupon), c.PID.Name(), c.Points.String(), textField(lastDay),
		})
	}
	if err := w.WriteAll(rows); err != nil {
		return fmt.Errorf("write the batch: %w", err)
	}
	return file.Sync()
}

// Adjustment describes a recharge or a deduction by hand.
type Adjustment struct {
	Number string // card number
	Points string // points without a sign
	Days   int    // days until recharged points expire; a deduction ignores it
	Reason string // shown to the buyer, at most 100 characters
	Key    string // idempotency key; required, so that a repeated call is harmless
}

// Recharge adds points to a card. If the same recharge was made before with the same key, it changes nothing and
// reports repeated. It returns cards.ErrAdjustmentKeyReused if the key was used for another adjustment, and
// cards.ErrAdjustmentKeyRequired without a key.
func (c *Cards) Recharge(ctx context.Context, a Adjustment) (repeated bool, err error) {
	return c.adjust(ctx, a, 1)
}

// Deduct takes points from a card. It returns cards.ErrPointsInsufficient if the card has fewer points that can be
// spent. The key works as in Recharge.
func (c *Cards) Deduct(ctx context.Context, a Adjustment) (repeated bool, err error) {
	a.Days = 1 // cards.Adjustment requires a valid life, and a deduction creates no points that could expire
	return c.adjust(ctx, a, -1)
}

func (c *Cards) adjust(ctx context.Context, a Adjustment, sign money.Points) (repeated bool, err error) {
	points, err := money.ParsePoints(a.Points)
	if err != nil {
		return false, fmt.Errorf("points %q: %w", a.Points, err)
	}
	if points <= 0 {
		return false, fmt.Errorf("points %q must be greater than 0: %w", a.Points, fault.ErrInvalidInput)
	}
	validity, err := cards.LifeOf(a.Days)
	if err != nil {
		return false, err
	}
	card, err := c.lookup.CardNumbered(ctx, input.Card.Read(a.Number), c.now())
	if err != nil {
		return false, err
	}
	return c.service.Adjust(ctx, cards.Adjustment{
		Key: a.Key, CardID: card.ID, Points: sign * points, Life: validity, Reason: a.Reason, Actor: c.actor,
	})
}

// Freeze makes a card unusable until Unfreeze.
func (c *Cards) Freeze(ctx context.Context, number, reason string) error {
	card, err := c.lookup.CardNumbered(ctx, input.Card.Read(number), c.now())
	if err != nil {
		return err
	}
	return c.service.Freeze(ctx, card.ID, reason, c.actor)
}

// Unfreeze makes a frozen card usable again.
func (c *Cards) Unfreeze(ctx context.Context, number, reason string) error {
	card, err := c.lookup.CardNumbered(ctx, input.Card.Read(number), c.now())
	if err != nil {
		return err
	}
	return c.service.Unfreeze(ctx, card.ID, reason, c.actor)
}

// NumberOfCode returns the number of the card whose page shows the code. It returns cards.ErrCardNotFound if the code
// is invalid or has expired.
func (c *Cards) NumberOfCode(ctx context.Context, code string) (string, error) {
	id, err := c.codes.CardOfCode(code)
	if err != nil {
		return "", err
	}
	return c.read.CardNumber(ctx, id)
}

// SetPackages replaces the recharge packages by the records of a CSV with the columns points and price.
func (c *Cards) SetPackages(ctx context.Context, file io.Reader) error {
	list, err := readCSV(file, []string{"points", "price"}, func(r record) (p cards.Package, err error) {
		if p.Points, err = money.ParsePoints(r.fields[0]); err != nil {
			return p, err
		}
		p.Price, err = money.ParseFen(r.fields[1])
		if err == nil && (p.Points <= 0 || p.Price <= 0) {
			err = cards.ErrCardInvalid
		}
		return p, err
	})
	if err != nil {
		return err
	}
	return c.service.SetPackages(ctx, list, c.actor)
}

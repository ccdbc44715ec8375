package backoffice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/goods"
	"marquee/server/money"
)

// fakeCards records what it is asked to do. The embedded interface panics on a call that a test does not expect.
type fakeCards struct {
	CardService
	err      error
	issued   []cards.NewCard
	adjusted []cards.Adjustment
}

func (f *fakeCards) Issue(_ context.Context, list []cards.NewCard, _ string) error {
	f.issued = append(f.issued, list...)
	return f.err
}

func (f *fakeCards) Adjust(_ context.Context, a cards.Adjustment) (bool, error) {
	f.adjusted = append(f.adjusted, a)
	return false, f.err
}

func (f *fakeCards) CardNumbered(_ context.Context, number string, _ time.Time) (cards.Card, error) {
	if number != "8000" {
		return cards.Card{}, cards.ErrCardNotFound
	}
	return cards.Card{ID: 7}, nil
}

func newCards(t *testing.T, service *fakeCards) *Cards {
	t.Helper()
	office, err := New(Config{Cards: service, Lookup: service, Now: time.Now}, "alice")
	require.NoError(t, err)
	return office.Cards
}

func TestNew_NeedsAnOperator(t *testing.T) {
	t.Parallel()
	_, err := New(Config{}, " ")
	require.Error(t, err)
}

// The file is the only copy of the passwords, and some of its cards may be issued: it stays, and Resume issues the
// others.
func TestIssue_KeepsTheFileOfCardsThatWereNotIssued(t *testing.T) {
	t.Parallel()
	service := &fakeCards{err: errors.New("the database is gone")}
	batch := Batch{PID: 3, Count: 2, Points: "10", Days: 30, Coupons: true,
		Out: filepath.Join(t.TempDir(), "batch.csv")}
	require.ErrorIs(t, newCards(t, service).Issue(t.Context(), batch), service.err)
	service.err = nil
	file, err := os.ReadFile(batch.Out)
	require.NoError(t, err)
	n, err := newCards(t, service).Resume(t.Context(), bytes.NewReader(file))
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Len(t, service.issued, 4)
	for i, card := range service.issued[2:] {
		require.WithinDuration(t, service.issued[i].ExpiresAt, card.ExpiresAt, 0)
		card.ExpiresAt = service.issued[i].ExpiresAt
		require.Equal(t, service.issued[i], card, "the file tells everything about a card")
	}
	for _, card := range service.issued[2:] {
		require.Regexp(t, `^803\d{13}$`, card.Number)
		require.Contains(t, string(file), fmt.Sprintf("%s,%s,%s,电影卡,10.00,", card.Number, card.Password, card.Coupon))
	}
	require.ErrorContains(t, newCards(t, service).Issue(t.Context(), batch), "exists", "a file is never overwritten")
}

func TestAdjust_SignAndKey(t *testing.T) {
	t.Parallel()
	service := &fakeCards{}
	office := newCards(t, service)
	_, err := office.Recharge(t.Context(), Adjustment{Number: "8000", Points: "12.34", Days: 30, Key: "k"})
	require.NoError(t, err)
	_, err = office.Deduct(t.Context(), Adjustment{Number: "8000", Points: "12.34", Key: "l"})
	require.NoError(t, err)
	require.Equal(t, []money.Points{12_34, -12_34},
		[]money.Points{service.adjusted[0].Points, service.adjusted[1].Points})
	require.Equal(t, []string{"k", "l"}, []string{service.adjusted[0].Key, service.adjusted[1].Key})
	require.Equal(t, "admin:alice", service.adjusted[0].Actor)
	for _, points := range []string{"0", "-1", "x"} {
		_, err = office.Recharge(t.Context(), Adjustment{Number: "8000", Points: points, Days: 30})
		require.Error(t, err, points)
	}
	_, err = office.Deduct(t.Context(), Adjustment{Number: "none", Points: "1"})
	require.ErrorIs(t, err, cards.ErrCardNotFound)
	require.Len(t, service.adjusted, 2)
}

// fakeGoods refuses the second code of a file.
type fakeGoods struct{ GoodsService }

func (fakeGoods) AddCodes(context.Context, string, []goods.Code, string) (int, error) {
	return 0, &goods.CodeError{Line: 2, Err: goods.ErrCodeExists}
}

func TestAddCodes_NamesTheLineOfTheFile(t *testing.T) {
	t.Parallel()
	office, err := New(Config{Goods: fakeGoods{}}, "alice")
	require.NoError(t, err)
	_, err = office.Goods.AddCodes(t.Context(), "sku", strings.NewReader("num,pass\n\"A\n1\",x\nB,y\n"))
	require.ErrorIs(t, err, goods.ErrCodeExists)
	require.ErrorContains(t, err, "line 4:", "the record starts on line 4, after a field with a line break")
}

func TestOrderToReview_String(t *testing.T) {
	t.Parallel()
	for _, r := range ReviewReasons {
		require.NotEmpty(t, r.Advice(), r)
		o := OrderToReview{No: "1", Kind: "ticket", State: "ISSUING", Reasons: []ReviewReason{r}}
		require.Equal(t, "1 ticket ISSUING\n  "+string(r)+": "+r.Advice(), o.String())
	}
	both := []ReviewReason{ReviewIssueStuck, ReviewUnknownPayment}
	o := OrderToReview{No: "1", Kind: "ticket", State: "EXPIRED", Reasons: both}
	require.Equal(t, 3, strings.Count(o.String(), "\n")+1)
}

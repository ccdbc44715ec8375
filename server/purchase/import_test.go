package purchase_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/goods"
	"marquee/server/order"
)

// countingGoods is a store of goods that counts the codes of each transaction, and stops after a number of them.
type countingGoods struct {
	goods.Store
	batches []int
	stop    int                       // transactions that are allowed; 0: any number
	inside  func(ctx context.Context) // called inside the first transaction; may be nil
}

var errStopped = errors.New("the import was interrupted")

func (s *countingGoods) Update(ctx context.Context, fn func(goods.Tx) error) error {
	if s.stop > 0 && len(s.batches) == s.stop {
		return errStopped
	}
	s.batches = append(s.batches, 0)
	return s.Store.Update(ctx, func(tx goods.Tx) error {
		s.batches[len(s.batches)-1] = 0 // fn may run more than once
		if s.inside != nil && len(s.batches) == 1 {
			s.inside(ctx)
		}
		tx.Goods = countingRepository{tx.Goods, &s.batches[len(s.batches)-1]}
		return fn(tx)
	})
}

type countingRepository struct {
	goods.Repository
	codes *int
}

func (r countingRepository) AddCodes(skuID int64, codes []goods.SealedCode, now time.Time) (int, error) {
	*r.codes += len(codes)
	return r.Repository.AddCodes(skuID, codes, now)
}

// importer returns a goods service with a separate connection to the shop's database, like a back office in another
// process.
func (s *goodsShop) importer(t testing.TB) (*goods.Service, *countingGoods) {
	t.Helper()
	db, err := openDatabase(s.path, nil, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	store := &countingGoods{Store: db.Goods()}
	service, err := goods.New(store, testPeppers, s.clock.Now)
	require.NoError(t, err)
	return service, store
}

func manyCodes(n int) []goods.Code {
	list := make([]goods.Code, n)
	for i := range list {
		list[i] = goods.Code{Num: fmt.Sprintf("M%06d", i), Pass: fmt.Sprint(i)}
	}
	return list
}

// An import never adds more than ImportBatch codes in one transaction. Repeating an interrupted one continues it, and
// repeating a complete one adds nothing.
func TestImport_IsBoundedAndResumable(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 0)
	list := manyCodes(3*goods.ImportBatch + 1)
	office, store := s.importer(t)
	store.stop = 2
	added, err := office.AddCodes(t.Context(), "codes-month", list, "admin:1")
	require.ErrorIs(t, err, errStopped)
	assert.Equal(t, 2*goods.ImportBatch, added)
	assert.Equal(t, added, s.stock(t, s.codes), "what is added can be sold")

	office, store = s.importer(t)
	added, err = office.AddCodes(t.Context(), "codes-month", list, "admin:1")
	require.NoError(t, err)
	assert.Equal(t, goods.ImportBatch+1, added)
	assert.Equal(t, []int{goods.ImportBatch, 1}, store.batches)
	added, err = office.AddCodes(t.Context(), "codes-month", list, "admin:1")
	require.NoError(t, err)
	assert.Zero(t, added)
	assert.Equal(t, len(list), s.stock(t, s.codes))

	other := append(manyCodes(1), goods.Code{Num: "new", Pass: "x"})
	_, err = office.AddCodes(t.Context(), "codes-month", other, "admin:1")
	require.ErrorIs(t, err, goods.ErrCodeExists, "another list with a stored code is rejected entirely")
	assert.Equal(t, len(list), s.stock(t, s.codes))
}

// A purchase that starts to write during an import by another process is committed before the import ends.
func TestImport_LetsOtherWritersIn(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 0)
	office, store := s.importer(t)
	written := make(chan int, 1)
	store.inside = func(ctx context.Context) {
		go func() {
			err := s.store.Update(ctx, func(tx order.Tx) error {
				return tx.Audit.Record(s.clock.Now(), "test", "purchase", "", "", "")
			})
			assert.NoError(t, err)
			written <- s.stock(t, s.codes)
		}()
	}
	list := manyCodes(100 * goods.ImportBatch)
	_, err := office.AddCodes(t.Context(), "codes-month", list, "admin:1")
	require.NoError(t, err)
	assert.Less(t, <-written, len(list), "pieces that were imported when the purchase was written")
}

// Cards are issued in bounded transactions, and repeating an interrupted call continues it.
func TestImport_OfCardsIsResumable(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	var list []cards.NewCard
	for i := range 2*cards.IssueBatch + 1 {
		list = append(list, cards.NewCard{
			PID: cards.SuperCard, Number: fmt.Sprintf("85%014d", i), Password: "p", Points: 100,
			ExpiresAt: s.clock.Now().Add(time.Hour),
		})
	}
	taken := list[cards.IssueBatch]
	taken.Password = "another card"
	require.NoError(t, s.issuer.Issue(t.Context(), []cards.NewCard{taken}, "admin:1"))
	err := s.issuer.Issue(t.Context(), list, "admin:1")
	require.ErrorIs(t, err, cards.ErrCardExists)
	issued := func() int { return s.count(t, `SELECT count(*) FROM cards WHERE number LIKE '85%'`) }
	assert.Equal(t, cards.IssueBatch+1, issued(), "the first batch is issued, and nothing of the second")
	list[cards.IssueBatch].Number = "86000000"
	for range 2 {
		require.NoError(t, s.issuer.Issue(t.Context(), list, "admin:1"))
		assert.Equal(t, 2*cards.IssueBatch+1, issued())
	}
}

// BenchmarkImport imports 100,000 codes from another process, and compares how long writes of the shop wait before
// and during the import.
func BenchmarkImport(b *testing.B) {
	s := newGoodsShopAt(b, newDatabase(b), 0)
	office, _ := s.importer(b)
	write := func() time.Duration {
		began := time.Now()
		require.NoError(b, s.store.Update(b.Context(), func(tx order.Tx) error {
			return tx.Audit.Record(s.clock.Now(), "test", "purchase", "", "", "")
		}))
		return time.Since(began)
	}
	report := func(waits []time.Duration, name string) {
		slices.Sort(waits)
		milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		b.ReportMetric(milliseconds(waits[len(waits)*99/100]), name+"-p99-ms")
		b.ReportMetric(milliseconds(waits[len(waits)-1]), name+"-longest-ms")
	}
	for b.Loop() {
		var before, during []time.Duration
		for range 1000 {
			before = append(before, write())
		}
		done := make(chan error, 1)
		go func() {
			_, err := office.AddCodes(b.Context(), "codes-month", manyCodes(100_000), "admin:1")
			done <- err
		}()
		for writing := true; writing; {
			select {
			case err := <-done:
				require.NoError(b, err)
				writing = false
			case <-time.After(5 * time.Millisecond):
				during = append(during, write())
			}
		}
		report(before, "before")
		report(during, "importing")
	}
}

package purchase_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/goods"
	"marquee/server/pepper"
)

// goodsWith returns a goods service on the shop's database that uses the peppers; previous may be "".
func (s *goodsShop) goodsWith(t *testing.T, current, previous string) *goods.Service {
	t.Helper()
	ring, err := pepper.New([]byte(current), []byte(previous))
	require.NoError(t, err)
	service, err := goods.New(s.db.Goods(), ring, s.clock.Now)
	require.NoError(t, err)
	return service
}

// After a rotation buyers still read the codes that they were given before it, and no code can be imported twice.
func TestPepperRotation_KeepsVoucherCodes(t *testing.T) {
	t.Parallel()
	const first, next = "the first pepper of tests", "the next pepper of tests"
	s := newGoodsShop(t, 0)
	list := manyCodes(goods.ResealRun + 50)
	old := s.goodsWith(t, first, "")
	_, err := old.AddCodes(t.Context(), "codes-month", list, "admin:1")
	require.NoError(t, err)
	card := s.giveCard(t, 7, 10_000)
	o, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.codes, card))
	require.NoError(t, err)
	given, err := old.CodesOf(t.Context(), o.No)
	require.NoError(t, err)
	require.Len(t, given, 1)

	during, after := s.goodsWith(t, next, first), s.goodsWith(t, next, "")
	require.NoError(t, during.CheckPeppers(t.Context()))
	require.ErrorContains(t, after.CheckPeppers(t.Context()), "1050 voucher codes are sealed with a pepper")
	resealed, err := during.ResealCodes(t.Context())
	require.NoError(t, err)
	require.Equal(t, goods.ResealRun, resealed, "a run is bounded")
	added, err := during.AddCodes(t.Context(), "codes-month", list, "admin:1")
	require.NoError(t, err)
	require.Zero(t, added, "the list is complete under either pepper")
	_, err = during.AddCodes(t.Context(), "codes-month", []goods.Code{list[len(list)-1]}, "admin:1")
	require.ErrorIs(t, err, goods.ErrCodeExists, "a code that is stored under the previous pepper")
	resealed, err = during.ResealCodes(t.Context())
	require.NoError(t, err)
	require.Equal(t, 50, resealed, "the next run continues")

	require.NoError(t, after.CheckPeppers(t.Context()))
	read, err := after.CodesOf(t.Context(), o.No)
	require.NoError(t, err)
	assert.Equal(t, given, read)
	for _, c := range []goods.Code{given[0], list[len(list)-1]} {
		_, err = after.AddCodes(t.Context(), "codes-month", []goods.Code{c}, "admin:1")
		assert.ErrorIs(t, err, goods.ErrCodeExists)
	}
}

package purchase_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/checkout"
	"marquee/server/order"
)

// The account that is recharged must be the one that the buyer saw. Spaces and invisible characters, which are copied
// with a number, are removed. Other characters that cannot be part of an account are refused, because removing them
// could name the account of another person.
func TestGoods_AccountIsNormalizedOrRefused(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 1)
	s.countStock(t, 9)
	card := s.giveCard(t, 7, 100_000)
	buy := func(account string) (order.Order, error) {
		b := buyRequest(s.topup, card)
		b.Account = account
		return s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
	}
	for typed, kept := range map[string]string{
		" 139 0000 0007 ":                     "13900000007",
		"\u202d13900000007\u202c":             "13900000007", // as address books copy it
		"\ufeff139\u200b0000\u00a00007\u3000": "13900000007",
		"a.b+c_d-e@mail.example":              "a.b+c_d-e@mail.example",
		"+86-139-0000-0007":                   "+86-139-0000-0007",
		"张三":                                  "张三",
	} {
		o, err := buy(typed)
		require.NoError(t, err, "%q", typed)
		assert.Equal(t, kept, o.Snapshot.Goods.Account, "%q", typed)
		assert.Equal(t, kept, o.Snapshot.Mobile, "%q", typed)
	}
	for _, typed := range []string{
		"", " ", "--", "\u200b", "\u202eabc", "a\u200fb", "1\u061c2", "\u202babc", "\u2067abc", "a\x00b", "a\x1bb",
		"a\nb", "a\xffb", "a\ufffdb", "a!b", "a<b>", "é", "１３９",
		strings.Repeat("1", 65),
	} {
		_, err := buy(typed)
		assert.ErrorIs(t, err, checkout.ErrAccountRequired, "%q", typed)
	}
}

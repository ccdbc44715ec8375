package purchase_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/order"
)

// accountExamples has the examples of each format from the file that the web app also reads.
var accountExamples = map[goods.AccountFormat]string{
	goods.PhoneAccount: "rechargePhone", goods.QQAccount: "rechargeQQ", goods.MemberAccount: "rechargeMember",
	goods.MailAccount: "rechargeMail",
}

var letterOrDigit = regexp.MustCompile(`[\p{Han}A-Za-z0-9]`)

// An account is normalized, then checked against the format of the goods. The order keeps the normalized account. An
// account in another format makes no order.
func TestGoods_AccountIsNormalizedOrRejected(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("../../web/test/input-examples.json")
	require.NoError(t, err)
	var examples map[string]struct {
		Valid   map[string]string
		Invalid []string
	}
	require.NoError(t, json.Unmarshal(file, &examples))
	s := newGoodsShop(t, 1)
	s.countStock(t, 100)
	card := s.giveCard(t, 7, 1_000_000)
	buy := func(account string) (order.Order, error) {
		b := buyRequest(s.topup, card)
		b.Account = account
		return s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
	}
	for format, name := range accountExamples {
		s.putTopup(t, format)
		require.NotEmpty(t, examples[name].Valid, name)
		for typed, kept := range examples[name].Valid {
			o, err := buy(typed)
			require.NoError(t, err, "%s %q", format, typed)
			assert.Equal(t, kept, o.Snapshot.Goods.Account, "%s %q", format, typed)
			assert.Equal(t, kept, o.Snapshot.Mobile, "%s %q", format, typed)
		}
		left := s.stock(t, s.topup)
		for _, typed := range examples[name].Invalid {
			_, err := buy(typed)
			want := goods.ErrAccountInvalid
			if letterOrDigit.FindString(typed) == "" {
				want = goods.ErrAccountRequired
			}
			assert.ErrorIs(t, err, want, "%s %q", format, typed)
		}
		require.Equal(t, left, s.stock(t, s.topup), format)
	}
}

// The message contains the required format.
func TestGoods_AccountOfAnotherFormat(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 1)
	for format, message := range map[goods.AccountFormat]string{
		goods.PhoneAccount: "请输入正确的手机号", goods.QQAccount: "请输入正确的QQ号",
		goods.MailAccount: "请输入正确的邮箱",
	} {
		s.putTopup(t, format)
		b := buyRequest(s.topup)
		b.Account = "a-b.c"
		_, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, b)
		require.ErrorIs(t, err, goods.ErrAccountInvalid, format)
		require.Equal(t, message, fault.Of(err).Message, format)
	}
}

// Goods that recharge an account have a known account format, and goods that are codes have none.
func TestGoods_AccountFormatIsThatOfTheDelivery(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 1)
	for _, g := range []goods.Goods{
		{Type: goods.AccountRecharge}, {Type: goods.AccountRecharge, Account: "fax"},
		{Type: goods.VirtualCode, Account: goods.PhoneAccount},
	} {
		g.Code, g.Title, g.Shelf, g.Scope = "new", "新品", goods.Other, "any"
		_, err := s.goods.PutGoods(t.Context(), "music", g, "admin:1")
		require.ErrorIs(t, err, goods.ErrGoodsInvalid, g)
	}
	s.putTopup(t, goods.PhoneAccount)
	o, err := s.db.Orders().Offer(t.Context(), s.topup)
	require.NoError(t, err)
	require.Equal(t, goods.PhoneAccount, o.Goods.Account)
}

package buying

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// A buyer without cards buys in a browser and pays in the messaging app from there. The notice before the lock offers
// no other way. The first payment is cancelled and the second one succeeds; on return, the page queries the outcome.
func TestBrowserPayment_Tickets(t *testing.T) {
	t.Parallel()
	s := pages.NewH5Stack(t)
	buyer := s.NewBuyer()
	visit := pages.Plain(s, phone.Options{}).As(buyer)
	hall := visit.HallOf(harness.Legacy)
	hall.Best(2)
	hall.OpenNotice()
	visit.SeesNoText("需在微信中打开")
	pay := hall.Agree()
	id := pay.Order()
	pay.Pay()
	visit.H5Page().Cancel()
	pay = visit.Payment()
	require.Equal(t, id, pay.Order())
	visit.SeesText("还没有收到付款")
	require.NotEmpty(t, s.Calls("wechat", "prepay-h5"))
	require.Empty(t, s.Calls("wechat", "prepay"))

	pay.PayAgain()
	visit.H5Page().Pay()
	s.AdvanceClock(ticketDelay)
	buyer.AwaitState(id, harness.Legacy.Issued)
}

// After the payment of goods in the messaging app, the browser shows the page of the order, and that it is paid.
func TestBrowserPayment_Goods(t *testing.T) {
	t.Parallel()
	s := pages.NewH5Stack(t)
	buyer := s.NewBuyer()
	visit := pages.Plain(s, phone.Options{}).As(buyer)
	goods := visit.OpenGoods("青鸟音乐豪华会员")
	goods.Buy()
	goods.Pay().Pay()
	visit.H5Page().Cancel()
	visit.At("/cardorderinfo")
	id := visit.Query("id")
	visit.SeesText("还没有收到付款")
	pages.Payment{Visit: visit}.PayAgain()
	visit.H5Page().Pay()
	buyer.AwaitCardOrder(id, 4)
}

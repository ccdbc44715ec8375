package visiting

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// The messaging app shares the card of the page. An order is shared as an invitation without its number, and a page
// without a card as the shop.
func TestSharing(t *testing.T) {
	t.Parallel()
	for _, system := range []struct {
		name    string
		android bool
	}{{"ios", false}, {"android", true}} {
		t.Run(system.name, func(t *testing.T) {
			t.Parallel()
			s := pages.NewStack(t)
			buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID), harness.WithCard(500_00))
			order := buyer.LockSomeSeats(harness.Legacy, 1)
			buyer.PayByCards(order)
			buyer.AwaitState(order, harness.Legacy.Issued)
			v := pages.InApp(s, harness.BoundOpenID, phone.Options{Android: system.android, Lean: true}).As(buyer)

			film, _ := s.Catalog.Films()
			v.Open("/filmdetail?id=" + film)
			card := v.Shares("《")
			require.Contains(t, card.Link, "/filmdetail?id="+film)
			require.Contains(t, card.Picture, "/art/poster/")
			require.NotEmpty(t, card.Text)

			v.Open(s.Catalog.CinemaPage(harness.NewMovie))
			card = v.Shares("影城")
			require.Contains(t, card.Link, "/multiplexNewDetail?id=")

			goods := v.OpenGoods("青鸟音乐豪华会员")
			card = goods.Shares("青鸟音乐豪华会员")
			require.Equal(t, "¥15.00 起｜无损音质，全曲库畅听", card.Text)
			require.Contains(t, card.Link, "/couponsDetail?id=")
			require.Contains(t, card.Picture, "/art/goods/melody.svg")

			v.Open("/orderpage?id=" + order)
			v.Order()
			card = v.Shares("约你看《")
			require.Contains(t, card.Link, "/multiplexDetail?id=")
			for _, text := range []string{card.Link, card.Text, card.Title} {
				require.False(t, strings.Contains(text, order), "%s names the order", text)
			}

			v.Back()
			v.Home()
			v.Shares("电影票 · 福利卡 · 会员权益")
		})
	}
}

// The messaging app draws a title bar with the document's title and a back arrow. The shop's bar is hidden there,
// except for its other content.
func TestTitleBar_NotDoubledInTheMessagingApp(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	v := pages.InApp(s, harness.BoundOpenID, phone.Options{}).As(s.NewBuyer(harness.WithCard(100_00)))
	title := func() (seen struct {
		Title  string
		Height float64 // of the page's heading
	}) {
		v.Phone.Decode(t, `() => ({
			title: document.title, height: document.querySelector('h1').getBoundingClientRect().height,
		})`, &seen)
		return seen
	}
	v.Open("/personCenter")
	v.Me().Open("我的福利卡")
	v.SeesText("超级卡")
	require.Equal(t, "我的福利卡", title().Title)
	require.LessOrEqual(t, title().Height, 1.0)
	v.SeesText("绑定")
	v.Back()
	v.Me()

	v.Open("/hotlist") // the visit starts here, so the client's arrow would leave the shop
	v.HotList()
	require.Equal(t, "热映榜单", title().Title)
	v.Back()
	v.Home()
}

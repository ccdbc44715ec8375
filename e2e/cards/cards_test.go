package cards

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

// plain returns a buyer in an ordinary browser.
func plain(s *harness.Stack, traits ...harness.Trait) (*harness.Buyer, *pages.Visit) {
	buyer := s.NewBuyer(traits...)
	return buyer, pages.PlainFor(s, buyer)
}

// inApp returns a buyer in the messaging app whose identity is bound.
func inApp(s *harness.Stack, traits ...harness.Trait) (*harness.Buyer, *pages.Visit) {
	buyer := s.NewBuyer(append(traits, harness.WithIdentity(harness.BoundOpenID))...)
	return buyer, pages.InAppFor(s, buyer)
}

func TestCard_ItsPage(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := plain(s, harness.WithCard(88_50))
	card := buyer.Cards[0]
	page := visit.Cards().Open(card)
	page.Shows(card, "88.50")
	page.HasCode()
	require.Equal(t, "1", visit.Query("id"))
	require.Equal(t, "超级卡", visit.Query("cardName"))
	page.Records("消费记录")
	visit.SeesText("暂无消费记录...")
	visit.Back()
	visit.CardPage().Records("充值记录")
	visit.SeesText("暂无充值记录...")
	visit.Back()
	visit.CardPage().AskDelete()
	visit.SeesToast("卡内有余额，无法删除")
	require.True(t, buyer.HasCard(card))
}

func TestCard_DeletedWhenItIsEmpty(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := plain(s, harness.WithCard(5_00))
	card := buyer.Cards[0]
	s.Backoffice.Deduct(card, "5.00", "卡片回收")
	visit.Cards().Tab("不可用")
	page := visit.WelfareCards().Open(card)
	page.HasNoCode()
	page.Delete()
	visit.SeesToast("删除成功")
	// One page back: the list, without the card.
	visit.WelfareCards()
	visit.SeesText("暂无福利卡")
	require.False(t, buyer.HasCard(card))
}

func TestCard_OfAnotherBuyer(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	other := s.NewBuyer(harness.WithCard(50_00))
	id := other.CardOf(other.Cards[0]).ID
	_, visit := plain(s)
	for _, address := range []string{"/cardinfo?cardid=", "/consumptionRecords?cardId=", "/rechargeRecords?cardId=",
		"/package?cardId="} {
		visit.Open(address + id)
		visit.SeesText("未找到这张卡")
		visit.SeesNoText(other.Cards[0].Number[12:])
	}
}

func TestRecords_GrowByTenOnScrolling(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := plain(s, harness.WithCard(500_00))
	card := buyer.Cards[0]
	for range 27 {
		s.Backoffice.Credit(card, "1.00", "节日礼遇")
	}
	buyer.PayByCards(buyer.LockSomeSeats(harness.NewMovie, 1))
	s.Backoffice.Deduct(card, "8.88", "重复发放")

	visit.Open("/cardinfo?cardid=" + buyer.CardOf(card).ID)
	spent := visit.CardPage().Records("消费记录")
	spent.Count(2)
	spent.Shows("消费", "−")
	spent.Shows("平台扣减", "−8.88")
	visit.Back()

	given := visit.CardPage().Records("充值记录")
	given.Shows("平台充值", "+1.00")
	shown := given.Shown()
	require.Less(t, shown, 27, "the rest is loaded near the end of the list")
	require.Zero(t, shown%10, "rows are loaded ten at a time")
	given.ScrollToEnd(27)
}

func TestMerge(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := plain(s)
	rich, poor, film, film2 := s.Backoffice.NewCardOf(
		1,
		300_00,
		365,
	), s.Backoffice.NewCardOf(
		1,
		20_50,
		30,
	), s.Backoffice.NewCardOf(
		3,
		10_00,
		365,
	), s.Backoffice.NewCardOf(
		3,
		7_00,
		365,
	)
	for _, card := range []harness.Card{rich, poor, film, film2} {
		buyer.Bind(card)
	}
	cards := visit.Cards()
	cards.Tab("卡合并")
	cards.Pick(poor)
	cards.AskMerge()
	visit.SeesToast("暂无可合并卡")
	cards.Pick(film)
	visit.SeesToast("只可合并同一类型的卡")
	cards.Pick(rich)
	cards.Picked("2")
	cards.AskMerge()
	cards.Preview("20.50 点", "320.50 点")
	cards.Merge()
	visit.SeesToast("合并成功")
	// The list is loaded again: the remaining card has all points and is the only one of its type.
	visit.SeesNoText("尾号" + poor.Number[12:])
	require.False(t, buyer.HasCard(poor))
	require.Equal(t, "320.50", buyer.CardOf(rich).Points)
	cards.Pick(film, film2)
	cards.AskMerge()
	cards.Preview("7.00 点", "17.00 点")
	cards.Merge()
	visit.SeesText("暂无可合并卡")
	require.Equal(t, "17.00", buyer.CardOf(film).Points)
}

func TestMerge_ABalanceChangedSinceItWasShown(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := plain(s)
	one, two := s.Backoffice.NewCardOf(1, 300_00, 365), s.Backoffice.NewCardOf(1, 20_00, 365)
	buyer.Bind(one)
	buyer.Bind(two)
	visit.Open("/securitycards?active=2")
	cards := visit.WelfareCards()
	cards.Pick(one, two)
	cards.AskMerge()
	cards.Preview("320.00 点")
	s.Backoffice.Credit(two, "1.00", "节日礼遇")
	cards.Merge()
	visit.SeesToast("合并信息已失效，请重新操作")
	require.Equal(t, "300.00", buyer.CardOf(one).Points)
	require.Equal(t, "21.00", buyer.CardOf(two).Points)
	cards.AskMerge()
	cards.Preview("321.00 点")
	cards.Merge()
	visit.SeesToast("合并成功")
	require.Equal(t, "321.00", buyer.CardOf(one).Points)
}

package buying

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/simulators/faults"
)

// atThePaySheet starts the payment of an order in the messaging app, with all of the buyer's cards, up to the pay
// sheet.
func atThePaySheet(
	s *harness.Stack,
	source harness.Source,
	traits ...harness.Trait,
) (*harness.Buyer, pages.Payment, pages.PaymentSheet) {
	buyer := s.NewBuyer(append(traits, harness.WithIdentity(harness.BoundOpenID))...)
	visit := pages.InAppFor(s, buyer)
	pay := visit.PayFor(buyer.LockSomeSeats(source, 1))
	if len(buyer.Cards) > 0 {
		pay.UseCards(buyer.Cards...)
	}
	pay.Pay()
	if len(buyer.Cards) > 0 {
		pay.TypePassword(harness.PaymentPassword)
	}
	return buyer, pay, visit.PaymentSheet()
}

func TestPaySheet_Cancelled(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, pay, sheet := atThePaySheet(s, harness.NewMovie, harness.WithCard(little))
	id := pay.Order()
	sheet.CancelPay()
	pay.SeesToast("支付失败")
	pay.At("/paymentpage")
	require.Equal(t, harness.NewMovie.Pending, buyer.Order(id).State)

	// The order is still unpaid, and the second try succeeds.
	pay.PayAgain()
	pay.TypePassword(harness.PaymentPassword)
	pay.PaymentSheet().ApprovePay()
	pay.Orders()
	require.Len(t, buyer.AwaitState(id, harness.NewMovie.Issued).Legs, 2)
}

func TestPaySheet_Failed(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, pay, sheet := atThePaySheet(s, harness.Legacy)
	sheet.FailPay()
	pay.SeesToast("支付失败")
	pay.OffersService()
	require.Equal(t, harness.Legacy.Pending, buyer.Order(pay.Order()).State)
}

func TestPaySheet_BridgeReportsCancelAlthoughTheMoneyMoved(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	s.PlanFault("wechat", "pay", "bridge-cancel-after-pay")
	buyer, pay, sheet := atThePaySheet(s, harness.Legacy, harness.WithCard(little))
	id := pay.Order()
	sheet.ApprovePay()
	order := pay.Orders().Open()
	require.Equal(t, id, order.ID())
	s.AdvanceClock(ticketDelay)
	order.HasState("已出票")
	require.Equal(t, 1, s.FaultHits("bridge-cancel-after-pay"))
	require.Equal(t, harness.Legacy.Issued, buyer.Order(id).State)
}

func TestPaySheet_NotifyLost_FoundByQuery(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	s.PlanFaults(faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
	buyer, pay, sheet := atThePaySheet(s, harness.NewMovie)
	id := pay.Order()
	sheet.ApprovePay()
	pay.Orders()
	buyer.AwaitState(id, harness.NewMovie.Issued)
	require.NotZero(t, s.FaultHits("notify-drop"), "the notify must have been lost")
	require.NotEmpty(t, s.Calls("wechat", "query"), "the shop must have asked")
}

func TestPaySheet_NotifyDoubled(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	s.PlanFaults(faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-duplicate"})
	buyer, pay, sheet := atThePaySheet(s, harness.Legacy, harness.WithCard(little))
	id := pay.Order()
	sheet.ApprovePay()
	pay.Orders()
	order := buyer.AwaitState(id, harness.Legacy.Issued)
	s.Eventually("the notify comes twice", func() bool { return len(s.Calls("wechat", "notify")) >= 2 })
	require.Len(t, order.Legs, 2)
	require.Empty(t, order.Refunds)
	require.Zero(t, buyer.Points())
}

func TestPaySheet_NoMoney(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithIdentity(harness.PoorOpenID))
	visit := pages.InAppFor(s, buyer)
	pay := visit.PayFor(buyer.LockSomeSeats(harness.NewMovie, 1))
	pay.Pay()
	visit.PaymentSheet().ApprovePay()
	visit.SeesToast("支付失败")
	require.Equal(t, harness.NewMovie.Pending, buyer.Order(pay.Order()).State)
}

// If the ticket is rejected after the payment, the part of the messaging app and the part of the card are refunded to
// where they came from, and the page of the order shows it.
func TestIssueRejected_BothLegsAreRefunded(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		s.PlanFault(source.Provider, "*", "issue-refused")
		buyer, pay, sheet := atThePaySheet(s, source, harness.WithCard(little))
		id := pay.Order()
		sheet.ApprovePay()
		order := pay.Orders().Open()
		buyer.AwaitState(id, source.Refunded)
		done := buyer.AwaitRefunds(id)
		require.Len(t, done.Refunds, 2)
		require.EqualValues(t, little, buyer.Points())

		order.Reload()
		order.HasState("已退款")
		order.SeesText("款项已按原支付方式退回")
		order.SeesText("退款进度")
		order.Refunded("微信支付")
		order.Refunded("超级卡")
	})
}

// The Android client injects its bridge through frames with custom schemes, which the content security policy of the
// page has to allow.
func TestPaySheet_OnAndroid(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
	visit := pages.InApp(s, buyer.OpenID, phone.Options{Lean: true, Android: true}).As(buyer)
	payInApp(visit, buyer)
}

// A payment waits for a bridge that is injected late. Without a bridge, the order stays unpaid.
func TestPaySheet_Bridge(t *testing.T) {
	t.Parallel()
	t.Run("late", func(t *testing.T) {
		t.Parallel()
		s := pages.NewStack(t)
		buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
		visit := pages.InApp(s, buyer.OpenID, lean).WithBridge("late").As(buyer)
		payInApp(visit, buyer)
	})
	t.Run("absent", func(t *testing.T) {
		t.Parallel()
		s := pages.NewStack(t)
		buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
		visit := pages.InApp(s, buyer.OpenID, lean).WithBridge("absent").As(buyer)
		pay := visit.PayFor(buyer.LockSomeSeats(harness.Legacy, 1))
		pay.Pay()
		visit.SeesToast("支付失败")
		require.Equal(t, harness.Legacy.Pending, buyer.Order(pay.Order()).State)
	})
}

package buying

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

const wrongPassword = "135790"

// payingByCard returns a buyer at the payment page in a plain browser, with a chosen card that covers everything.
func payingByCard(s *harness.Stack) (*harness.Buyer, pages.Payment) {
	buyer := s.NewBuyer(harness.WithCard(plenty))
	pay := pages.PlainFor(s, buyer).PayFor(buyer.LockSomeSeats(harness.Legacy, 2))
	pay.UseCards(buyer.Cards...)
	return buyer, pay
}

// failFourTimes types a wrong password until the next wrong one would lock the password. An error stays until the next
// one is shown, so failFourTimes waits for each error by its number of tries that are left.
func failFourTimes(pay pages.Payment) {
	for left := 4; left > 0; left-- {
		pay.TypePassword(wrongPassword)
		pay.SeesText(fmt.Sprintf("支付密码错误，还可尝试 %d 次", left))
	}
}

func TestPaymentPassword_WrongThenRight(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, pay := payingByCard(s)
	id := pay.Order()
	pay.Pay()
	pay.TypePassword(wrongPassword)
	pay.SeesText("支付密码错误，还可尝试 4 次")
	pay.AwaitsPassword()
	require.Equal(t, harness.Legacy.Pending, buyer.Order(id).State)
	require.EqualValues(t, plenty, buyer.Points())

	pay.TypePassword(harness.PaymentPassword)
	pay.SeesToast("支付成功！")
	buyer.AwaitState(id, harness.Legacy.Issued)
}

func TestPaymentPassword_LockedAfterFive(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, pay := payingByCard(s)
	pay.Pay()
	failFourTimes(pay)
	pay.TypePassword(wrongPassword)
	pay.PayWithoutCards()
	pay.LedToApp()
	require.Equal(t, harness.Legacy.Pending, buyer.Order(pay.Order()).State)
	require.EqualValues(t, plenty, buyer.Points())
}

// A buyer who sets another payment password is no longer locked out.
func TestPaymentPassword_ResetWhileLocked(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, pay := payingByCard(s)
	id := pay.Order()
	pay.Pay()
	failFourTimes(pay)
	pay.TypePassword(wrongPassword)
	pay.ForgetPassword()
	s.AdvanceClock(resendWait)
	pay.PayPassword().Set(wrongPassword, buyer)
	pay = pay.Payment()
	pay.Pay()
	pay.TypePassword(wrongPassword)
	pay.SeesToast("支付成功！")
	buyer.AwaitState(id, harness.Legacy.Issued)
}

func TestPaymentPassword_NotSetYet(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	buyer.Bind(s.Backoffice.NewCard(plenty))
	visit := pages.PlainFor(s, buyer)
	pay := visit.PayFor(buyer.LockSomeSeats(harness.Legacy, 1))
	id := pay.Order()
	pay.UseCards(buyer.Cards...)
	pay.Pay()
	visit.Confirm("尚未设置支付密码", "去设置")
	s.AdvanceClock(resendWait)
	visit.PayPassword().Set(harness.PaymentPassword, buyer)
	// Back at the payment, with the choice kept.
	pay = visit.Payment()
	pay.Pay()
	pay.TypePassword(harness.PaymentPassword)
	visit.SeesToast("支付成功！")
	buyer.AwaitState(id, harness.Legacy.Issued)
}

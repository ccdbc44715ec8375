package buying

import (
	"os"
	"testing"
	"time"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

// Hundredths of a point on a card: plenty pays for every order, little for none.
const (
	plenty = 500_00
	little = 10_00
)

// ticketDelay is longer than the providers take to issue a ticket.
const ticketDelay = 5 * time.Second

// lean is the browser of all tests except TestCompletePurchase and TestMessagingApp, which run with animations and the
// service worker.
var lean = phone.Options{Lean: true}

// bySource runs a test for each of the two ticketing sources, in parallel.
func bySource(t *testing.T, test func(t *testing.T, s *harness.Stack, source harness.Source)) {
	t.Helper()
	t.Parallel()
	pages.BothSources(t, func(t *testing.T, source harness.Source) { test(t, pages.NewStack(t), source) })
}

// resendWait is how long a buyer waits between two codes.
const resendWait = time.Minute

// payInApp locks a seat, pays for it in the messaging app and waits for the ticket.
func payInApp(visit *pages.Visit, buyer *harness.Buyer) {
	pay := visit.PayFor(buyer.LockSomeSeats(harness.Legacy, 1))
	id := pay.Order()
	pay.Pay()
	visit.PaymentSheet().ApprovePay()
	visit.Orders()
	buyer.AwaitState(id, harness.Legacy.Issued)
}

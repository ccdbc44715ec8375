package buying

import (
	"os"
	"testing"
	"time"

	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/e2e/stage"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

func TestPoints_PlainBrowser(t *testing.T) {
	t.Parallel()
	for _, source := range stage.Sources {
		t.Run(source.Name, func(t *testing.T) {
			t.Parallel()
			s := stage.New(t)
			buyer := s.NewBuyer(stage.WithCard(500_00))
			visit := pages.Plain(s, phone.Options{}).As(buyer)

			hall := visit.SeatsOf(source)
			seats := hall.Best(2)
			pay := hall.Lock()
			pay.PayByCards(stage.PaymentPassword, buyer.Cards...)
			visit.Hears("支付成功！")
			order := visit.Orders().Open()
			s.AdvanceClock(ticketDelay)
			order.ShowsTicket(seats...)
		})
	}
}

// ticketDelay is more than the providers take to issue a ticket.
const ticketDelay = 5 * time.Second

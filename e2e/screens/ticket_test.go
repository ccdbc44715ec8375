package screens

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// At the entrance, the QR code and the codes are shown without scrolling, also on the smallest phones.
func TestTicket_CodesOnTheFirstScreen(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(1000_00))
	v := pages.Plain(s, phone.Options{Lean: true, Width: 320, Height: 568}).As(buyer)
	for _, source := range harness.Sources {
		order := buyer.LockSomeSeats(source, 2)
		buyer.PayByCards(order)
		buyer.AwaitState(order, source.Issued)
		v.Open("/orderpage?id=" + order)
		v.Order()
		var below float64
		v.Phone.Decode(t, `() => new Promise((done) => {
			const look = () => {
				const [qr, codes] = [document.querySelector('.ticket__qr svg'), document.querySelector('.ticket__codes')]
				if (!qr || !codes) return requestAnimationFrame(look)
				done(codes.getBoundingClientRect().bottom - innerHeight)
			}
			look()
		})`, &below)
		require.LessOrEqual(t, below, 0.0, "pixels of the codes below the screen (%s)", source.Name)
	}
}

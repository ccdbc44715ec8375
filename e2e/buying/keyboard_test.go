package buying

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// A purchase with only the keyboard, from the showings to the ticket. The focus is always visible. The transcript in
// testdata contains what a screen reader announces on the way, and what it reads on each page and dialog. After a
// deliberate change, update it with `go test ./e2e/buying -run Keyboard -update`.
func TestPurchase_ByKeyboard(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty))
	visit := pages.PlainFor(s, buyer)
	visit.Open(s.Catalog.CinemaPage(harness.NewMovie))
	pages.CinemaOn(visit).Showings()
	keys := pages.NewKeyboard(visit)

	keys.OnPage("影院详情")
	keys.Reads()
	keys.TabTo("购票")
	keys.Enter()

	keys.SeatMap()
	keys.OnPage("选择座位")
	keys.Reads()
	keys.TabTo("排")
	keys.Press("ArrowRight")
	keys.Press("ArrowDown")
	keys.Press("ArrowUp")
	keys.Enter()
	keys.SeesText("共1座") // the panel changes after the seat
	keys.TabTo("确认选座")
	keys.Reads()
	// A closed sheet returns the focus to the button that opened it.
	keys.Enter()
	keys.InDialog("购票须知")
	keys.Press("Escape")
	keys.FocusIs("确认选座")
	keys.Enter()
	keys.InDialog("购票须知")
	keys.Reads()
	keys.TabTo("同意并锁定座位")
	keys.Enter()

	keys.Hears("锁座成功")
	keys.Payment()
	keys.OnPage("确认支付")
	keys.SeesText("福利卡抵扣") // the quote has arrived; before it, the button cannot be pressed
	keys.Reads()
	keys.TabTo("确认支付")
	keys.Enter()
	keys.FocusIs("支付密码")
	keys.Reads()
	keys.Type(harness.PaymentPassword)
	keys.Hears("支付成功！")

	keys.Orders()
	keys.OnPage("我的订单")
	s.AdvanceClock(ticketDelay)
	keys.SeesText("查看电子票")
	keys.Reads()
	keys.TabTo("查看电子票")
	keys.Enter()
	keys.Order().ShowsTicket()
	keys.OnPage("订单详情")
	keys.Reads()
	keys.TabTo("返回")

	golden := filepath.Join("testdata", "keyboard.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(keys.Transcript()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), keys.Transcript(), "the test's comment explains how to update testdata")
}

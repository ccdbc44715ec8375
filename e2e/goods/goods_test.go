package goods

import (
	"os"
	"testing"

	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

// Hundredths of a point on a card: plenty pays for all goods here, little for none.
const (
	plenty = 500_00
	little = 10_00
)

// The states of an order of goods on the wire.
const (
	unpaid    = 0
	cancelled = 2
	delivered = 4
	refunded  = 7
)

// Titles of demo goods: music delivers codes, calls recharges an account.
const (
	music = "青鸟音乐豪华会员"
	calls = "手机话费直充"
)

// buyMusic opens the goods with codes and returns the sheet on which they are paid.
func buyMusic(visit *pages.Visit) pages.Payment {
	goods := visit.OpenGoods(music)
	goods.Buy()
	return goods.Pay()
}

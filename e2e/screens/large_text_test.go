package screens

import (
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// The main screens with text of twice the size, as a phone's settings can have it.
func TestScreens_LargeText(t *testing.T) {
	open := func(s *harness.Stack, opts phone.Options) *pages.Visit {
		v := pages.Plain(s, opts)
		require.NoError(s.T, v.Phone.Context.AddInitScript(playwright.Script{Content: playwright.String(`
			document.addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%' })
		`)}))
		return v
	}
	lookWith(t, examination{examineLargeText, takePictures}, open, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(1000_00), harness.WithCard(10_00))
		issued := buyer.LockSomeSeats(harness.Legacy, 2)
		buyer.PayByCards(issued)
		buyer.Reaches(issued, harness.Legacy.Issued)
		film, _ := s.Catalog.Films()
		v.As(buyer)
		var hall pages.SeatMap
		return []scene{
			{"large-index", func(v *pages.Visit) { v.Open("/index"); v.Home().Films() }},
			opens("large-filmdetail", "/filmdetail?id="+film, "演职人员"),
			opens("large-multiplex", "/multiplex", "家影院"),
			opens("large-multiplexDetail", s.Catalog.CinemaPage(harness.Legacy), "散场"),
			{"large-filmNewSeat-chosen", func(v *pages.Visit) { hall = v.SeatsOf(harness.NewMovie); hall.Best(3) }},
			{"large-filmNewSeat-notice", func(*pages.Visit) { hall.ReadNotice() }},
			{"large-paymentpage", func(v *pages.Visit) { v.PayFor(buyer.LockSomeSeats(harness.Legacy, 2)) }},
			{"large-paymentpage-cards", func(v *pages.Visit) { v.PayFor(buyer.LatestOrder().ID).OpenCards() }},
			{"large-paymentpage-password", func(v *pages.Visit) {
				pay := v.PayFor(buyer.LatestOrder().ID)
				pay.Pay()
				pay.TypePassword("135790")
				v.SeesText("支付密码错误")
			}},
			{"large-orderpage-issued", func(v *pages.Visit) { v.Open("/orderpage?id=" + issued); v.Order() }},
			{"large-orderInfo", func(v *pages.Visit) { v.Open("/orderInfo?tabIndex=0"); v.Orders().Count(2) }},
			{"large-personCenter", func(v *pages.Visit) { v.Open("/personCenter"); v.Me() }},
			{"large-securitycards", func(v *pages.Visit) { v.Open("/securitycards"); v.WelfareCards() }},
			{"large-memberindex", func(v *pages.Visit) { v.Open("/memberindex"); v.Members() }},
			{"large-couponsDetail", func(v *pages.Visit) { v.OpenGoods("青鸟音乐豪华会员") }},
			{"large-couponsDetail-sku", func(v *pages.Visit) { v.OpenGoods("手机话费直充").Buy() }},
			{"large-hotlist", func(v *pages.Visit) { v.Open("/hotlist"); v.HotList() }},
		}
	})
}

// enlargeText doubles the size of the open page's text, on a phone of another width: Chromium evaluates container
// queries again when the width changes, not when the size of the text does.
func enlargeText(t *testing.T, p *phone.Phone) {
	t.Helper()
	setText(t, p, "200%", 375, 812)
}

// restoreText undoes enlargeText.
func restoreText(t *testing.T, p *phone.Phone) {
	t.Helper()
	usual := sizes[len(sizes)-1]
	setText(t, p, "", usual.width, usual.height)
}

func setText(t *testing.T, p *phone.Phone, size string, width, height int) {
	t.Helper()
	_, err := p.Evaluate(`(size) => { document.documentElement.style.fontSize = size }`, size)
	require.NoError(t, err)
	p.Resize(t, width, height)
}

// examineLargeText verifies on phones of all sizes that nothing is cut off.
func examineLargeText(t *testing.T, p *phone.Phone, name string, l light) {
	t.Helper()
	require.NoError(t, p.AwaitAnswers())
	layOutAllRows(t, p)
	onEachPhone(t, p, name, l, func(at string) { report(t, at, cutOff(t, p), p.AxeViolations(t)) })
}

// cutOff returns texts that are partly hidden by their box, and those that extend beyond it. A line that ends in an
// ellipsis is allowed.
func cutOff(t *testing.T, p *phone.Phone) (problems []string) {
	t.Helper()
	p.Decode(t, `() => {
		const scope = [...document.querySelectorAll('dialog:modal')].at(-1)?? document.body
		const hides = (how) => how === 'hidden' || how === 'clip'
		const cut = (box) => {
			const style = getComputedStyle(box)
			const more = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
			if (more || box.closest('.mq-hidden') || !box.checkVisibility()) return false
			const below = hides(style.overflowY) && box.scrollHeight > box.clientHeight + 3
			const across = hides(style.overflowX) && box.scrollWidth > box.clientWidth + 3
			return box.clientHeight > 0 && (below || across)
		}
		const words = (box) => [...box.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '')
		const scroller = (box) => box === null || /auto|scroll/.test(getComputedStyle(box).overflowX) ? box : scroller(box.parentElement)
		const range = document.createRange()
		// A text that extends beyond its tab, link or card covers the content next to it.
		const sticksOut = (box) => {
			if (box.closest('.mq-hidden, svg') || !box.checkVisibility()) return false
			const frame = box.closest('[role=tab], a, button, .mq-card, main, nav, dialog')
			if (getComputedStyle(box).textOverflow === 'ellipsis') return false
			// Content that scrolls sideways may extend beyond a box that does not scroll.
			const most = frame.contains(scroller(box)) ? Infinity : frame.getBoundingClientRect().right
			return words(box).some((text) => {
				range.selectNodeContents(text)
				return range.getBoundingClientRect().right > Math.min(most, scroller(box) ? Infinity : innerWidth) + 2
			})
		}
		// A name as short as 音乐会员 must fit one line, also in a card, a line or a list of terms.
		const named = (box) => box.closest('a, dt, .van-cell__title, .mq-terms') && getComputedStyle(box).webkitLineClamp === 'none'
		const broken = (box) => box.checkVisibility() && named(box) && words(box).some((text) => {
			if (!/^\p{Script=Han}{2,4}$/u.test(text.data.trim())) return false
			range.selectNodeContents(text)
			return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
		})
		return [...scope.querySelectorAll(scope === document.body ? 'main *, nav *' : '*')]
			.filter((box) => words(box).length > 0 && (cut(box) || sticksOut(box) || broken(box)))
			.map((box) => box.className + ' has no room for ' + box.textContent.slice(0, 30))
	}`, &problems)
	return problems
}

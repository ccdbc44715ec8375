package screens

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/phone"
)

// enlargeText doubles the size of the open page's text on a phone that is one pixel narrower: Chromium evaluates
// container queries again when the width changes, not when the size of the text does.
func enlargeText(t *testing.T, p *phone.Phone) {
	t.Helper()
	setText(t, p, "200%", size{narrow.width - 1, narrow.height})
}

// restoreText undoes enlargeText.
func restoreText(t *testing.T, p *phone.Phone) {
	t.Helper()
	setText(t, p, "", usual)
}

func setText(t *testing.T, p *phone.Phone, percent string, on size) {
	t.Helper()
	_, err := p.Evaluate(`(size) => { document.documentElement.style.fontSize = size }`, percent)
	require.NoError(t, err)
	p.Resize(t, on.width, on.height)
}

// cutOff returns texts that are partly hidden by their box, those that extend beyond it, short names that take more
// than one line, and texts whose lines overlap. A line that ends in an ellipsis is allowed.
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
		const overlaps = (box) => {
			const { lineHeight, fontSize } = getComputedStyle(box)
			return box.checkVisibility() && parseFloat(lineHeight) < parseFloat(fontSize)
		}
		return [...scope.querySelectorAll(scope === document.body ? 'main *, nav *' : '*')]
			.filter((box) => words(box).length > 0 && (cut(box) || sticksOut(box) || broken(box) || overlaps(box)))
			.map((box) => box.className + ' has no room for ' + box.textContent.slice(0, 30))
	}`, &problems)
	return problems
}

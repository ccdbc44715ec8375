package screens

import (
	"testing"

	"marquee/e2e/phone"
)

// smallTargets returns controls that violate criterion 2.5.8 of WCAG 2.2: they react to less than 24×24 pixels, and a
// circle of 24 pixels around their middle meets another control. Links within a sentence are exempt, and seats, because
// the first tap enlarges a hall.
func smallTargets(t *testing.T, p *phone.Phone) (problems []string) {
	t.Helper()
	p.Decode(t, `() => {
		const least = 24
		const controls = 'a[href], button, input, select, textarea, summary, [role=slider], [role=tab], [role=radio], [role=checkbox]'
		const scope = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
		const inSentence = (box) => {
			const words = [...box.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
			return words && getComputedStyle(box).display === 'inline'
		}
		const frame = (box) => (box.matches('input') ? box.closest('label') ?? box : box).getBoundingClientRect()
		const targets = [...scope.querySelectorAll(controls)]
			.filter((box) => box.checkVisibility({ visibilityProperty: true }) && !box.matches(':disabled, svg *') && !inSentence(box))
			.map((box) => ({ box, place: frame(box) }))
			.filter(({ place }) => place.width > 1 && place.height > 1)
		const middle = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2]
		// A control can react outside of its frame, to a pseudo-element that extends it.
		const reactsTo = (box) => {
			const before = [scrollX, scrollY]
			box.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
			const [x, y] = middle(frame(box))
			const reach = least / 2 - 0.5
			const all = [-reach, reach].every((across) => [-reach, reach].every((down) =>
				box.contains(document.elementFromPoint(x + across, y + down))))
			scrollTo({ left: before[0], top: before[1], behavior: 'instant' })
			return all
		}
		const small = targets.filter(({ box, place }) => (place.width < least || place.height < least) && !reactsTo(box))
		const meets = (one) => targets.some((other) => {
			if (other === one || other.box.contains(one.box) || one.box.contains(other.box)) return false
			const [x, y] = middle(one.place)
			if (small.includes(other)) {
				const [x2, y2] = middle(other.place)
				return Math.hypot(x - x2, y - y2) < least
			}
			const { left, right, top, bottom } = other.place
			const across = Math.max(left - x, x - right, 0)
			const below = Math.max(top - y, y - bottom, 0)
			return Math.hypot(across, below) < least / 2
		})
		return small.filter(meets).map(({ box, place }) => {
			const name = box.getAttribute('aria-label') ?? box.textContent.trim().slice(0, 20)
			return name + ' (' + box.className + ') is ' + Math.round(place.width) + '×' + Math.round(place.height) + ' pixels'
		})
	}`, &problems)
	return problems
}

// obscuredFocus returns controls that violate criterion 2.4.11 of WCAG 2.2: when they get the focus, the browser
// scrolls them to where a bar or another control covers them entirely. A script moves the focus through all controls
// and back, which scrolls in the same way as Tab and Shift+Tab.
func obscuredFocus(t *testing.T, p *phone.Phone) (problems []string) {
	t.Helper()
	p.Decode(t, `async () => {
		const scope = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
		const before = document.activeElement
		const controls = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
			.filter((box) => box.checkVisibility({ visibilityProperty: true }) && !box.matches(':disabled, [tabindex="-1"], svg *'))
		const scrolled = new Map()
		for (const box of controls) {
			for (let outer = box.parentElement; outer; outer = outer.parentElement) {
				scrolled.set(outer, [outer.scrollLeft, outer.scrollTop])
			}
		}
		const shares = [0.02, 0.25, 0.5, 0.75, 0.98]
		const covered = (control) => {
			const box = control.matches('input') ? control.closest('label') ?? control : control
			const place = box.getBoundingClientRect()
			if (place.width <= 1 || place.height <= 1) return false
			const left = Math.max(0, place.left), right = Math.min(innerWidth, place.right)
			const top = Math.max(0, place.top), bottom = Math.min(innerHeight, place.bottom)
			return !shares.some((across) => shares.some((down) => {
				const seen = document.elementFromPoint(left + (right - left) * across, top + (bottom - top) * down)
				return seen !== null && right > left && bottom > top && (box.contains(seen) || seen.contains(box))
			}))
		}
		const found = []
		for (const control of [...controls, ...controls.toReversed()]) {
			control.focus()
			if (document.activeElement !== control || !covered(control)) continue
			// A control may be moved into view by a transition.
			await Promise.allSettled(control.getAnimations().map(({ finished }) => finished))
			if (!covered(control)) continue
			const name = control.getAttribute('aria-label') ?? control.textContent.trim().slice(0, 20)
			found.push(name + ' (' + control.className + ') is covered when it has the focus')
		}
		if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true })
		else document.activeElement?.blur()
		for (const [outer, [left, top]] of scrolled) outer.scrollTo({ left, top, behavior: 'instant' })
		return found
	}`, &problems)
	return problems
}

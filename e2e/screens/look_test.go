package screens

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

const root = "../.."

// A scene is a screen in a state worth looking at, and the way there.
type scene struct {
	name string
	show func(v *pages.Visit)
}

// lights are the two ways every scene is looked at.
var lights = []struct {
	name string
	dark bool
}{{"day", false}, {"night", true}}

// look visits scenes by day and by night, each light with a stage and a buyer of its own.
func look(
	t *testing.T,
	open func(*harness.Stack, phone.Options) *pages.Visit,
	set func(*harness.Stack, *pages.Visit) []scene,
) {
	t.Helper()
	lookWith(t, examine, open, set)
}

// lookWith is look with another examination of each scene.
func lookWith(
	t *testing.T,
	examine func(t *testing.T, p *phone.Phone, name, light string),
	open func(*harness.Stack, phone.Options) *pages.Visit,
	set func(*harness.Stack, *pages.Visit) []scene,
) {
	t.Helper()
	t.Parallel()
	for _, light := range lights {
		t.Run(light.name, func(t *testing.T) {
			t.Parallel()
			s := pages.NewStack(t)
			v := open(s, phone.Options{Dark: light.dark, Lean: true, Tolerate: []string{"404"}})
			for _, scene := range set(s, v) {
				scene.show(v)
				examine(t, v.Phone, scene.name, light.name)
			}
		})
	}
}

// sizes are the phones, widest last so that the next scene begins on the usual one.
var sizes = []struct{ width, height int }{{320, 640}, {390, 844}}

func examine(t *testing.T, p *phone.Phone, name, light string) {
	t.Helper()
	awaitIdle(t, p)
	onEachPhone(t, p, name, light, func(at string) {
		for _, problem := range cramped(t, p) {
			t.Errorf("%s: %s", at, problem)
		}
	})
	for _, problem := range p.AxeViolations(t) {
		t.Errorf("%s-%s: %s", name, light, problem)
	}
}

func awaitIdle(t *testing.T, p *phone.Phone) {
	t.Helper()
	idle := playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateNetworkidle}
	require.NoError(t, p.WaitForLoadState(idle))
}

// onEachPhone takes a picture of the scene on phones of all sizes, verifies that it is not wider than the phone, and
// calls inspect with the name of the picture.
func onEachPhone(t *testing.T, p *phone.Phone, name, light string, inspect func(at string)) {
	t.Helper()
	for _, size := range sizes {
		require.NoError(t, p.SetViewportSize(size.width, size.height))
		p.Settle(t)
		at := fmt.Sprintf("%s-%d-%s", name, size.width, light)
		if os.Getenv("MARQUEE_SCREENS") != "" {
			_, err := p.Screenshot(playwright.PageScreenshotOptions{
				Path: playwright.String(filepath.Join(root, "e2e/artifacts/screens", at+".png")),
			})
			require.NoError(t, err)
		}
		inspect(at)
		for _, problem := range p.HorizontalOverflow(t) {
			t.Errorf("%s: wider than the screen: %s", at, problem)
		}
	}
}

// cramped names what has too little room: a seat's name on two lines, a field narrower than what it asks for, a bar
// whose button fell below its sum.
func cramped(t *testing.T, p *phone.Phone) (problems []string) {
	t.Helper()
	p.Decode(t, `() => {
		const found = []
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
		const range = document.createRange()
		for (let text; (text = texts.nextNode()); ) {
			for (const { 0: name, index } of text.data.matchAll(/[0-9A-Z]+排\s*[0-9A-Z]+座/g)) {
				range.setStart(text, index)
				range.setEnd(text, index + name.length)
				const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top)))
				if (lines.size > 1) found.push('the seat ' + name + ' is on two lines')
			}
		}
		const pen = document.createElement('canvas').getContext('2d')
		for (const field of document.querySelectorAll('input[placeholder]')) {
			const { font, paddingLeft, paddingRight } = getComputedStyle(field)
			if (field.clientWidth === 0) continue
			pen.font = font
			const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
			const asked = pen.measureText(field.placeholder).width
			if (asked > room + 1) found.push(field.placeholder + ' needs ' + Math.round(asked) + ' and has ' + Math.round(room))
		}
		for (const bar of document.querySelectorAll('.mq-submit__row')) {
			const [sum, button] = [...bar.children].map((part) => part.getBoundingClientRect())
			if (button.top >= sum.bottom) found.push('the button of the bar fell below its sum')
		}
		return found
	}`, &problems)
	return problems
}

// opens is a scene that is an address.
func opens(name, address string, shown ...string) scene {
	return scene{name, func(v *pages.Visit) {
		v.Open(address)
		for _, text := range shown {
			v.SeesText(text)
		}
	}}
}

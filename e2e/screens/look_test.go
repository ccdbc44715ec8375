package screens

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

const root = "../.."

// A scene is a screen in a state to examine, and how to get there.
type scene struct {
	name string
	show func(v *pages.Visit)
}

// light is the color scheme of a phone.
type light string

const (
	day   light = "day"
	night light = "night"
)

// other returns night for day and day for night.
func (l light) other() light {
	if l == day {
		return night
	}
	return day
}

// layOutAllRows makes the browser also lay out rows far below the screen, which it skips until they come near.
func layOutAllRows(t *testing.T, p *phone.Phone) {
	t.Helper()
	_, err := p.Evaluate(`() => {
		if (document.adoptedStyleSheets.length > 0) return
		const all = new CSSStyleSheet()
		all.replaceSync('* { content-visibility: visible !important }')
		document.adoptedStyleSheets = [all]
	}`)
	require.NoError(t, err)
}

// show changes the color scheme of the open page. The theme is only style sheets, so nothing is loaded again. It
// returns when all colors have changed, also those of rows far below the screen, because an inherited color changes
// after that of the parent.
func (l light) show(t *testing.T, p *phone.Phone) {
	t.Helper()
	scheme, name := playwright.ColorSchemeLight, "light"
	if l == night {
		scheme, name = playwright.ColorSchemeDark, "dark"
	}
	layOutAllRows(t, p)
	require.NoError(t, p.EmulateMedia(playwright.PageEmulateMediaOptions{ColorScheme: scheme}))
	var is string
	p.Decode(t, `async () => {
		for (let still = 0; still < 3; ) {
			const changes = document.getAnimations().filter((one) => one instanceof CSSTransition)
			still = changes.length === 0 ? still + 1 : 0
			await Promise.allSettled(changes.map((one) => one.finished))
			await new Promise((next) => setTimeout(next))
		}
		return getComputedStyle(document.documentElement).colorScheme
	}`, &is)
	require.Equal(t, name, is, "color scheme of the page")
}

// An examination verifies a scene by day and by night.
type examination struct {
	rules  func(t *testing.T, p *phone.Phone, name string, l light) // all rules, in the light of the loaded scene
	colors func(t *testing.T, p *phone.Phone, name string, l light) // rules for colors, in the other light
}

// inApp opens the messaging app's browser for the person whose identity can be bound.
func inApp(s *harness.Stack, opts phone.Options) *pages.Visit {
	return pages.InApp(s, harness.BoundOpenID, opts)
}

// look visits scenes, and examines each by day and by night.
func look(
	t *testing.T,
	open func(*harness.Stack, phone.Options) *pages.Visit,
	set func(*harness.Stack, *pages.Visit) []scene,
) {
	t.Helper()
	lookWith(t, examination{examine, examineColors}, open, set)
}

// lookWith is look with another examination of each scene. A scene is loaded in the light in which the examination of
// the previous scene ended, so that half of the scenes are loaded by night.
func lookWith(
	t *testing.T,
	examine examination,
	open func(*harness.Stack, phone.Options) *pages.Visit,
	set func(*harness.Stack, *pages.Visit) []scene,
) {
	t.Helper()
	t.Parallel()
	s := pages.NewStack(t)
	v := open(s, phone.Options{Lean: true, Tolerate: []string{"404"}})
	current := day
	for _, scene := range set(s, v) {
		scene.show(v)
		examine.rules(t, v.Phone, scene.name, current)
		current = current.other()
		current.show(t, v.Phone)
		examine.colors(t, v.Phone, scene.name, current)
	}
}

// A size is that of a phone's screen in pixels.
type size struct{ width, height int }

// A scene is loaded on the usual phone.
var usual, narrow = size{390, 844}, size{320, 640}

// examine verifies the scene on both phones, and then with large text on the narrow one.
func examine(t *testing.T, p *phone.Phone, name string, l light) {
	t.Helper()
	require.NoError(t, p.AwaitAnswers())
	p.Settle(t)
	report(t, name+"-"+string(l), p.AxeViolations(t))
	onEachPhone(t, p, name, l, func(at string) { report(t, at, cramped(t, p)) })
	report(t, name+"-narrow-"+string(l), p.AxeLayoutViolations(t))
	layOutAllRows(t, p) // in a row that the browser skips, the container queries have the results of the usual text
	enlargeText(t, p)
	at := name + "-large-" + string(l)
	takePicture(t, p, at)
	report(t, at, cutOff(t, p), p.AxeLayoutViolations(t), obscuredFocus(t, p), p.HorizontalOverflow(t))
	restoreText(t, p)
}

// report fails the test with each of the problems.
func report(t *testing.T, at string, problems ...[]string) {
	t.Helper()
	for _, problem := range slices.Concat(problems...) {
		t.Errorf("%s: %s", at, problem)
	}
}

// examineColors verifies what depends on the color scheme.
func examineColors(t *testing.T, p *phone.Phone, name string, l light) {
	t.Helper()
	takePictures(t, p, name, l)
	report(t, name+"-"+string(l), p.AxeColorViolations(t))
}

// onEachPhone takes a picture of the scene on both phones and calls inspect with the name of the picture. It verifies
// that the scene is not wider than the phone, that its controls are large enough for fingers, and that none is covered
// while it has the focus. It ends on the narrow phone.
func onEachPhone(t *testing.T, p *phone.Phone, name string, l light, inspect func(at string)) {
	t.Helper()
	for _, screen := range []size{usual, narrow} {
		p.Resize(t, screen.width, screen.height)
		at := fmt.Sprintf("%s-%d-%s", name, screen.width, l)
		takePicture(t, p, at)
		inspect(at)
		report(t, at, smallTargets(t, p), obscuredFocus(t, p), p.HorizontalOverflow(t))
	}
}

// takePictures takes pictures of a scene on both phones and verifies it as onEachPhone does, if MARQUEE_SCREENS is set.
func takePictures(t *testing.T, p *phone.Phone, name string, l light) {
	t.Helper()
	if wantsPictures() {
		onEachPhone(t, p, name, l, func(string) {})
	}
}

// takePicture keeps a picture, if pictures are wanted.
func takePicture(t *testing.T, p *phone.Phone, at string) {
	t.Helper()
	if wantsPictures() {
		_, err := p.Screenshot(playwright.PageScreenshotOptions{
			Path: playwright.String(filepath.Join(root, "e2e/artifacts/screens", at+".png")),
		})
		require.NoError(t, err)
	}
}

func wantsPictures() bool { return os.Getenv("MARQUEE_SCREENS") != "" }

// cramped returns elements with too little room: a seat's name on two lines, a field narrower than its placeholder, a
// bar whose button is below its sum.
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

// opens returns a scene that is opened by an address.
func opens(name, address string, shown ...string) scene {
	return scene{name, func(v *pages.Visit) {
		v.Open(address)
		for _, text := range shown {
			v.SeesText(text)
		}
	}}
}

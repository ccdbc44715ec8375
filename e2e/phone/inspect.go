package phone

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/server/store/postgres/pgserver"
)

// Settle waits until fonts and visible pictures are loaded and painted. It does not wait for pictures far below, which
// are loaded lazily.
func (p *Phone) Settle(t *testing.T) {
	t.Helper()
	_, err := p.Evaluate(`async () => {
		const within = (millis) => new Promise((done) => setTimeout(done, millis))
		const inSight = ({ top, left }) => top < innerHeight && left < innerWidth
		const near = [...document.images].filter((image) => inSight(image.getBoundingClientRect()))
		const pictures = near.map((image) => image.decode().catch(() => undefined))
		await Promise.race([within(3000), Promise.all([document.fonts.ready, ...pictures])])
		const painted = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
		await Promise.race([within(500), painted])
	}`)
	require.NoError(t, err)
}

// Resize changes the size of the page, waits until it is applied, and settles. A busy browser first lays out the page
// in its old size.
func (p *Phone) Resize(t *testing.T, width, height int) {
	t.Helper()
	require.NoError(t, p.SetViewportSize(width, height))
	_, err := p.WaitForFunction("(width) => matchMedia(`(width: ${width}px)`).matches", width)
	require.NoError(t, err)
	p.Settle(t)
}

// HorizontalOverflow returns up to three elements that make the page scroll sideways.
func (p *Phone) HorizontalOverflow(t *testing.T) (problems []string) {
	t.Helper()
	p.Decode(t, `() => {
		const room = document.documentElement.clientWidth
		if (document.documentElement.scrollWidth <= room) return []
		return [...document.querySelectorAll('body *')]
			.filter((one) => one.getBoundingClientRect().right > room + 1)
			.slice(0, 3)
			.map((one) => one.tagName + '.' + one.className + ' ends at ' +
				Math.round(one.getBoundingClientRect().right) + ', beyond the edge of the screen')
	}`, &problems)
	return problems
}

// AxeViolations runs axe-core and returns the rules that the page violates, with up to three elements each.
func (p *Phone) AxeViolations(t *testing.T) (problems []string) {
	t.Helper()
	return p.axe(t, `{ resultTypes: ['violations'] }`)
}

// AxeColorViolations is AxeViolations for the rules that depend on colors.
func (p *Phone) AxeColorViolations(t *testing.T) (problems []string) {
	t.Helper()
	return p.axe(t, `{ resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] }`)
}

// AxeLayoutViolations is AxeViolations for the rules that depend on the size of the phone or of the text.
func (p *Phone) AxeLayoutViolations(t *testing.T) (problems []string) {
	t.Helper()
	return p.axe(t, `{ resultTypes: ['violations'], runOnly: ['scrollable-region-focusable', 'target-size'] }`)
}

// axe runs axe-core. The first call in a page loads it there. Documents that the page opens later have it from the
// start, because the driver takes longer to send the script than the browser to run it.
func (p *Phone) axe(t *testing.T, options string) (problems []string) {
	t.Helper()
	var loaded bool
	p.Decode(t, `() => typeof axe !== 'undefined'`, &loaded)
	if !loaded {
		root, err := pgserver.ModuleRoot()
		require.NoError(t, err)
		script, err := os.ReadFile(filepath.Join(root, "node_modules/axe-core/axe.min.js"))
		require.NoError(t, err)
		require.NoError(t, p.AddInitScript(playwright.Script{Content: playwright.String(string(script))}))
		_, err = p.Evaluate(string(script))
		require.NoError(t, err)
	}
	p.Decode(t, `async () => {
		const found = await axe.run(document, `+options+`)
		const shown = (node) => node.html.slice(0, 160) + ' ' + node.failureSummary.replaceAll('\n', ' ')
		return found.violations.map(({ id, impact, help, nodes }) =>
			[impact, id, help, ...nodes.slice(0, 3).map(shown)].join('\n    '))
	}`, &problems)
	return problems
}

// Decode runs a script in the page and decodes its result into the value.
func (p *Phone) Decode(t *testing.T, script string, into any) {
	t.Helper()
	value, err := p.Evaluate(script)
	require.NoError(t, err)
	text, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(strings.NewReader(string(text))).Decode(into))
}

package visiting

import (
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// largestPicture returns the address, position and size of the picture with the largest area.
const largestPicture = `() => {
	const covered = ({ width, height }) => width * height;
	const found = [...document.images]
		.map((image) => ({ src: image.src, box: image.getBoundingClientRect() }))
		.sort((a, b) => covered(b.box) - covered(a.box))[0];
	if (!found) return {};
	const { x, y, width, height } = found.box;
	return { src: found.src, x, y, width, height };
}`

// The page shows its largest picture without scripts, at the position where the app shows it, so that it is neither
// painted again nor moved.
func TestPlaceholder_HasTheLargestPictureWhereTheAppHasIt(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	film, _ := s.Catalog.Films()
	addresses := []string{
		"/index", "/multiplex", "/memberindex", "/filmdetail?id=" + film, s.Catalog.CinemaPage(harness.Legacy),
		s.Catalog.CinemaPage(harness.NewMovie),
	}
	type shown struct {
		Src                 string
		X, Y, Width, Height float64
	}
	for _, size := range []phone.Options{
		{Lean: true, Width: 390, Height: 844},
		{Lean: true, Width: 320, Height: 844},
		{Lean: true, Width: 390, Height: 844, InApp: true},
	} {
		visit := pages.Plain(s, size)
		p := visit.Phone
		scripts, err := p.Context.NewCDPSession(p.Page)
		require.NoError(t, err)
		for _, address := range addresses {
			var placeholder, screen shown
			_, err := scripts.Send("Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
			require.NoError(t, err)
			// If the answers take longer than the shop waits for them, the page has no picture. It is then opened
			// again.
			for range 20 {
				visit.Open(address)
				p.Decode(t, largestPicture, &placeholder)
				if placeholder.Src != "" {
					break
				}
			}
			_, err = scripts.Send("Emulation.setScriptExecutionDisabled", map[string]any{"value": false})
			require.NoError(t, err)
			visit.Open(address)
			// The screen is loaded after the frame of the app, and shows its pictures later on a busy machine.
			started := playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}
			require.NoError(t, p.Locator("#main img").First().WaitFor(started))
			p.Settle(t)
			p.Decode(t, largestPicture, &screen)
			require.NotEmpty(t, placeholder.Src, address)
			require.Equal(t, screen, placeholder, "%s, %d px wide, in-app: %t", address, size.Width, size.InApp)
		}
	}
}

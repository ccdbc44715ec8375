package screens

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/web"
)

// Every page of the app, opened by a buyer without cards and orders and with nothing in its address, on a narrow phone.
// A page that needs an address with a query shows what is missing.
func TestScreens_EveryPage(t *testing.T) {
	routes, err := fs.ReadFile(web.Dist(), "routes.json")
	require.NoError(t, err)
	var table []struct{ Path string }
	require.NoError(t, json.Unmarshal(routes, &table))
	require.NotEmpty(t, table)
	onNarrow := func(t *testing.T, p *phone.Phone, name string, l light) {
		t.Helper()
		// The placeholder of the document may have a heading too, but not in an element with this id.
		require.NoError(t, p.Locator("#main h1").First().WaitFor(playwright.LocatorWaitForOptions{
			State: playwright.WaitForSelectorStateAttached,
		}))
		require.NoError(t, p.AwaitAnswers())
		p.Resize(t, narrow.width, narrow.height)
		takePicture(t, p, name)
		report(t, name, cramped(t, p), smallTargets(t, p), p.AxeViolations(t), p.HorizontalOverflow(t))
	}
	none := func(*testing.T, *phone.Phone, string, light) {}
	group := 0
	for paths := range slices.Chunk(table, 20) {
		group++
		t.Run(fmt.Sprint(group), func(t *testing.T) {
			lookWith(t, examination{onNarrow, none}, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
				var scenes []scene
				for _, route := range paths {
					scenes = append(scenes, scene{"page-" + route.Path[1:], func(v *pages.Visit) {
						v.As(s.NewBuyer())
						v.Open(route.Path)
					}})
				}
				return scenes
			})
		})
	}
}

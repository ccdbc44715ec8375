package screens

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// The main screens while their calls are in progress.
func TestScreens_Loading(t *testing.T) {
	lookWith(t, examination{examineLoading, examineColors}, pages.Plain,
		func(s *harness.Stack, v *pages.Visit) []scene {
			buyer := s.NewBuyer(harness.WithCard(100_00))
			order := buyer.LockSomeSeats(harness.Legacy, 1)
			film, _ := s.Catalog.Films()
			legacy, newmovie := s.Catalog.CinemaPage(harness.Legacy), s.Catalog.CinemaPage(harness.NewMovie)
			hall := s.Catalog.SeatPage(harness.NewMovie)
			v.As(buyer)
			v.Open("/helloWord") // the session is stored before the calls are held back
			holdAnswers(t, v.Phone)
			loads := func(name, address string) scene {
				return scene{name + "-loading", func(v *pages.Visit) { v.Open(address); awaitSkeleton(t, v.Phone) }}
			}
			return []scene{
				loads("index", "/index"),
				loads("filmdetail", "/filmdetail?id="+film),
				loads("multiplex", "/multiplex"),
				loads("multiplexDetail", legacy),
				loads("multiplexNewDetail", newmovie),
				loads("filmNewSeat", hall),
				loads("paymentpage", "/paymentpage?order="+order),
				loads("orderpage", "/orderpage?id="+order),
				loads("orderInfo", "/orderInfo"),
				loads("personCenter", "/personCenter"),
				loads("securitycards", "/securitycards"),
				loads("memberindex", "/memberindex"),
				loads("couponsDetail", "/couponsDetail?id=1"),
			}
		})
}

// picture matches a link that preloads a picture of a page, and the picture itself.
var picture = regexp.MustCompile(`<link rel="preload" as="image"[^>]*>|<img [^>]*>`)

// holdAnswers leaves the calls of a phone unanswered. It also removes from each page the answers to its first calls,
// which the shop includes, and the pictures, because a page that the test fulfills may not load them from the
// simulators' address.
func holdAnswers(t *testing.T, p *phone.Phone) {
	t.Helper()
	calls := regexp.MustCompile(`^https?://[^/]+/(movie|newmovie|api|Login|Member|Film|Dyorder|Kaquan)/`)
	require.NoError(t, p.Route(calls, func(playwright.Route) {}))
	pageAddress := regexp.MustCompile(`^https?://[^/]+/[A-Za-z]+(\?|$)`)
	require.NoError(t, p.Route(pageAddress, func(r playwright.Route) {
		page, err := r.Fetch()
		if !assert.NoError(t, err) {
			return
		}
		text, err := page.Text()
		assert.NoError(t, err)
		text = picture.ReplaceAllString(text, "")
		text = strings.Replace(text, `id="marquee-answers"`, `id="no-answers"`, 1)
		assert.NoError(t, r.Fulfill(playwright.RouteFulfillOptions{Response: page, Body: text}))
	}))
}

// awaitSkeleton waits for the skeleton of the screen, which has a heading. The skeleton that is shown while the code of
// a screen loads has none.
func awaitSkeleton(t *testing.T, p *phone.Phone) {
	t.Helper()
	attached := playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateAttached}
	require.NoError(t, p.Locator("h1").First().WaitFor(attached))
	require.NoError(t, p.Locator("main [role=status][aria-busy=true]").First().WaitFor())
}

// examineLoading, unlike examine, does not wait for the answers to the page's calls, because they never come.
func examineLoading(t *testing.T, p *phone.Phone, name string, l light) {
	t.Helper()
	onEachPhone(t, p, name, l, func(at string) { report(t, at, p.AxeViolations(t)) })
}

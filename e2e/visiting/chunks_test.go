package visiting

import (
	"sync/atomic"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// The code that signs calls is a separate chunk. If it cannot be loaded on a weak network, the next try loads it again.
func TestSignature_IsLoadedAgainAfterAFailure(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true, Tolerate: []string{"/assets/signature-", "/multiplexDetail?"}})
	var failed atomic.Bool
	require.NoError(t, visit.Phone.Context.Route("**/assets/signature-*.js", func(r playwright.Route) {
		if failed.CompareAndSwap(false, true) {
			require.NoError(t, r.Abort())
			return
		}
		require.NoError(t, r.Continue())
	}))
	// The page is not reloaded while the shop is unreachable.
	require.NoError(t, visit.Phone.Context.Route("**/multiplexDetail?*", func(r playwright.Route) {
		if r.Request().Method() == "HEAD" {
			require.NoError(t, r.Abort())
			return
		}
		require.NoError(t, r.Continue())
	}))
	visit.Open(s.Catalog.CinemaPage(harness.Legacy))
	visit.SeesText("网络不给力，请检查网络后重试")
	require.True(t, failed.Load(), "the page needs no signature")
	require.NoError(t, visit.Phone.GetByText("重试",
		playwright.PageGetByTextOptions{Exact: playwright.Bool(true)}).Click())
	visit.SeesNoText("网络不给力，请检查网络后重试")
}

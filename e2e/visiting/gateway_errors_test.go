package visiting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/simulators/script"
)

// cinemaWithError opens a legacy cinema whose showings the gateway refuses so many times; 0 is always.
func cinemaWithError(t *testing.T, times int, code, message string) *pages.Visit {
	t.Helper()
	stack := pages.NewStack(t)
	page := stack.Catalog.CinemaPage(harness.Legacy)
	stack.PlanFaults(script.Fault{
		Provider: "gateway", Operation: "opi.list.v2", Do: script.Error, Code: code, Message: message, Times: times,
	})
	visit := pages.Plain(stack, phone.Options{})
	visit.Open(page)
	return visit
}

func TestGatewayReload_LoadsThePageAnew(t *testing.T) {
	t.Parallel()
	v := cinemaWithError(t, 1, "9999", "请刷新")
	require.NotEmpty(t, pages.CinemaOn(v).Showings())
	require.Len(t, v.Stack.Calls("gateway", "opi.list.v2"), 2)
}

func TestGatewayReload_Once(t *testing.T) {
	t.Parallel()
	v := cinemaWithError(t, 0, "9999", "请刷新")
	v.SeesToast("数据已更新，请刷新页面")
	require.Len(t, v.Stack.Calls("gateway", "opi.list.v2"), 2)
}

func TestGatewayRefusal_IsShown(t *testing.T) {
	t.Parallel()
	cinemaWithError(t, 0, "2050", "该影院今日闭馆").SeesToast("该影院今日闭馆")
	cinemaWithError(t, 0, "2050", "NullPointerException").SeesToast("暂无数据")
}

package app_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
)

// TestGatewayError_ReachesTheApp plans errors of the gateway and reads the answer of the shop in the gateway's
// envelope.
func TestGatewayError_ReachesTheApp(t *testing.T) {
	t.Parallel()
	b := newTestShop(t).newBuyer("13811110093")
	cinema := 100 // another for each: the shop caches for a while that an id does not exist
	for name, c := range map[string]struct{ code, message, wantCode, wantMsg string }{
		"reload":                 {"9999", "请刷新", "9999", "数据已更新，请刷新页面"},
		"words for the buyer":    {"2050", "该影院今日闭馆，请选择其他影院", "5001", "该影院今日闭馆，请选择其他影院"},
		"words for engineers":    {"2050", "NullPointerException at opi.list", "5001", "暂无数据"},
		"words for the merchant": {"2050", "商户余额不足", "5001", "暂无数据"},
		"markup":                 {"2050", "<b>维护中</b>", "5001", "暂无数据"},
		"a number of a person":   {"2050", "请致电13800000000", "5001", "暂无数据"},
		"the shop's own words":   {"2004", "场次没了", "2004", "场次不存在或已下架"},
	} {
		b.PlanFaults(faults.Fault{
			Provider: "gateway", Operation: "opi.list.v2", Do: faults.Error, Code: c.code, Message: c.message, Times: 1,
		})
		cinema++
		a := b.call("/movie/route", params{"method": "opi.list.v2", "cinemaid": strconv.Itoa(cinema)})
		assert.Equal(t, map[string]any{"code": c.wantCode, "msg": c.wantMsg}, a.Error, name)
	}
}

// TestGatewayStatus_ReachesTheApp lets the gateway answer with HTTP statuses other than 200.
func TestGatewayStatus_ReachesTheApp(t *testing.T) {
	t.Parallel()
	b := newTestShop(t).newBuyer("13811110096")
	for _, status := range []int{201, 404, 500, 502} {
		b.PlanFaults(faults.Fault{
			Provider: "gateway", Operation: "opi.list.v2", Do: faults.Status, Status: status, Times: 1,
		})
		a := b.call("/movie/route", params{"method": "opi.list.v2", "cinemaid": "100"})
		require.Equal(t, "gateway_status", a.ErrorCode, status)
		require.Equal(t, map[string]any{"code": "5001", "msg": "请求失败"}, a.Error, status)
	}
}

// TestNewMovieError_ReachesTheApp does the same at the newmovie provider.
func TestNewMovieError_ReachesTheApp(t *testing.T) {
	t.Parallel()
	b := newTestShop(t).newBuyer("13811110094")
	for message, want := range map[string]string{
		"影院系统升级中，请稍后再来": "影院系统升级中，请稍后再来", "sql: no rows in result set": "暂无数据",
	} {
		b.PlanFaults(faults.Fault{
			Provider: "newmovie", Operation: "movie/cinema_shows", Do: faults.Error, Code: "404099", Message: message,
			Times: 1,
		})
		a := b.get("/newmovie/api/movie/cinema_shows?cinemaId=1")
		requireFault(t, a, "provider_refused")
		assert.Equal(t, want, a.Msg)
	}
}

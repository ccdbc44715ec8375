package transport_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"marquee/server/providers/transport"
)

func TestBuyerText(t *testing.T) {
	t.Parallel()
	for _, fit := range []string{
		"该影院今日闭馆，请选择其他影院", "IMAX厅维护中", "本场次限购 4 张", "请于19点后再试", "暂停售票（3D）。",
	} {
		assert.Equal(t, fit, transport.BuyerText(fit))
	}
	assert.Equal(t, "系统升级中", transport.BuyerText(" 系统升级中\n"))
	for _, unfit := range []string{
		"", " ", "error", "参数movieId错误", "签名错误", "商户余额不足", "服务异常", "<b>维护</b>中", "请致电13800000000",
		"详见 http://x.cn/a", "加微信 abcde12345", "订单26010100000000000001不存在", "维护中\u202e", "维护\x00中", "好",
		"数据 {\"code\":1}", strings.Repeat("长", 41), "请联系\xff客服",
	} {
		assert.Empty(t, transport.BuyerText(unfit), unfit)
	}
}

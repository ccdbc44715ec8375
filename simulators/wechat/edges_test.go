package wechat_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/control"
	"marquee/simulators/faults"
	"marquee/simulators/wechat"
)

// refundPart requests a refund of one fen and returns the HTTP status and the code of a rejection.
func (r *wechatServer) refundPart(t *testing.T, order string, part int) (int, any) {
	t.Helper()
	status, answer := r.raw(t, http.MethodPost, "/v3/refund/domestic/refunds", fmt.Sprintf(
		`{"out_trade_no":%q,"out_refund_no":"%s-%d","amount":{"refund":1,"total":100,"currency":"CNY"}}`, order, order,
		part))
	return status, answer["code"]
}

func TestRefund_FiftyPartsWithinAYear(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	for _, order := range []string{"PARTS-0001", "LATE-00001"} {
		require.NoError(t, r.Pay(r.prepay(t, client, order, 100), "pay"))
	}
	for part := range 50 {
		status, code := r.refundPart(t, "PARTS-0001", part)
		require.Equal(t, http.StatusOK, status, code)
		status, code = r.refundPart(t, "PARTS-0001", part+1)
		require.Equal(t, http.StatusTooManyRequests, status, "within a minute")
		require.Equal(t, "FREQUENCY_LIMITED", code)
		r.clock.Advance(time.Minute)
	}
	status, code := r.refundPart(t, "PARTS-0001", 50)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "INVALID_REQUEST", code)
	status, _ = r.refundPart(t, "PARTS-0001", 49)
	require.Equal(t, http.StatusOK, status, "the same refund again does not refund another part")
	r.clock.Advance(365*24*time.Hour + time.Second)
	status, code = r.refundPart(t, "LATE-00001", 0)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "INVALID_REQUEST", code)
}

func TestPayAPI_PlannedErrorsHaveTheirDocumentedStatus(t *testing.T) {
	t.Parallel()
	r := start(t)
	for code, want := range map[string]int{
		"USERPAYING": 202, "ACCOUNT_ERROR": 403, "MCH_NOT_EXISTS": 404, "FREQUENCY_LIMITED": 429, "PARAM_ERROR": 400,
		"SIGN_ERROR": 401, "NO_AUTH": 403, "OUT_TRADE_NO_USED": 403, "NOT_ENOUGH": 403, "USER_ACCOUNT_ABNORMAL": 403,
		"RULE_LIMIT": 403, "RULELIMIT": 403, "TRADE_ERROR": 403, "ORDER_NOT_EXIST": 404, "ORDERNOTEXIST": 404,
		"RESOURCE_NOT_EXISTS": 404, "RATELIMIT_EXCEEDED": 429, "SYSTEM_ERROR": 500, "BANK_ERROR": 500,
		"OPENID_MISMATCH": 500, "INVALID_TRANSACTIONID": 500, "APPID_MCHID_NOT_MATCH": 400,
		"ORDER_CLOSED": 400, "ORDERPAID": 400, "INVALID_REQUEST": 400,
	} {
		r.fault(t, faults.Fault{Operation: "query", Do: faults.Error, Code: code, Times: 1})
		status, answer := r.raw(t, http.MethodGet, "/v3/pay/transactions/id/1?mchid="+r.keys.MchID, "")
		require.Equal(t, want, status, code)
		require.Equal(t, code, answer["code"])
	}
}

func TestPrepay_ParameterErrorsAreThoseThatWereObserved(t *testing.T) {
	t.Parallel()
	r := start(t)
	order := func(change map[string]any) string {
		q := map[string]any{
			"appid": r.keys.AppID, "mchid": r.keys.MchID, "description": "电影票", "out_trade_no": "ORDER-000001",
			"notify_url": r.shop.URL, "amount": map[string]any{"total": 100},
			"payer": map[string]any{"openid": wechat.BoundOpenID},
		}
		maps.Copy(q, change)
		body, err := json.Marshal(q)
		require.NoError(t, err)
		return string(body)
	}
	for _, row := range []struct {
		change  map[string]any
		field   string
		value   any
		message string
	}{
		{map[string]any{"out_trade_no": "订单号12345"}, "/out_trade_no", "订单号12345",
			`输入源“/body/out_trade_no”映射到值字段“商户订单号”字符串规则校验失败，字符串必须匹配正则表达式“^[0-9a-zA-Z_\-\|\*]+$”`},
		{map[string]any{"out_trade_no": strings.Repeat("1", 35)}, "/out_trade_no", 35.0,
			"输入源“/body/out_trade_no”映射到值字段“商户订单号”字符串规则校验失败，字节数 35，大于最大值 32"},
		{map[string]any{"out_trade_no": "12345"}, "/out_trade_no", 5.0,
			"输入源“/body/out_trade_no”映射到值字段“商户订单号”字符串规则校验失败，字节数 5，小于最小值 6"},
		{map[string]any{"attach": strings.Repeat("影", 43)}, "/attach", 129.0,
			"输入源“/body/attach”映射到值字段“附加数据”字符串规则校验失败，字节数 129，大于最大值 128"},
		{map[string]any{"description": strings.Repeat("影", 128)}, "/description", 128.0,
			"输入源“/body/description”映射到值字段“商品描述”字符串规则校验失败，字符数 128，大于最大值 127"},
		{map[string]any{"description": ""}, "/description", 0.0,
			"输入源“/body/description”映射到值字段“商品描述”字符串规则校验失败，字符数 0，小于最小值 1"},
		{map[string]any{"goods_tag": strings.Repeat("a", 33)}, "/goods_tag", 33.0,
			"输入源“/body/goods_tag”映射到值字段“订单优惠标记”字符串规则校验失败，字节数 33，大于最大值 32"},
		{map[string]any{"amount": map[string]any{"total": 0}}, "/amount/total", 0.0,
			"输入源“/body/amount/total”映射到数值字段“总金额”规则校验失败，值低于最小值 1"},
		{map[string]any{"amount": map[string]any{"total": 0.01}}, "/amount/total", 0.01,
			"无法将 JSON 输入源“/body/amount/total”映射到目标字段“总金额”中，此字段需要一个合法的 64 位有符号整数"},
		{map[string]any{"amount": map[string]any{"total": "100"}}, "/amount/total", "100",
			"无法将 JSON 输入源“/body/amount/total”映射到目标字段“总金额”中，此字段需要一个合法的 64 位有符号整数"},
		{map[string]any{"appid": ""}, "/appid", nil, "输入源“/body/appid”映射到字段“公众号ID”必填性规则校验失败，此字段为必填项"},
		{map[string]any{"notify_url": " https://www.weixin.qq.com/wxpay/pay.php"}, "/notify_url",
			" https://www.weixin.qq.com/wxpay/pay.php", `输入源“/body/notify_url”映射到值字段“通知地址”字符串规则校验失败，字符串必须匹配正则表达式“` +
				`^https?://([^\s/?#\[\]\@]+\@)?([^\s/?#\@:]+)(?::\d{2,5})?([^\s?#\[\]]*)$”`},
	} {
		status, answer := r.raw(t, http.MethodPost, "/v3/pay/transactions/jsapi", order(row.change))
		require.Equal(t, http.StatusBadRequest, status, row.message)
		require.Equal(t, "PARAM_ERROR", answer["code"])
		require.Equal(t, row.message, answer["message"])
		detail, _ := answer["detail"].(map[string]any)
		require.Equal(t, "body", detail["location"])
		require.Equal(t, row.field, detail["field"])
		require.Equal(t, row.value, detail["value"])
		require.NotEmpty(t, detail["issue"])
	}
	for _, fits := range []map[string]any{
		{"attach": strings.Repeat("影", 42) + "ab", "out_trade_no": "a_-|*Z" + strings.Repeat("1", 26)},
		{"description": strings.Repeat("影", 127), "out_trade_no": "123456"},
	} {
		status, answer := r.raw(t, http.MethodPost, "/v3/pay/transactions/jsapi", order(fits))
		require.Equal(t, http.StatusOK, status, answer)
	}
}

func TestPrepay_BothObservedAnswersToAReusedNumber(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.prepay(t, r.sdk(t), "ORDER-000001", 100)
	again := fmt.Sprintf(`{"appid":%q,"mchid":%q,"description":"电影票","out_trade_no":"ORDER-000001","notify_url":%q,`+
		`"amount":{"total":101},"payer":{"openid":%q}}`, r.keys.AppID, r.keys.MchID, r.shop.URL, wechat.BoundOpenID)
	status, answer := r.raw(t, http.MethodPost, "/v3/pay/transactions/jsapi", again)
	require.Equal(t, http.StatusForbidden, status)
	require.Equal(t, "OUT_TRADE_NO_USED", answer["code"])
	r.fault(t, faults.Fault{Operation: "*", Do: "reused-number-201"})
	for range 2 {
		status, answer = r.raw(t, http.MethodPost, "/v3/pay/transactions/jsapi", again)
		require.Equal(t, http.StatusBadRequest, status)
		require.Equal(t, "INVALID_REQUEST", answer["code"])
		require.Equal(t, "201 商户订单号重复", answer["message"])
	}
	r.prepay(t, r.sdk(t), "ORDER-000002", 100)
}

func TestQuery_AnUnpaidTradeHasNoFieldOfAPayment(t *testing.T) {
	t.Parallel()
	r := start(t)
	order := fmt.Sprintf(`{"appid":%q,"mchid":%q,"description":"电影票","out_trade_no":"ORDER-000001","notify_url":%q,`+
		`"attach":"own","amount":{"total":100},"payer":{"openid":%q}}`, r.keys.AppID, r.keys.MchID, r.shop.URL,
		wechat.BoundOpenID)
	status, prepaid := r.raw(t, http.MethodPost, "/v3/pay/transactions/jsapi", order)
	require.Equal(t, http.StatusOK, status)
	query := "/v3/pay/transactions/out-trade-no/ORDER-000001?mchid=" + r.keys.MchID
	_, unpaid := r.raw(t, http.MethodGet, query, "")
	require.Equal(t, map[string]any{
		"appid": r.keys.AppID, "mchid": r.keys.MchID, "out_trade_no": "ORDER-000001", "trade_state": "NOTPAY",
		"trade_state_desc": "订单未支付", "promotion_detail": []any{},
		"amount": map[string]any{"total": 100.0, "currency": "CNY"},
	}, unpaid)
	require.NoError(t, r.Pay(fmt.Sprint(prepaid["prepay_id"]), "pay"))
	_, paid := r.raw(t, http.MethodGet, query, "")
	require.Equal(t, "own", paid["attach"])
	for _, field := range []string{"transaction_id", "trade_type", "bank_type", "success_time", "payer"} {
		require.Contains(t, paid, field)
	}
}

func TestOrders_ARenewedPrepayIDDoesNotChangeWhenTheTradeWasCreated(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.clock.Freeze()
	client, created := r.sdk(t), r.clock.Now()
	first := r.prepay(t, client, "ORDER-000001", 100)
	r.clock.Advance(2 * time.Hour)
	require.NotEqual(t, first, r.prepay(t, client, "ORDER-000001", 100))
	saved := r.Save()
	restored, olderVersion := start(t), start(t)
	require.NoError(t, restored.Load(saved))
	for _, orders := range [][]control.Order{r.Orders(), r.OrdersOf("ORDER-000001"), restored.Orders()} {
		require.Len(t, orders, 1)
		require.WithinDuration(t, created, orders[0].At, 0)
		require.WithinDuration(t, created, orders[0].History[0].At, 0)
		require.WithinDuration(t, created.Add(4*time.Hour), orders[0].Payment.Until, 0)
	}
	saved.Trades[0].CreatedAt = time.Time{} // old snapshots do not have it
	require.NoError(t, olderVersion.Load(saved))
	require.WithinDuration(t, created.Add(2*time.Hour), olderVersion.Orders()[0].At, 0)
}

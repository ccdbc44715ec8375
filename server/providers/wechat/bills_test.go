package wechat_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha1" // the vendor's hash_type
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/reconcile"
)

const (
	tradeBillRoute = "GET " + host + "/v3/bill/tradebill"
	fundBillRoute  = "GET " + host + "/v3/bill/fundflowbill"
	downloadRoute  = "GET " + host + "/v3/billdownload/file"

	tradeColumns = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额," +
		"代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注"
	tradeSums   = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额"
	fundColumns = "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额（元）,账户结余（元）,资金变更提交申请人,备注,业务凭证号"
	fundSums    = "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额"
)

// line writes values as a bill does.
func line(values ...string) string { return "`" + strings.Join(values, ",`") }

func paidLine(no, transaction, amount, title string) string {
	return line("2026-03-14 12:00:01", "wx1", "1900000001", "0", "", transaction, no, "openid", "JSAPI", "SUCCESS",
		"OTHERS", "CNY", amount, "0.00", "0", "0", "0.00", "0.00", "", "", title, "", "0.25700", "0.60%", amount,
		"0.00", "")
}

func refundedLine(no, refund, amount, state string) string {
	return line("2026-03-14 13:00:00", "wx1", "1900000001", "0", "", "42"+no, no, "openid", "JSAPI", "REFUND", "OTHERS",
		"CNY", "0.00", "0.00", refund, no+"-r1", amount, "0.00", "ORIGINAL", state, "电影票", "", "-0.25700", "0.60%",
		"0.00", amount, "")
}

// tradeBillOf is a complete bill of three rows.
func tradeBillOf() []string {
	return []string{
		"\ufeff" + tradeColumns,
		paidLine("a-1", "42a-1", "42.90", "电影票 流浪地球,`特别版, 2D"),
		paidLine("b-1", "42b-1", "0.10", ""),
		refundedLine("a-1", "50a", "42.90", "SUCCESS"),
		tradeSums,
		line("3", "43.00", "42.90", "0.00", "0.00000", "43.00", "42.90"),
	}
}

func fundBillOf() []string {
	return []string{
		fundColumns,
		line("2026-03-14 12:00:01", "42a-1", "1", "交易", "交易", "收入", "42.90", "142.90", "system", "", "a-1"),
		line("2026-03-14 12:00:02", "42a-1", "2", "交易", "扣除交易手续费", "支出", "0.26", "142.64", "system", "", "a-1"),
		line("2026-03-14 13:00:00", "50a", "3", "退款", "退款", "支出", "42.90", "99.74", "system", "缺货,`抱歉", "a-1-r1"),
		fundSums,
		line("3.0", "1.0", "42.90", "2.0", "43.16"),
	}
}

// offer makes the vendor offer a bill; change may alter the announcement.
func (v *vendor) offer(route string, lines []string, change func(answer map[string]string)) {
	bill := []byte(strings.Join(lines, "\r\n"))
	sum := sha1.Sum(bill)
	answer := map[string]string{
		"hash_type": "SHA1", "hash_value": hex.EncodeToString(sum[:]),
		"download_url": "https://" + host + "/v3/billdownload/file?token=t",
	}
	if change != nil {
		change(answer)
	}
	body, err := json.Marshal(answer)
	require.NoError(v.t, err)
	v.on(route, answers(200, string(body)))
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, err = w.Write(bill)
	require.NoError(v.t, err)
	require.NoError(v.t, w.Close())
	v.on(downloadRoute, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(v.t, "t", r.URL.Query().Get("token"))
		_, _ = w.Write(zipped.Bytes())
	})
}

func rowsOf(rows *[]reconcile.Row) func(reconcile.Row) error {
	return func(r reconcile.Row) error { *rows = append(*rows, r); return nil }
}

func TestTradeBill_ReadsPaymentsAndRefunds(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	v.offer(tradeBillRoute, tradeBillOf(), nil)
	var rows []reconcile.Row
	require.NoError(t, v.pay().TradeBill(t.Context(), "2026-03-14", rowsOf(&rows)))
	assert.Equal(t, []reconcile.Row{
		{Kind: reconcile.PaymentRow, Number: "a-1", Ref: "42a-1", State: reconcile.RowDone, Amount: 4290},
		{Kind: reconcile.PaymentRow, Number: "b-1", Ref: "42b-1", State: reconcile.RowDone, Amount: 10},
		{Kind: reconcile.RefundRow, Number: "a-1-r1", Ref: "50a", State: reconcile.RowDone, Amount: 4290},
	}, rows)
}

// Fees are included in the sums of the bill but are not rows of the statement.
func TestFundFlowBill_LeavesFeesOut(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	v.offer(fundBillRoute, fundBillOf(), nil)
	var rows []reconcile.Row
	require.NoError(t, v.pay().FundFlowBill(t.Context(), "2026-03-14", rowsOf(&rows)))
	assert.Equal(t, []reconcile.Row{
		{Kind: reconcile.PaymentRow, Number: "42a-1", Ref: "a-1", State: reconcile.RowDone, Amount: 4290},
		{Kind: reconcile.RefundRow, Number: "50a", Ref: "a-1-r1", State: reconcile.RowDone, Amount: 4290},
	}, rows)
}

// Both calls of a bill fail over to the backup host, which may be the host of the download.
func TestTradeBill_FailsOverToTheBackup(t *testing.T) {
	t.Parallel()
	for name, broken := range map[string]string{"the request": tradeBillRoute, "the download": downloadRoute} {
		for _, at := range []string{host, backupHost} {
			t.Run(name+" of a file at "+at, func(t *testing.T) {
				t.Parallel()
				v := newVendor(t)
				v.offer(tradeBillRoute, tradeBillOf(), func(answer map[string]string) {
					answer["download_url"] = "https://" + at + "/v3/billdownload/file?token=t"
				})
				for _, route := range []string{tradeBillRoute, downloadRoute} {
					v.on(atBackup(route), v.routes[route])
				}
				v.on(broken, answers(502, "<html>"))
				var rows []reconcile.Row
				require.NoError(t, v.pay().TradeBill(t.Context(), "2026-03-14", rowsOf(&rows)))
				assert.Len(t, rows, 3)
				assert.Equal(t, 1, v.called(atBackup(broken)))
			})
		}
	}
}

func TestTradeBill_RejectsBadBills(t *testing.T) {
	t.Parallel()
	replaced := func(i int, text string) []string {
		lines := tradeBillOf()
		lines[i] = text
		return lines
	}
	announcing := func(field, value string) func(map[string]string) {
		return func(answer map[string]string) { answer[field] = value }
	}
	summed := func(count, paid string) []string {
		return replaced(5, line(count, "43.00", "42.90", "0.00", "0.00000", paid, "42.90"))
	}
	const download = "/v3/billdownload/file"
	for name, c := range map[string]struct {
		lines  []string
		change func(map[string]string)
		want   *fault.Fault
	}{
		"another hash": {tradeBillOf(), announcing("hash_value", strings.Repeat("0", 40)),
			reconcile.ErrDamaged},
		"another type of hash": {tradeBillOf(), announcing("hash_type", "MD5"), fault.ErrBadAnswer},
		"a download elsewhere": {tradeBillOf(), announcing("download_url", "https://x.example"+download),
			fault.ErrBadAnswer},
		"a download without TLS": {tradeBillOf(), announcing("download_url", "http://"+host+download),
			fault.ErrBadAnswer},
		"a path of another call": {tradeBillOf(), announcing("download_url", "https://"+host+"/v3/refund"),
			fault.ErrBadAnswer},
		"an empty file": {nil, nil, reconcile.ErrMalformed},
		"no summary":    {tradeBillOf()[:4], nil, reconcile.ErrTruncated},
		"no sums":       {tradeBillOf()[:5], nil, reconcile.ErrTruncated},
		"a last line that is cut": {append(tradeBillOf()[:3], "`2026-03-14 13:00:00,`wx1"), nil,
			reconcile.ErrTruncated},
		"fewer rows than counted":     {append(tradeBillOf()[:3], tradeBillOf()[4:]...), nil, reconcile.ErrTruncated},
		"more rows than counted":      {summed("2", "43.00"), nil, reconcile.ErrTotals},
		"sums that differ":            {summed("3", "43.01"), nil, reconcile.ErrTotals},
		"a sum that is not an amount": {summed("3", "x"), nil, reconcile.ErrMalformed},
		"a count that is none":        {summed("x", "43.00"), nil, reconcile.ErrMalformed},
		"a missing column": {replaced(0, strings.Replace(tradeColumns, "商户订单号", "其他", 1)), nil,
			reconcile.ErrMalformed},
		"a row with few values":     {replaced(2, "`a,`b"), nil, reconcile.ErrMalformed},
		"an amount with a sign":     {replaced(2, paidLine("b-1", "42b-1", "-0.10", "")), nil, reconcile.ErrMalformed},
		"an amount of three digits": {replaced(2, paidLine("b-1", "42b-1", "0.100", "")), nil, reconcile.ErrMalformed},
		"a row without a number":    {replaced(2, paidLine("", "42b-1", "0.10", "")), nil, reconcile.ErrMalformed},
		"an unknown refund state": {replaced(3, refundedLine("a-1", "50a", "42.90", "LOST")), nil,
			reconcile.ErrMalformed},
		"text after the summary": {append(tradeBillOf(), "more"), nil, reconcile.ErrMalformed},
		"a line without an end":  {replaced(2, "`"+strings.Repeat("x", 1<<20)), nil, reconcile.ErrMalformed},
		"HTML":                   {[]string{"<html></html>"}, nil, reconcile.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := newVendor(t)
			v.offer(tradeBillRoute, c.lines, c.change)
			err := v.pay().TradeBill(t.Context(), "2026-03-14", func(reconcile.Row) error { return nil })
			require.ErrorIs(t, err, c.want)
			assert.NotContains(t, err.Error(), "token=t", "the address of the download is a secret")
		})
	}
}

func TestTradeBill_OfADayWithoutOne(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]*fault.Fault{
		"NO_STATEMENT_EXIST": reconcile.ErrNone, "STATEMENT_CREATING": reconcile.ErrNotReady,
		"SYSTEM_ERROR": fault.ErrUnavailable,
	} {
		v := newVendor(t).on(tradeBillRoute, answers(400, fmt.Sprintf(`{"code":%q,"message":"账单"}`, code)))
		err := v.pay().TradeBill(t.Context(), "2026-03-14", func(reconcile.Row) error { return nil })
		require.ErrorIs(t, err, want, code)
	}
}

// A bill may be longer than any other answer, and its rows are passed on one at a time.
func TestTradeBill_IsStreamed(t *testing.T) {
	t.Parallel()
	const rows = 20_000
	lines := []string{tradeColumns}
	for i := range rows {
		lines = append(lines, paidLine(fmt.Sprintf("n%d-1", i), fmt.Sprintf("42%d", i), "1.00", "电影票"))
	}
	sum := money.Fen(rows * 100).String()
	lines = append(lines, tradeSums, line(fmt.Sprint(rows), sum, "0.00", "0.00", "0.00000", sum, "0.00"))
	v := newVendor(t)
	v.offer(tradeBillRoute, lines, nil)
	n := 0
	require.NoError(t, v.pay().TradeBill(t.Context(), "2026-03-14", func(reconcile.Row) error { n++; return nil }))
	assert.Equal(t, rows, n)
}

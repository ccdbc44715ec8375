package wechat

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha1" // the vendor's hash_type
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

const (
	// billReady is the time of the next day at which the bills of a day become available.
	billReady = 10 * time.Hour
	// billMonths is for how many months bills can be requested.
	billMonths = 3
	// downloadLife is how long a download_url is valid, in business time.
	downloadLife = 5 * time.Minute
	// vendorDomain is the domain of the vendor's pay hosts.
	vendorDomain = ".mch.weixin.qq.com"
	// keepBills is how many downloads are remembered.
	keepBills = 64
)

// The operations and the faults of bills.
const (
	opTradeBill    = "trade-bill"
	opFundBill     = "fund-bill"
	opBillDownload = "bill-download"

	doBillNotReady    = "bill-not-ready"
	doBillWrongHash   = "bill-wrong-hash"
	doBillTruncated   = "bill-truncated"
	doBillMissingRow  = "bill-missing-row"
	doBillExtraRow    = "bill-extra-row"
	doBillWrongAmount = "bill-wrong-amount"
)

var (
	billOperations = []string{opTradeBill, opFundBill}
	billFaults     = []faults.DomainFault{
		faults.NewDomainFault(doBillNotReady, billOperations, "STATEMENT_CREATING, as before 10:00"),
		faults.NewDomainFault(doBillWrongHash, billOperations, "hash_value is of another file"),
		faults.NewDomainFault(doBillTruncated, billOperations, "the last third is missing; hash_value is of the rest"),
		faults.NewDomainFault(doBillMissingRow, billOperations,
			"the first row is missing, and the summary agrees with that"),
		faults.NewDomainFault(doBillExtraRow, billOperations,
			"a payment that the ledger does not have, also in the summary"),
		faults.NewDomainFault(doBillWrongAmount, billOperations, "the first row has one fen more, also in the summary"),
	}
)

// The rejections of a bill.
var (
	billCreating = reject(http.StatusBadRequest, "STATEMENT_CREATING", "账单生成中")
	billNone     = reject(http.StatusBadRequest, "NO_STATEMENT_EXIST", "账单文件不存在")
)

// bills generates the trade bill and the fund flow bill of a day from the ledger, and keeps them for download.
type bills struct {
	payments *payments
	faults   faultInjector

	mu    sync.Mutex
	files []billFile // the oldest first
}

// billFile is a bill that can be downloaded.
type billFile struct {
	token   string
	content []byte
	ends    time.Time // business time
}

// billRow is a row before it is written as text, so that faults can change it.
type billRow struct {
	at     time.Time
	kind   string // SUCCESS for a payment, REFUND for a refund
	amount int64  // fen
	trade  trade
	refund *refund // nil for a payment
}

// billAnswer is the answer to both bill calls.
type billAnswer struct {
	HashType    string `json:"hash_type"`
	HashValue   string `json:"hash_value"` // of the bill before it is compressed
	DownloadURL string `json:"download_url"`
}

// tradeBill is GET /v3/bill/tradebill ("申请交易账单"). Without sub_mchid, it has the trades of all sub-merchants, too.
func (b *bills) tradeBill(r *http.Request, _ []byte) (any, *journal.Rejection) {
	kind := r.URL.Query().Get("bill_type")
	switch kind {
	case "", "ALL", stateSuccess, "REFUND":
	default:
		return nil, inQuery("/bill_type").invalid("取值不正确")
	}
	sub := r.URL.Query().Get("sub_mchid")
	return b.request(r, opTradeBill, func(from, to time.Time) (rows []billRow) {
		for _, row := range b.payments.billRows(from, to, func(f *refund) time.Time { return f.CreatedAt }) {
			if (kind == "" || kind == "ALL" || kind == row.kind) && (sub == "" || sub == row.trade.Order.SubMchID) {
				rows = append(rows, row)
			}
		}
		return rows
	}, tradeBillText)
}

// fundFlowBill is GET /v3/bill/fundflowbill ("申请资金账单"). Only the basic account exists.
func (b *bills) fundFlowBill(r *http.Request, _ []byte) (any, *journal.Rejection) {
	if account := r.URL.Query().Get("account_type"); account != "" && account != "BASIC" {
		return nil, inQuery("/account_type").invalid("取值不正确")
	}
	moved := func(f *refund) time.Time {
		if f.State != refundSuccess {
			return time.Time{}
		}
		return f.EndedAt
	}
	var before int64
	rows := func(from, to time.Time) []billRow {
		for _, row := range b.payments.billRows(time.Time{}, from, moved) {
			before += row.signed()
		}
		return b.payments.billRows(from, to, moved)
	}
	return b.request(r, opFundBill, rows, func(rows []billRow) string { return fundFlowText(rows, before) })
}

// signed is what a row adds to the merchant's balance.
func (r billRow) signed() int64 {
	if r.refund != nil {
		return -r.amount
	}
	return r.amount
}

// billRows lists the payments and the refunds of a period of business time, by time. when returns the time at which a
// refund is booked; the zero time leaves it out.
func (p *payments) billRows(from, to time.Time, when func(*refund) time.Time) []billRow {
	p.mu.Lock()
	defer p.mu.Unlock()
	within := func(t time.Time) bool { return !t.IsZero() && !t.Before(from) && t.Before(to) }
	var rows []billRow
	for _, t := range p.trades {
		if within(t.PaidAt) {
			rows = append(rows, billRow{at: t.PaidAt, kind: stateSuccess, amount: t.Order.Amount.Total, trade: *t})
		}
	}
	for _, f := range p.refunds {
		if at := when(f); within(at) {
			refund := *f
			rows = append(rows, billRow{at: at, kind: "REFUND", amount: f.Call.Amount.Refund, trade: *f.trade,
				refund: &refund})
		}
	}
	slices.SortFunc(rows, func(a, b billRow) int {
		if c := a.at.Compare(b.at); c != 0 {
			return c
		}
		return strings.Compare(a.number(), b.number())
	})
	return rows
}

func (r billRow) number() string {
	if r.refund != nil {
		return r.refund.Call.OutRefundNo
	}
	return r.trade.Order.OutTradeNo
}

// request answers a call for a bill: it generates the file of the day, with the planned faults, and returns its
// download_url.
func (b *bills) request(
	r *http.Request, operation string, rows func(from, to time.Time) []billRow, text func([]billRow) string,
) (any, *journal.Rejection) {
	q := r.URL.Query()
	day, err := time.ParseInLocation(time.DateOnly, q.Get("bill_date"), shanghai)
	if err != nil {
		return nil, inQuery("/bill_date").invalid("格式不正确，应为yyyy-MM-dd")
	}
	if tar := q.Get("tar_type"); tar != "" && tar != "GZIP" {
		return nil, inQuery("/tar_type").invalid("取值不正确")
	}
	now, next, note := b.payments.clock.Now(), day.AddDate(0, 0, 1), journal.From(r.Context())
	if _, hit := b.faults.apply(note, operation, doBillNotReady); hit {
		return nil, billCreating
	}
	switch {
	case now.Before(next):
		return nil, inQuery("/bill_date").invalid("应早于今天")
	case now.Before(next.Add(billReady)):
		return nil, billCreating
	case day.AddDate(0, billMonths, 0).Before(now):
		return nil, inQuery("/bill_date").invalid("仅支持三个月内的账单")
	}
	list := b.alter(note, operation, rows(day, next), day)
	if len(list) == 0 {
		return nil, billNone
	}
	bill := []byte(text(list))
	if _, hit := b.faults.apply(note, operation, doBillTruncated); hit {
		bill = bill[:len(bill)*2/3]
	}
	sum := sha1.Sum(bill)
	if _, hit := b.faults.apply(note, operation, doBillWrongHash); hit {
		sum[0] ^= 0xff
	}
	if q.Get("tar_type") == "GZIP" {
		bill = compressed(bill)
	}
	return billAnswer{
		HashType: "SHA1", HashValue: hex.EncodeToString(sum[:]),
		DownloadURL: downloadAddress(r) + "?token=" + b.keep(bill, now),
	}, nil
}

// alter applies the faults that make a bill differ from the ledger.
func (b *bills) alter(note *journal.Note, operation string, rows []billRow, day time.Time) []billRow {
	if _, hit := b.faults.apply(note, operation, doBillMissingRow); hit && len(rows) > 0 {
		rows = rows[1:]
	}
	if _, hit := b.faults.apply(note, operation, doBillWrongAmount); hit && len(rows) > 0 {
		rows[0].amount++
	}
	if _, hit := b.faults.apply(note, operation, doBillExtraRow); hit {
		extra := trade{TransactionID: "4200000000" + day.Format("20060102") + "0000000000"}
		extra.Order.OutTradeNo, extra.Order.AppID = "FOREIGN"+day.Format("20060102"), b.payments.appID
		extra.Order.MchID, extra.Order.Description = b.payments.mchID, "没有订单的收款, `测试"
		rows = append(rows, billRow{at: day.Add(23 * time.Hour), kind: stateSuccess, amount: 1234, trade: extra})
	}
	return rows
}

// downloadAddress is the address at which the caller downloads a bill: the vendor's host, or the address that the
// caller uses for the pay API.
func downloadAddress(r *http.Request) string {
	const path = "/v3/billdownload/file"
	if strings.HasSuffix(r.Host, vendorDomain) || r.Host == PayHostBackup {
		return "https://" + r.Host + path
	}
	return "http://" + r.Host + pathPrefix + path
}

// keep remembers a file and returns the token of its download.
func (b *bills) keep(content []byte, now time.Time) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := billFile{token: randomHex(32), content: content, ends: now.Add(downloadLife)}
	if b.files = append(b.files, f); len(b.files) > keepBills {
		b.files = b.files[1:]
	}
	return f.token
}

// serveDownload answers GET /v3/billdownload/file after checking the caller's signature.
func (a *payAPI) serveDownload(w http.ResponseWriter, r *http.Request) {
	if rejection := a.merchant.verifyCall(r, nil, time.Now()); rejection != nil {
		a.write(w, r, nil, rejection)
		return
	}
	file, rejection := a.bills.download(r.URL.Query().Get("token"))
	if rejection != nil {
		a.write(w, r, nil, rejection)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(file)
}

// download is GET /v3/billdownload/file ("下载账单"): the file of a token. The answer is not signed.
func (b *bills) download(token string) ([]byte, *journal.Rejection) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.files {
		if f.token == token && b.payments.clock.Now().Before(f.ends) {
			return f.content, nil
		}
	}
	return nil, reject(http.StatusBadRequest, "INVALID_REQUEST", "下载链接无效或已过期")
}

func compressed(text []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(text) // a write to a bytes.Buffer never fails
	_ = w.Close()
	return out.Bytes()
}

// billYuan writes fen as bills do: yuan with two decimals.
func billYuan(fen int64) string { return fmt.Sprintf("%d.%02d", fen/100, fen%100) }

// billTime writes a time as bills do.
func billTime(t time.Time) string { return t.In(shanghai).Format(time.DateTime) }

// The syntax of a bill: every value begins with a back quote, lines end with CR LF, and the file begins with a
// byte-order mark.
const (
	byteOrderMark = "\ufeff"
	tradeColumns  = "交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额," +
		"代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注"
	tradeSummary = "总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额"
	fundColumns  = "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额（元）,账户结余（元）,资金变更提交申请人,备注,业务凭证号"
	fundSummary  = "资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额"
)

// billLine writes values as one line of a bill.
func billLine(values ...string) string { return "`" + strings.Join(values, ",`") + "\r\n" }

// billRefundStates are the states of a refund in the trade bill.
var billRefundStates = map[string]string{
	refundProcessing: "PROCESSING", refundSuccess: "SUCCESS", refundClosed: "FAIL", refundAbnormal: "FAIL",
}

// tradeBillText writes the trade bill.
func tradeBillText(rows []billRow) string {
	var b strings.Builder
	var paid, refunded int64
	b.WriteString(byteOrderMark + tradeColumns + "\r\n")
	for _, r := range rows {
		o := r.trade.Order
		name := strings.NewReplacer("\r", " ", "\n", " ").Replace(o.Description)
		start := []string{
			billTime(r.at), o.AppID, o.MchID, cmp.Or(o.SubMchID, "0"), "", r.trade.TransactionID, o.OutTradeNo,
			o.Payer.any(), cmp.Or(o.Kind, "JSAPI"),
		}
		var rest []string
		if r.refund == nil {
			paid += r.amount
			rest = []string{
				stateSuccess, "OTHERS", "CNY", billYuan(r.amount), "0.00", "0", "0", "0.00", "0.00", "", "", name,
				o.Attach, "0.00000", "0.00%", billYuan(r.amount), "0.00", "",
			}
		} else {
			refunded += r.amount
			rest = []string{
				"REFUND", "OTHERS", "CNY", "0.00", "0.00", r.refund.RefundID, r.refund.Call.OutRefundNo,
				billYuan(r.amount), "0.00",
				"ORIGINAL", billRefundStates[r.refund.State], name, o.Attach, "0.00000", "0.00%", "0.00",
				billYuan(r.amount), "",
			}
		}
		b.WriteString(billLine(append(start, rest...)...))
	}
	b.WriteString(tradeSummary + "\r\n")
	b.WriteString(billLine(fmt.Sprint(len(rows)), billYuan(paid), billYuan(refunded), "0.00", "0.00000", billYuan(paid),
		billYuan(refunded)))
	return b.String()
}

// fundFlowText writes the fund flow bill. balance is the merchant's balance before the first row, in fen.
func fundFlowText(rows []billRow, balance int64) string {
	var b strings.Builder
	var income, expense, incomes, expenses int64
	b.WriteString(byteOrderMark + fundColumns + "\r\n")
	for i, r := range rows {
		balance += r.signed()
		number, name, direction := r.trade.TransactionID, "交易", "收入"
		if r.refund != nil {
			number, name, direction = r.refund.RefundID, "退款", "支出"
			expense += r.amount
			expenses++
		} else {
			income += r.amount
			incomes++
		}
		flow := "1900" + r.at.In(shanghai).Format("060102150405") + fmt.Sprintf("%08d", i)
		b.WriteString(billLine(billTime(r.at), number, flow, name, name, direction, billYuan(r.amount),
			signedYuan(balance), "system", "", r.number()))
	}
	b.WriteString(fundSummary + "\r\n")
	b.WriteString(billLine(
		counted(int64(len(rows))), counted(incomes), billYuan(income), counted(expenses), billYuan(expense),
	))
	return b.String()
}

// counted writes a number of rows as in the fund flow bill: "20.0".
func counted(n int64) string { return fmt.Sprintf("%d.0", n) }

func signedYuan(fen int64) string {
	if fen < 0 {
		return "-" + billYuan(-fen)
	}
	return billYuan(fen)
}

package wechat

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"marquee/server/money"
	"marquee/server/providers/transport"
	"marquee/server/reconcile"
)

// maxBillLine is the maximum length of a line of a bill in bytes.
const maxBillLine = 64 << 10

// billFormat is the format of one of the vendor's bills: a line of column names, one line for each row, a line of
// summary names, one line of sums. Values begin with a back quote and are separated by commas. New columns may be added
// anywhere.
type billFormat struct {
	columns []string // the columns that the function row needs
	summary []string // the summary's column with the number of rows, then those with the sums
	text    string   // the column of free text, in which a comma may be followed by a back quote
	// row converts one line. ours is false for a line that does not concern the shop. adds are the amounts that the
	// line contributes to each sum of the summary, in their order.
	row func(value func(column string) string) (r reconcile.Row, ours bool, adds []money.Fen, err error)
}

// tradeBill is the trade bill of the type ALL.
var tradeBill = billFormat{
	columns: []string{"微信订单号", "商户订单号", "交易状态", "微信退款单号", "商户退款单号", "退款金额", "退款状态", "订单金额", "申请退款金额"},
	summary: []string{"总交易单数", "订单总金额", "申请退款总金额"},
	text:    "商品名称",
	row: func(value func(string) string) (r reconcile.Row, ours bool, adds []money.Fen, err error) {
		paid, paidErr := money.ParseFen(value("订单金额"))
		refunded, refundErr := money.ParseFen(value("申请退款金额"))
		if err := errors.Join(paidErr, refundErr); err != nil {
			return r, false, nil, err
		}
		adds = []money.Fen{paid, refunded}
		switch value("交易状态") {
		case "SUCCESS":
			r = reconcile.Row{Kind: reconcile.PaymentRow, Number: value("商户订单号"), Ref: value("微信订单号"),
				State: reconcile.RowDone, Amount: paid}
		case "REFUND":
			state, known := billRefundStates[value("退款状态")]
			if !known {
				return r, false, nil, fmt.Errorf("refund in state %q", value("退款状态"))
			}
			r = reconcile.Row{Kind: reconcile.RefundRow, Number: value("商户退款单号"), Ref: value("微信退款单号"), State: state,
				Amount: refunded}
		default:
			return r, false, adds, nil // REVOKED: a bar-code payment that was revoked
		}
		if r.Number == "" || r.Ref == "" {
			return r, false, nil, errors.New("row without a number")
		}
		return r, true, adds, nil
	},
}

// billRefundStates are the states of a refund in the trade bill. The money of PROCESSING refunds has not moved yet.
var billRefundStates = map[string]reconcile.RowState{
	"SUCCESS": reconcile.RowDone, "PROCESSING": reconcile.RowPending, "FAIL": reconcile.RowFailed,
	"CHANGE": reconcile.RowFailed,
}

// fundFlowBill is the fund flow bill of the basic account.
var fundFlowBill = billFormat{
	columns: []string{"微信支付业务单号", "业务类型", "收支类型", "收支金额（元）", "业务凭证号"},
	summary: []string{"资金流水总笔数", "收入金额", "支出金额"},
	text:    "备注",
	row: func(value func(string) string) (r reconcile.Row, ours bool, adds []money.Fen, err error) {
		amount, err := money.ParseFen(value("收支金额（元）"))
		if err != nil {
			return r, false, nil, err
		}
		r = reconcile.Row{Number: value("微信支付业务单号"), Ref: value("业务凭证号"), State: reconcile.RowDone, Amount: amount}
		switch direction := value("收支类型"); direction {
		case "收入":
			adds, r.Kind = []money.Fen{amount, 0}, reconcile.PaymentRow
			ours = value("业务类型") == "交易"
		case "支出":
			adds, r.Kind = []money.Fen{0, amount}, reconcile.RefundRow
			ours = value("业务类型") == "退款"
		default:
			return r, false, nil, fmt.Errorf("direction %q", direction)
		}
		if ours && r.Number == "" {
			return r, false, nil, errors.New("row without a number")
		}
		return r, ours, adds, nil
	},
}

// read reads a bill and passes its rows to each. Its memory does not depend on the length of the bill. It returns
// reconcile.ErrMalformed for a line that does not have the format, reconcile.ErrTruncated if the summary or rows that
// it counts are missing, reconcile.ErrTotals if the rows do not add up to the summary, and the first error that the
// function each returns.
func (f billFormat) read(from io.Reader, each func(reconcile.Row) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxBillLine)
	next := func() (string, bool) {
		for lines.Scan() {
			if line := strings.TrimRight(lines.Text(), "\r"); line != "" {
				return line, true
			}
		}
		return "", false
	}
	line, _ := next()
	columns, err := positions(strings.TrimPrefix(line, "\ufeff"), f.columns)
	if err != nil {
		return err
	}
	rows, sums := int64(0), make([]money.Fen, len(f.summary)-1)
	for {
		line, more := next()
		if err := lines.Err(); err != nil {
			return fmt.Errorf("%w: line %d: %w", reconcile.ErrMalformed, rows+2, err)
		}
		if !more {
			return fmt.Errorf("%w: no summary after %d rows", reconcile.ErrTruncated, rows)
		}
		if !strings.HasPrefix(line, "`") {
			return f.checkSummary(line, next, rows, sums)
		}
		rows++
		value, err := columns.values(line, f.text)
		if err != nil {
			return fmt.Errorf("row %d: %w", rows, cutShort(err, next))
		}
		r, ours, adds, err := f.row(value)
		if err != nil {
			return fmt.Errorf("%w: row %d: %w", reconcile.ErrMalformed, rows, err)
		}
		for i, a := range adds {
			sums[i] += a
		}
		if !ours {
			continue
		}
		if err := each(r); err != nil {
			return err
		}
	}
}

// cutShort returns reconcile.ErrTruncated instead of err if the unreadable line is the last one.
func cutShort(err error, next func() (string, bool)) error {
	if _, more := next(); more {
		return err
	}
	return fmt.Errorf("%w: the last line is incomplete", reconcile.ErrTruncated)
}

// checkSummary compares the number and the sums of the rows with the summary. line holds the column names of the
// summary.
func (f billFormat) checkSummary(line string, next func() (string, bool), rows int64, sums []money.Fen) error {
	columns, err := positions(line, f.summary)
	if err != nil {
		return fmt.Errorf("summary: %w", cutShort(err, next))
	}
	line, more := next()
	if !more {
		return fmt.Errorf("%w: no sums", reconcile.ErrTruncated)
	}
	value, err := columns.values(line, "")
	if err != nil {
		return fmt.Errorf("summary: %w", cutShort(err, next))
	}
	// The fund flow bill writes numbers of rows as 20.0.
	count, err := strconv.ParseInt(strings.TrimSuffix(value(f.summary[0]), ".0"), 10, 64)
	if err != nil {
		return fmt.Errorf("%w: summary counts %q rows", reconcile.ErrMalformed, value(f.summary[0]))
	}
	if count > rows {
		return fmt.Errorf("%w: %d rows of %d", reconcile.ErrTruncated, rows, count)
	}
	if count < rows {
		return fmt.Errorf("%w: %d rows, the summary counts %d", reconcile.ErrTotals, rows, count)
	}
	for i, name := range f.summary[1:] {
		sum, err := money.ParseFen(value(name))
		if err != nil {
			return fmt.Errorf("%w: summary %s is not an amount: %q", reconcile.ErrMalformed, name, value(name))
		}
		if sum != sums[i] {
			return fmt.Errorf("%w: %s is %s, the rows add up to %s", reconcile.ErrTotals, name, sum, sums[i])
		}
	}
	if extra, more := next(); more {
		return fmt.Errorf("%w: %.20q follows the summary", reconcile.ErrMalformed, extra)
	}
	return nil
}

// billColumns are the positions of columns in a line of a bill.
type billColumns struct {
	position map[string]int
	count    int
}

// positions reads a line of column names. It fails if a needed one is missing.
func positions(line string, needed []string) (billColumns, error) {
	c := billColumns{position: map[string]int{}}
	for i, name := range strings.Split(line, ",") {
		c.position[strings.Trim(name, "` ")] = i
		c.count++
	}
	for _, name := range needed {
		if _, found := c.position[name]; !found {
			return c, fmt.Errorf("%w: no column %s", reconcile.ErrMalformed, name)
		}
	}
	return c, nil
}

// values splits a line of values and returns a function that returns the value of a column. text is the name of the
// column of free text: if there are more values than columns, that text contained separators, and its parts are joined
// again.
func (c billColumns) values(line, text string) (func(column string) string, error) {
	rest, quoted := strings.CutPrefix(line, "`")
	values := strings.Split(rest, ",`")
	if at, found := c.position[text]; found && len(values) > c.count {
		after := at + len(values) - c.count + 1
		values = slices.Concat(values[:at], []string{strings.Join(values[at:after], ",`")}, values[after:])
	}
	if !quoted || len(values) != c.count {
		return nil, fmt.Errorf("%w: %d values in %d columns", reconcile.ErrMalformed, len(values), c.count)
	}
	return func(column string) string { return transport.Text(values[c.position[column]]) }, nil
}

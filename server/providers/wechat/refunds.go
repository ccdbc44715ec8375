package wechat

import (
	"context"
	"errors"
	"fmt"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"

	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/providers/transport"
)

// Refund returns money to the payer. Repeating it with the same OutRefundNo does not refund twice.
func (p *Pay) Refund(ctx context.Context, req order.RefundRequest) (_ order.RefundResult, err error) {
	ctx, end := p.cfg.Operations.Begin(ctx, "refund")
	defer end(&err)
	if err := p.keys.prepareCommand(ctx); err != nil {
		return order.RefundResult{}, err
	}
	create := refunddomestic.CreateRequest{
		OutTradeNo: core.String(req.OutTradeNo), OutRefundNo: core.String(req.OutRefundNo),
		Amount: &refunddomestic.AmountReq{
			Refund: core.Int64(int64(req.Amount)), Total: core.Int64(int64(req.Total)), Currency: core.String("CNY"),
		},
	}
	if req.Reason != "" {
		create.Reason = core.String(shorten(req.Reason, maxReason))
	}
	if p.cfg.RefundNotifyURL != "" {
		create.NotifyUrl = core.String(p.cfg.RefundNotifyURL)
	}
	var a *refunddomestic.Refund
	err = p.exchange(ctx, transport.Command, "refund", func(ctx context.Context) (err error) {
		a, _, err = p.refunds.Create(ctx, create)
		return err
	})
	if err != nil {
		return order.RefundResult{}, err
	}
	r, err := refund(a, req.OutRefundNo)
	if err != nil {
		return order.RefundResult{}, transport.Command.BadAnswer("refund", err)
	}
	return r, nil
}

// QueryRefund returns a refund by the shop's number. It returns order.ErrRefundNotFound if the vendor does not know
// it.
func (p *Pay) QueryRefund(ctx context.Context, outRefundNo string) (_ order.RefundResult, err error) {
	ctx, end := p.cfg.Operations.Begin(ctx, "query_refund")
	defer end(&err)
	if err := p.keys.prepareQuery(ctx); err != nil {
		return order.RefundResult{}, err
	}
	var a *refunddomestic.Refund
	err = p.exchange(ctx, transport.Query, "query refund", func(ctx context.Context) (err error) {
		a, _, err = p.refunds.QueryByOutRefundNo(ctx, refunddomestic.QueryByOutRefundNoRequest{
			OutRefundNo: core.String(outRefundNo),
		})
		return err
	})
	if err != nil {
		if errors.Is(err, order.ErrTradeNotFound) { // the vendor has one code for every missing object
			return order.RefundResult{}, fmt.Errorf("%w: %v", order.ErrRefundNotFound, err)
		}
		return order.RefundResult{}, err
	}
	r, err := refund(a, outRefundNo)
	if err != nil {
		return order.RefundResult{}, transport.Query.BadAnswer("query refund", err)
	}
	return r, nil
}

// refundStates are the vendor's refund states.
var refundStates = map[string]order.RefundState{
	"PROCESSING": order.RefundProcessing,
	"SUCCESS":    order.RefundDone,
	"CLOSED":     order.RefundClosed,
	"ABNORMAL":   order.RefundAbnormal,
}

// refund converts a refund. It fails unless it is the requested one and has a known state, an id and an amount.
func refund(a *refunddomestic.Refund, outRefundNo string) (order.RefundResult, error) {
	if a.Status == nil || a.Amount == nil || a.Amount.Refund == nil {
		return order.RefundResult{}, errors.New("refund without status or amount")
	}
	state, ok := refundStates[string(*a.Status)]
	if !ok || text(a.OutRefundNo) != outRefundNo || text(a.RefundId) == "" || *a.Amount.Refund <= 0 {
		return order.RefundResult{}, fmt.Errorf("refund %q in status %q, amount %d; asked for %q",
			text(a.OutRefundNo), *a.Status, *a.Amount.Refund, outRefundNo)
	}
	return order.RefundResult{
		OutRefundNo: outRefundNo, RefundID: *a.RefundId, State: state, Amount: money.Fen(*a.Amount.Refund),
		OutTradeNo: text(a.OutTradeNo), TransactionID: text(a.TransactionId),
	}, nil
}

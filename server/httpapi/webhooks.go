package httpapi

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
	"marquee/server/order"
	"marquee/server/requestid"
)

// PaymentWebhooks verifies and decrypts the payment provider's notifications (WeChat Pay APIv3).
type PaymentWebhooks interface {
	// ParseNotify returns order.ErrNotifyRejected if the signature, its age or the encryption is wrong.
	ParseNotify(ctx context.Context, r *http.Request) (order.Trade, error)
	// ParseRefundNotify returns order.ErrNotifyRejected as ParseNotify does.
	ParseRefundNotify(ctx context.Context, r *http.Request) (order.RefundNotice, error)
}

// TicketWebhooks verifies the legacy gateway's push.
type TicketWebhooks interface {
	// VerifyPush returns push_refused for a wrong sender, time or signature, and push_invalid for wrong content. A
	// replay within the permitted age is accepted. Amount is 0, because a push contains none.
	VerifyPush(form url.Values) (order.ProviderOrder, error)
}

// PaymentEvents records what the payment provider reports.
type PaymentEvents interface {
	// Capture returns after the payment has been saved.
	Capture(ctx context.Context, t order.Trade) error
}

// RefundEvents records what the payment provider reports about refunds.
type RefundEvents interface {
	// RefundNotified returns after the result has been saved. It returns order.ErrNotifyRejected if the merchant or
	// the trade of the notice differs from that of the refund.
	RefundNotified(ctx context.Context, notice order.RefundNotice) error
}

// TicketEvents records what a ticket provider reports.
type TicketEvents interface {
	// ReceivePush returns after the outcome has been saved. A repeated push changes nothing. It returns
	// order.ErrOrderState for a push that contradicts the shop's record.
	ReceivePush(ctx context.Context, source catalog.Source, p order.ProviderOrder) error
}

// webhooks serves the notifications of providers. A provider sends a notification again until the answer has status
// 200.
type webhooks struct {
	payments      PaymentWebhooks
	tickets       TicketWebhooks
	paymentEvents PaymentEvents
	refundEvents  RefundEvents
	ticketEvents  TicketEvents
	rejected      rateLimiter // limits the forged and malformed calls of a network
}

// paid answers POST /notify/wechat/pay after the reported payment has been saved.
func (h webhooks) paid(w http.ResponseWriter, r *http.Request) {
	h.notify(w, r, func(ctx context.Context) error {
		trade, err := h.payments.ParseNotify(ctx, r)
		if err != nil {
			return err
		}
		requestid.NoteOrder(ctx, trade.OutTradeNo)
		return h.paymentEvents.Capture(ctx, trade)
	})
}

// refunded answers POST /notify/wechat/refund after the reported result has been saved.
func (h webhooks) refunded(w http.ResponseWriter, r *http.Request) {
	h.notify(w, r, func(ctx context.Context) error {
		notice, err := h.payments.ParseRefundNotify(ctx, r)
		if err != nil {
			return err
		}
		requestid.NoteOrder(ctx, notice.OutRefundNo)
		return h.refundEvents.RefundNotified(ctx, notice)
	})
}

// notify calls take, which verifies and saves a notification, and answers in the payment provider's format.
func (h webhooks) notify(w http.ResponseWriter, r *http.Request, take func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(r.Context(), durations.Call)
	defer cancel()
	r.Body = http.MaxBytesReader(w, r.Body, wire.MaxForm)
	type answer struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	err := h.limit(w, r, func() error { return take(ctx) })
	if err != nil {
		wire.Note(r.Context(), fault.Of(err).Code, err)
		wire.WriteJSON(w, webhookStatus(err), answer{"FAIL", fault.Of(err).Message})
		return
	}
	wire.WriteJSON(w, http.StatusOK, answer{"SUCCESS", "成功"})
}

// limit calls take, which reads a notification. If too many notifications of the same network were forged or malformed
// within a minute, it returns wire.ErrRateLimited without reading. The provider repeats a genuine one.
func (h webhooks) limit(w http.ResponseWriter, r *http.Request, take func() error) error {
	if h.rejected.reached(r) {
		return wire.ErrRateLimited
	}
	err := take()
	if kind := fault.KindOf(err); kind == fault.Forbidden || kind == fault.Invalid {
		h.rejected.count(w, r)
	}
	return err
}

// webhookStatus returns the status of the answer to a rejected notification: 401 if its origin is not proven, 400 if it
// can never be accepted, 429 if it was not read, and 500 if it can be accepted later.
func webhookStatus(err error) int {
	switch fault.KindOf(err) {
	case fault.Forbidden:
		return http.StatusUnauthorized
	case fault.Limited:
		return http.StatusTooManyRequests
	case fault.Invalid, fault.NotFound, fault.Conflict:
		return http.StatusBadRequest
	default:
		return http.StatusInternalServerError
	}
}

// ticketPushed answers POST /notify/gateway in plain text, as the gateway's protocol requires: "success" or "fail".
func (h webhooks) ticketPushed(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), durations.Call)
	defer cancel()
	err := h.limit(w, r, func() error { return h.takeTicketPush(ctx, w, r) })
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err != nil {
		wire.Note(r.Context(), fault.Of(err).Code, err)
		w.WriteHeader(webhookStatus(err))
		_, _ = io.WriteString(w, "fail") // an error means that the client has disconnected
		return
	}
	_, _ = io.WriteString(w, "success") // an error means that the client has disconnected
}

func (h webhooks) takeTicketPush(ctx context.Context, w http.ResponseWriter, r *http.Request) error {
	body, err := wire.ReadBody(w, r)
	if err != nil {
		return err
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return wire.ErrFormInvalid
	}
	pushed, err := h.tickets.VerifyPush(values)
	if err != nil {
		return err
	}
	requestid.NoteOrder(ctx, pushed.OrderNo)
	return h.ticketEvents.ReceivePush(ctx, catalog.Legacy, pushed)
}

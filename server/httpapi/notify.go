package httpapi

import (
	"context"
	"io"
	"marquee/server/httpapi/wire"
	"net/http"
	"net/url"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/orders"
	"marquee/server/payment"
)

// PayNotifies verifies and opens the payment provider's notifies.
type PayNotifies interface {
	// ParseNotify fails with payment.ErrNotifyRefused when the signature, its age or the seal is wrong.
	ParseNotify(ctx context.Context, r *http.Request) (payment.Trade, error)
	ParseRefundNotify(ctx context.Context, r *http.Request) (payment.RefundResult, error)
}

// TicketPushes verifies the legacy gateway's push.
type TicketPushes interface {
	VerifyPush(form url.Values) (orders.ProviderOrder, error)
}

// PurchaseEvents is told what providers report by themselves.
type PurchaseEvents interface {
	Capture(ctx context.Context, t payment.Trade) error
	TicketPushed(ctx context.Context, source catalog.Source, p orders.ProviderOrder) error
	// RefundPushed makes the refund job ask now.
	RefundPushed(ctx context.Context, outRefundNo string) error
}

// payNotified answers only after what it reports is on the disk; anything but a 200 makes the provider try again.
func (h *handler) payNotified(w http.ResponseWriter, r *http.Request) {
	h.notified(w, r, func(ctx context.Context) error {
		trade, err := h.Notifies.ParseNotify(ctx, r)
		if err != nil {
			return err
		}
		return h.Orders.Capture(ctx, trade)
	})
}

// refundNotified only makes the refund job ask: what it is told there is what counts.
func (h *handler) refundNotified(w http.ResponseWriter, r *http.Request) {
	h.notified(w, r, func(ctx context.Context) error {
		result, err := h.Notifies.ParseRefundNotify(ctx, r)
		if err != nil {
			return err
		}
		return h.Orders.RefundPushed(ctx, result.OutRefundNo)
	})
}

func (h *handler) notified(w http.ResponseWriter, r *http.Request, take func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(r.Context(), wire.CallTimeout)
	defer cancel()
	r.Body = http.MaxBytesReader(w, r.Body, wire.MaxForm)
	type answer struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	if err := take(ctx); err != nil {
		wire.Note(r.Context(), fault.Of(err).Code, err)
		wire.WriteJSON(w, notifyStatus(err), answer{"FAIL", fault.Of(err).Message})
		return
	}
	wire.WriteJSON(w, http.StatusOK, answer{"SUCCESS", "成功"})
}

func notifyStatus(err error) int {
	switch fault.KindOf(err) {
	case fault.Forbidden:
		return http.StatusUnauthorized
	case fault.Invalid, fault.NotFound, fault.Conflict:
		return http.StatusBadRequest
	default:
		return http.StatusInternalServerError
	}
}

// ticketPushed answers the plain text that the gateway's protocol asks for.
func (h *handler) ticketPushed(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), wire.CallTimeout)
	defer cancel()
	err := func() error {
		body, err := wire.ReadBody(w, r)
		if err != nil {
			return err
		}
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return wire.ErrFormInvalid
		}
		pushed, err := h.Pushes.VerifyPush(values)
		if err != nil {
			return err
		}
		return h.Orders.TicketPushed(ctx, catalog.Legacy, pushed)
	}()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err != nil {
		wire.Note(r.Context(), fault.Of(err).Code, err)
		w.WriteHeader(notifyStatus(err))
		_, _ = io.WriteString(w, "fail") // the reader may be gone
		return
	}
	_, _ = io.WriteString(w, "success") // the reader may be gone
}

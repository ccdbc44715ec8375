package wechat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/wechatpay-apiv3/wechatpay-go/core/consts"
	"github.com/wechatpay-apiv3/wechatpay-go/core/notify"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/providers/transport"
)

const (
	maxNotify = 64 << 10 // bytes
	gcmNonce  = 12       // bytes; the cipher panics for another length
	// probe is the prefix of deliberately wrong signatures, with which the vendor tests whether the merchant verifies
	// them.
	probe = "WECHATPAY/SIGNTEST/"
)

// ParseNotify verifies and decrypts a payment notify. Its signature must be at most five minutes old, and its resource
// encrypted with AES-GCM. It returns order.ErrNotifyRejected, or fault.ErrUnavailable if the certificates cannot be
// fetched; for both the caller must not answer with success, so that the vendor sends the notify again. A replay within
// the five minutes is accepted: its content is still true, and recording it twice changes nothing.
func (p *Pay) ParseNotify(ctx context.Context, r *http.Request) (order.Trade, error) {
	var a payments.Transaction
	if err := p.open(ctx, r, "TRANSACTION.", &a); err != nil {
		return order.Trade{}, err
	}
	t, err := trade(&a)
	if err != nil {
		return order.Trade{}, fmt.Errorf("%w: %w", order.ErrNotifyRejected, err)
	}
	return t, nil
}

// ParseRefundNotify verifies and decrypts a refund notify in the same way.
func (p *Pay) ParseRefundNotify(ctx context.Context, r *http.Request) (order.RefundNotice, error) {
	var a struct {
		MchID         string `json:"mchid"`
		OutTradeNo    string `json:"out_trade_no"`
		TransactionID string `json:"transaction_id"`
		OutRefundNo   string `json:"out_refund_no"`
		RefundID      string `json:"refund_id"`
		Status        string `json:"refund_status"`
		Amount        struct {
			Refund int64 `json:"refund"`
		} `json:"amount"`
	}
	if err := p.open(ctx, r, "REFUND.", &a); err != nil {
		return order.RefundNotice{}, err
	}
	state, ok := refundStates[a.Status]
	if !ok || a.OutRefundNo == "" || a.RefundID == "" || a.Amount.Refund <= 0 {
		return order.RefundNotice{}, fmt.Errorf("%w: refund %q in status %q without number, id or amount",
			order.ErrNotifyRejected, a.OutRefundNo, a.Status)
	}
	return order.RefundNotice{
		RefundResult: order.RefundResult{
			OutRefundNo: a.OutRefundNo, RefundID: a.RefundID, State: state, Amount: money.Fen(a.Amount.Refund),
			OutTradeNo: a.OutTradeNo, TransactionID: a.TransactionID,
		},
		MchID: a.MchID,
	}, nil
}

// boundHeaders rejects headers that are longer than the vendor's, because the SDK quotes them in its errors. It
// truncates the request id, which the SDK does not use otherwise.
func boundHeaders(h http.Header) error {
	const longest = 64 // bytes; a serial has 40, a nonce 32
	for _, name := range []string{consts.WechatPaySerial, consts.WechatPayNonce, consts.WechatPayTimestamp} {
		if n := len(h.Get(name)); n > longest {
			return fmt.Errorf("header %s has %d bytes", name, n)
		}
	}
	if id := h.Get(consts.RequestID); len(id) > longest {
		h.Set(consts.RequestID, id[:longest])
	}
	return nil
}

// open verifies r and decodes its decrypted resource into content. event is the required prefix of the event type.
func (p *Pay) open(ctx context.Context, r *http.Request, event string, content any) error {
	reject := func(cause error) error { return fmt.Errorf("%w: %w", order.ErrNotifyRejected, cause) }
	if strings.HasPrefix(r.Header.Get(consts.WechatPaySignature), probe) {
		return reject(errors.New("the signature is a probe of the vendor"))
	}
	if err := boundHeaders(r.Header); err != nil {
		return reject(err)
	}
	if err := p.keys.prepareNotify(ctx, strings.TrimSpace(r.Header.Get(consts.WechatPaySerial))); err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(nil, r.Body, maxNotify)
	if err := p.validator.Validate(ctx, r); err != nil {
		return reject(err)
	}
	body, err := io.ReadAll(r.Body) // the validator has put back what it read
	if err != nil {
		return reject(err)
	}
	var n notify.Request
	if err := json.Unmarshal(body, &n); err != nil {
		return reject(err)
	}
	if n.Resource == nil || n.Resource.Algorithm != "AEAD_AES_256_GCM" || len(n.Resource.Nonce) != gcmNonce ||
		!strings.HasPrefix(n.EventType, event) {
		return reject(fmt.Errorf("event %q", n.EventType))
	}
	plain, err := utils.DecryptAES256GCM(
		p.cfg.APIv3Key, n.Resource.AssociatedData, n.Resource.Nonce, n.Resource.Ciphertext)
	if err != nil {
		return reject(err)
	}
	if err := json.Unmarshal(transport.JSON([]byte(plain)), content); err != nil {
		return reject(err)
	}
	return nil
}

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
	"marquee/server/payment"
)

const (
	maxNotify = 64 << 10
	gcmNonce  = 12 // bytes; another length makes the cipher panic
	// probe starts signatures that are wrong on purpose: the vendor tests whether we look.
	probe = "WECHATPAY/SIGNTEST/"
)

// ParseNotify verifies and opens a payment notify: signature, at most five minutes old, and the AES-GCM seal. It fails
// with payment.ErrNotifyRefused, or fault.ErrUnavailable when the certificates to judge by cannot be had: answer
// neither with success, so that the vendor sends it again. A replay inside the five minutes passes: what it
// says is still true, and taking it twice changes nothing.
func (p *Pay) ParseNotify(ctx context.Context, r *http.Request) (payment.Trade, error) {
	var a payments.Transaction
	if err := p.open(ctx, r, "TRANSACTION.", &a); err != nil {
		return payment.Trade{}, err
	}
	t, err := trade(&a)
	if err != nil {
		return payment.Trade{}, fmt.Errorf("%w: %w", payment.ErrNotifyRefused, err)
	}
	return t, nil
}

// ParseRefundNotify verifies and opens a refund notify in the same way.
func (p *Pay) ParseRefundNotify(ctx context.Context, r *http.Request) (payment.RefundResult, error) {
	var a struct {
		OutRefundNo string `json:"out_refund_no"`
		RefundID    string `json:"refund_id"`
		Status      string `json:"refund_status"`
		Amount      struct {
			Refund int64 `json:"refund"`
		} `json:"amount"`
	}
	if err := p.open(ctx, r, "REFUND.", &a); err != nil {
		return payment.RefundResult{}, err
	}
	state, ok := refundStates[a.Status]
	if !ok || a.OutRefundNo == "" || a.RefundID == "" || a.Amount.Refund <= 0 {
		return payment.RefundResult{}, fmt.Errorf("%w: refund %q in status %q", payment.ErrNotifyRefused, a.OutRefundNo, a.Status)
	}
	return payment.RefundResult{OutRefundNo: a.OutRefundNo, RefundID: a.RefundID, State: state, Amount: money.Fen(a.Amount.Refund)}, nil
}

// open verifies r and decrypts its resource into content. event is the prefix that the event type must have.
func (p *Pay) open(ctx context.Context, r *http.Request, event string, content any) error {
	refused := func(cause error) error { return fmt.Errorf("%w: %w", payment.ErrNotifyRefused, cause) }
	if strings.HasPrefix(r.Header.Get(consts.WechatPaySignature), probe) {
		return refused(errors.New("signature is the vendor's probe"))
	}
	if err := p.certs.load(ctx); err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(nil, r.Body, maxNotify)
	if err := p.validator.Validate(ctx, r); err != nil {
		return refused(err)
	}
	body, err := io.ReadAll(r.Body) // the validator has put back what it read
	if err != nil {
		return refused(err)
	}
	var n notify.Request
	if err := json.Unmarshal(body, &n); err != nil {
		return refused(err)
	}
	if n.Resource == nil || n.Resource.Algorithm != "AEAD_AES_256_GCM" || len(n.Resource.Nonce) != gcmNonce || !strings.HasPrefix(n.EventType, event) {
		return refused(fmt.Errorf("event %q", n.EventType))
	}
	plain, err := utils.DecryptAES256GCM(p.cfg.APIv3Key, n.Resource.AssociatedData, n.Resource.Nonce, n.Resource.Ciphertext)
	if err != nil {
		return refused(err)
	}
	if err := json.Unmarshal([]byte(plain), content); err != nil {
		return refused(err)
	}
	return nil
}

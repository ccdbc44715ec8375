package wechat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/validators"

	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/providers/transport"
)

// The hosts of Pay APIv3. The backup is in another city and answers the same calls for the same merchants ("跨城冗灾" of
// the vendor's documentation).
const (
	PayHost       = "api.mch.weixin.qq.com"
	payHostBackup = "api2.wechatpay.cn"
)

// payHosts returns the hosts of Pay APIv3.
func payHosts() *hosts { return &hosts{main: PayHost, backup: payHostBackup, unanswered: unanswered} }

// hosts chooses between the two hosts of an API. Each process chooses for itself, because one replica may reach a host
// that another does not reach.
type hosts struct {
	main, backup string
	unanswered   func(error) bool // whether an error means that a host is down
	backupUntil  atomic.Int64     // Unix time in nanoseconds until which the backup is tried first
}

// order returns the hosts in the order in which a call tries them.
func (h *hosts) order() [2]string {
	if time.Now().UnixNano() < h.backupUntil.Load() {
		return [2]string{h.backup, h.main}
	}
	return [2]string{h.main, h.backup}
}

// failed records that a host did not answer. For durations.BackupHostFirst after a failure of the main host, the backup
// is tried first. After a failure of the backup, the main host is tried first again.
func (h *hosts) failed(host string) {
	until := int64(0)
	if host == h.main {
		until = time.Now().Add(durations.BackupHostFirst).UnixNano()
	}
	h.backupUntil.Store(until)
}

// hostKey is the key of the host in the context of a request. The URL of a request always has the main host;
// roundTripper replaces it by the host in the context.
type hostKey struct{}

// hostOf returns the host that a request is sent to, or "" for the host of its URL.
func hostOf(ctx context.Context) string {
	host, _ := ctx.Value(hostKey{}).(string)
	return host
}

// attempts makes a call at the first host, and at the second if the first does not answer. Each attempt is signed
// separately. The first attempt may take half of the time until the deadline of ctx. It returns the error of the last
// attempt, and whether an attempt before it may have reached the vendor.
func (h *hosts) attempts(
	ctx context.Context, send func(ctx context.Context) error,
) (mayHaveArrived bool, err error) {
	order := h.order()
	first := context.WithValue(ctx, hostKey{}, order[0])
	if end, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		first, cancel = context.WithTimeout(first, time.Until(end)/2)
		defer cancel()
	}
	if err = send(first); !h.unanswered(err) || ctx.Err() != nil {
		return false, err
	}
	h.failed(order[0])
	mayHaveArrived = !errors.Is(err, errNotSent)
	if err = send(context.WithValue(ctx, hostKey{}, order[1])); h.unanswered(err) {
		h.failed(order[1])
	}
	return mayHaveArrived, err
}

// unanswered reports whether an error of the SDK means that a host is down: it cannot be reached, does not answer in
// time, or answers with status 5xx.
func unanswered(err error) bool {
	var api *core.APIError
	if errors.As(err, &api) {
		return api.StatusCode >= http.StatusInternalServerError
	}
	return errors.Is(err, errNotSent) || errors.As(err, new(*url.Error))
}

// exchange makes a call of Pay APIv3 at one host or both, and returns the fault of its error. Every call may be made at
// both: the shop's numbers identify a trade, its close and a refund, so that a second call has no further effect.
//
// If the first attempt of a command may have reached the vendor, an error of the second is returned only if the vendor
// has signed it and it proves the state of the trade. Any other becomes fault.ErrUnknown.
func (p *Pay) exchange(
	ctx context.Context, kind transport.CallKind, call string, send func(ctx context.Context) error,
) error {
	mayHaveArrived, err := p.hosts.attempts(ctx, send)
	if err == nil {
		return nil
	}
	result := callError(kind, call, err)
	if kind == transport.Query || !mayHaveArrived || fault.KindOf(result) == fault.Unknown || p.provesState(ctx, err) {
		return result
	}
	return fmt.Errorf("%s: %w: no answer at first, then: %v", call, fault.ErrUnknown, result)
}

// provesState reports whether an error is an answer of the vendor that is signed and has one of the stateCodes.
func (p *Pay) provesState(ctx context.Context, err error) bool {
	var api *core.APIError
	if !errors.As(err, &api) || !stateCodes[api.Code] {
		return false
	}
	answer := &http.Response{Header: api.Header, Body: io.NopCloser(strings.NewReader(api.Body))}
	return validators.NewWechatPayResponseValidator(answerKeys{p.keys}).Validate(ctx, answer) == nil
}

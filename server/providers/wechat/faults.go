package wechat

import (
	"errors"
	"fmt"
	"net/url"

	"github.com/wechatpay-apiv3/wechatpay-go/core"

	"marquee/server/fault"
	"marquee/server/payment"
	shared "marquee/server/providers/transport"
)

type call = shared.Kind

const (
	reads = shared.Reads
	acts  = shared.Acts
)

// definite are the codes with which the vendor says that it did nothing. ORDERNOTEXIST is the older spelling.
var definite = map[string]*fault.Fault{
	"PARAM_ERROR":            fault.ErrInvalidInput,
	"INVALID_REQUEST":        fault.ErrInvalidInput,
	"APPID_MCHID_NOT_MATCH":  fault.ErrUnavailable, // our configuration, as are the next three
	"MCH_NOT_EXISTS":         fault.ErrUnavailable,
	"SIGN_ERROR":             fault.ErrUnavailable,
	"NO_AUTH":                fault.ErrUnavailable,
	"NOT_ENOUGH":             fault.ErrUnavailable, // the merchant's balance does not cover the refund yet
	"USER_ACCOUNT_ABNORMAL":  fault.ErrInvalidInput,
	"ORDERPAID":              payment.ErrAlreadyPaid,
	"ORDER_CLOSED":           payment.ErrTradeClosed,
	"ORDER_NOT_EXIST":        payment.ErrTradeNotFound,
	"ORDERNOTEXIST":          payment.ErrTradeNotFound,
	"RESOURCE_NOT_EXISTS":    payment.ErrTradeNotFound,
	"OUT_TRADE_NO_USED":      payment.ErrTradeClosed, // Prepay looks closer
	"FREQUENCY_LIMITED":      fault.ErrUnavailable,
	"FREQUENCY_LIMIT_EXCEED": fault.ErrUnavailable,
}

// failure turns an error of the SDK into a fault.
func failure(kind call, what string, err error) error {
	var api *core.APIError
	switch {
	case errors.As(err, &api):
		f, ok := definite[api.Code]
		if !ok { // SYSTEM_ERROR, a code we do not know, or a page that is not the vendor's
			f = kind.Silence(fault.ErrUnavailable)
		}
		return fmt.Errorf("%s: %w: %w", what, f, &refusal{api.StatusCode, api.Code, api.Message})
	case errors.Is(err, errNotSent):
		return fmt.Errorf("%s: %w: %s", what, fault.ErrUnavailable, describe(err))
	case errors.As(err, new(*url.Error)):
		return fmt.Errorf("%s: no answer: %w: %s", what, kind.Silence(fault.ErrUnavailable), describe(err))
	}
	// Unreadable, unsigned, or signed by somebody else.
	return fmt.Errorf("%s: answer refused: %w: %s", what, kind.Silence(fault.ErrBadAnswer), describe(err))
}

// refusal is an error answer of the vendor.
type refusal struct {
	status        int
	code, message string
}

func (r *refusal) Error() string {
	return fmt.Sprintf("vendor refuses with %d %s %q", r.status, r.code, r.message)
}

func refusedWith(err error, code string) bool {
	var r *refusal
	return errors.As(err, &r) && r.code == code
}

// describe is an error's text without the address that was asked: queries carry secrets.
func describe(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Op + ": " + u.Err.Error()
	}
	return err.Error()
}

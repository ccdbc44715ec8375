package wechat

import (
	"errors"
	"fmt"
	"net/url"

	"github.com/wechatpay-apiv3/wechatpay-go/core"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/transport"
)

// codeNumberUsed means that a trade with the same number but other content was registered before.
const codeNumberUsed = "OUT_TRADE_NO_USED"

// codeResourceMissing is the vendor's code for every missing object: a refund, a trade, or the certificates of a
// merchant that has only the public key.
const codeResourceMissing = "RESOURCE_NOT_EXISTS"

// stateCodes are the error codes that prove the state of the trade, whichever attempt caused it.
var stateCodes = map[string]bool{"ORDERPAID": true, "ORDER_CLOSED": true, codeNumberUsed: true}

// payCodes are the error codes of Pay APIv3. SYSTEM_ERROR is among the unlisted ones.
var payCodes = transport.Codes[string]{
	NotDone: map[string]*fault.Fault{
		"PARAM_ERROR":     fault.ErrInvalidInput,
		"INVALID_REQUEST": fault.ErrInvalidInput,

		// Mistakes in the shop's configuration, which a buyer cannot correct.
		"APPID_MCHID_NOT_MATCH": fault.ErrUnavailable,
		"MCH_NOT_EXISTS":        fault.ErrUnavailable,
		"SIGN_ERROR":            fault.ErrUnavailable,
		"NO_AUTH":               fault.ErrUnavailable,

		"NOT_ENOUGH":             fault.ErrUnavailable, // the merchant's balance does not cover the refund yet
		"USER_ACCOUNT_ABNORMAL":  fault.ErrInvalidInput,
		"ORDERPAID":              order.ErrAlreadyPaid,
		"ORDER_CLOSED":           order.ErrTradeClosed,
		"ORDER_NOT_EXIST":        order.ErrTradeNotFound,
		"ORDERNOTEXIST":          order.ErrTradeNotFound, // the older spelling
		codeResourceMissing:      order.ErrTradeNotFound, // QueryRefund maps it to the refund
		codeNumberUsed:           order.ErrTradeClosed,   // Prepay queries the trade
		"FREQUENCY_LIMITED":      fault.ErrUnavailable,
		"FREQUENCY_LIMIT_EXCEED": fault.ErrUnavailable,
	},
	Unlisted: fault.ErrUnavailable,
}

// callError adds the fault to an error of the SDK. An answer that is unreadable, not signed, or signed with another
// key is fault.ErrUnknown for a command and fault.ErrBadAnswer for a query.
func callError(kind transport.CallKind, call string, err error) error {
	var api *core.APIError
	switch {
	case errors.As(err, &api):
		rejection := payCodes.Rejection(kind, api.Code, api.Message)
		return fmt.Errorf("%s: status %d: %w", call, api.StatusCode, rejection)
	case errors.Is(err, errNotSent):
		return fmt.Errorf("%s: %w: %v", call, fault.ErrUnavailable, transport.WithoutURL(err))
	case errors.As(err, new(*url.Error)):
		f := kind.OutcomeUnknown(fault.ErrUnavailable)
		return fmt.Errorf("%s: no answer: %w: %v", call, f, transport.WithoutURL(err))
	}
	return kind.BadAnswer(call, err)
}

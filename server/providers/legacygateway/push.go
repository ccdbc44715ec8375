package legacygateway

import (
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"marquee/server/beijing"
	"marquee/server/fault"
	"marquee/server/orders"
)

// What a push can be refused with. Neither is answered with "success", so that a true gateway tries again.
var (
	ErrPushRefused = fault.New(fault.Forbidden, "push_refused", "通知验证失败")
	ErrPushInvalid = fault.New(fault.Invalid, "push_invalid", "通知内容有误")
)

// VerifyPush checks the form that the gateway posts when tickets are issued or refused: who, when, the
// signature, then the content. A form replayed inside the window passes: what it says is still true, and
// taking it twice changes nothing. The push names no amount: Amount is 0.
func (c *Client) VerifyPush(form url.Values) (orders.ProviderOrder, error) {
	for k, vs := range form {
		// The signature covers one value for each key; a second one would travel unsigned.
		if len(vs) != 1 {
			return orders.ProviderOrder{}, fmt.Errorf("%w: field %q stands %d times", ErrPushRefused, k, len(vs))
		}
	}
	at, err := time.ParseInLocation(timeLayout, form.Get("timestamp"), beijing.Time)
	off := c.cfg.Now().Sub(at)
	switch {
	case err != nil || off > c.cfg.Dialect.window() || off < -c.cfg.Dialect.window():
		return orders.ProviderOrder{}, fmt.Errorf("%w: timestamp %q", ErrPushRefused, form.Get("timestamp"))
	case form.Get("appkey") != c.cfg.AppKey || form.Get("v") != version:
		return orders.ProviderOrder{}, fmt.Errorf("%w: for appkey %q, version %q", ErrPushRefused, form.Get("appkey"), form.Get("v"))
	case subtle.ConstantTimeCompare([]byte(form.Get("sign")), []byte(c.cfg.Dialect.Sign(form, c.cfg.Secret))) != 1:
		return orders.ProviderOrder{}, fmt.Errorf("%w: signature", ErrPushRefused)
	case form.Get("method") != "ticket.push":
		return orders.ProviderOrder{}, fmt.Errorf("%w: method %q", ErrPushInvalid, form.Get("method"))
	}
	state, ok := states[form.Get("state")]
	if !ok || (state != orders.ProviderIssued && state != orders.ProviderIssueRefused) {
		return orders.ProviderOrder{}, fmt.Errorf("%w: state %q", ErrPushInvalid, form.Get("state"))
	}
	if form.Get("orderno") == "" || form.Get("orderid") == "" {
		return orders.ProviderOrder{}, fmt.Errorf("%w: without order numbers", ErrPushInvalid)
	}
	var list []ticketCode
	if text := form.Get("ticketcodes"); text != "" {
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return orders.ProviderOrder{}, fmt.Errorf("%w: ticketcodes: %v", ErrPushInvalid, err)
		}
	}
	codes, err := tickets(state, list)
	if err != nil {
		return orders.ProviderOrder{}, fmt.Errorf("%w: %v", ErrPushInvalid, err)
	}
	return orders.ProviderOrder{
		OrderNo: form.Get("orderno"), ProviderNo: form.Get("orderid"), State: state, Tickets: codes,
		SMS: form.Get("smscontent"), Reason: form.Get("failreason"),
	}, nil
}

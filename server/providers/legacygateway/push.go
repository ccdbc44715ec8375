package legacygateway

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"marquee/server/beijing"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/ticketing"
	"marquee/server/providers/transport"
)

// Faults of a push. After either, the shop does not answer "success", so that the gateway sends the push again.
var (
	ErrPushRejected = fault.New(fault.Forbidden, "push_refused", "通知验证失败")
	ErrPushInvalid  = fault.New(fault.Invalid, "push_invalid", "通知内容有误")
)

// VerifyPush checks the form that the gateway posts when tickets are issued or cannot be issued. It returns
// ErrPushRejected if the sender, the time or the signature is wrong, and ErrPushInvalid if the content is. A replay
// within the window is accepted: its content is still true, and recording it twice changes nothing. A push has no
// amount: Amount is 0.
func (c *Client) VerifyPush(form url.Values) (order.ProviderOrder, error) {
	if err := c.authenticate(form); err != nil {
		return order.ProviderOrder{}, fmt.Errorf("%w: %w", ErrPushRejected, err)
	}
	o, err := pushedOrder(form)
	if err != nil {
		return order.ProviderOrder{}, fmt.Errorf("%w: %w", ErrPushInvalid, err)
	}
	return o, nil
}

// authenticate checks that each field has one value, and checks the timestamp, the appkey, the version and the
// signature of a push.
func (c *Client) authenticate(form url.Values) error {
	for k, values := range form {
		// The signature covers the first value of each key only.
		if len(values) != 1 {
			return fmt.Errorf("field %s has %d values", fault.Quote(k), len(values))
		}
	}
	at, err := time.ParseInLocation(ticketing.TimeLayout, form.Get("timestamp"), beijing.Time)
	age, window := c.cfg.Now().Sub(at), c.cfg.Dialect.window()
	sign := c.cfg.Dialect.Sign(form, c.cfg.Secret)
	switch {
	case err != nil || age > window || age < -window:
		return fmt.Errorf("timestamp %s", fault.Quote(form.Get("timestamp")))
	case form.Get("appkey") != c.cfg.AppKey || form.Get("v") != version:
		return fmt.Errorf("appkey %s, version %s", fault.Quote(form.Get("appkey")), fault.Quote(form.Get("v")))
	case subtle.ConstantTimeCompare([]byte(form.Get("sign")), []byte(sign)) != 1:
		return errors.New("wrong signature")
	}
	return nil
}

// pushedOrder reads the content of a push: the state ISSUED with ticket codes, or FAILED with a reason. ticketcodes is
// a JSON array inside the form. Texts are cleaned here and not before, because the signature covers the original form.
func pushedOrder(form url.Values) (order.ProviderOrder, error) {
	if form.Get("method") != "ticket.push" {
		return order.ProviderOrder{}, fmt.Errorf("method %s", fault.Quote(form.Get("method")))
	}
	state, ok := states[form.Get("state")]
	if !ok || (state != order.ProviderIssued && state != order.ProviderIssueRejected) {
		return order.ProviderOrder{}, fmt.Errorf("state %s", fault.Quote(form.Get("state")))
	}
	var list ticketing.TicketCodes
	if text := form.Get("ticketcodes"); text != "" {
		if err := json.Unmarshal(transport.JSON([]byte(text)), &list); err != nil {
			return order.ProviderOrder{}, fmt.Errorf("ticketcodes: %w", err)
		}
	}
	return ticketing.CheckOrder(form.Get("orderno"), order.ProviderOrder{
		OrderNo: form.Get("orderno"), ProviderNo: form.Get("orderid"), State: state, Tickets: list.Orders(),
		SMS: transport.Text(form.Get("smscontent")), Reason: transport.Text(form.Get("failreason")),
	})
}

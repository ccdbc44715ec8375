package httpapi

import (
	"context"

	"marquee/server/order"
)

// What follows goes when the calls of cards, members and texts are operations too.

type (
	gatewayFilm = GatewayFilm
	paidGoods   = PaidGoods
)

// pending leaves an operation out of the document.
func pending(o operation) operation {
	o.untyped = true
	return o
}

func appPayer(r *request) (openID, h5ClientIP string) {
	fields := r.form.Fields()
	openID, h5ClientIP, err := AppPayer{fields["trade_type"], fields["openid"]}.payer(r)
	if err != nil {
		r.form.Reject(err)
	}
	return openID, h5ClientIP
}

func confirmOrder(ctx context.Context, by PaymentConfirmer, r *request) (order.Order, error) {
	var no OrderNumber
	if no.ReadField(r.form, "order_no"); r.form.Err() != nil {
		return order.Order{}, r.form.Err()
	}
	return by.Confirm(ctx, r.user.ID, string(no))
}

package httpapi

import (
	"context"

	"marquee/server/fault"
)

// ErrGatewayMethod refuses a gateway method that is not on the list: the shop never passes a call through.
var ErrGatewayMethod = fault.New(fault.Invalid, "method_not_allowed", "接口方法不支持")

// gateway answers POST /movie/route, the legacy gateway's own protocol, for the methods on the list. Each answers from
// checked values, in the gateway's envelope. Errors: method_not_allowed and those of the methods.
func gateway(methods map[string]call) call {
	return func(ctx context.Context, r *request) (any, error) {
		do, listed := methods[r.form.Text("method")]
		if !listed {
			return nil, ErrGatewayMethod
		}
		return do(ctx, r)
	}
}

package wire_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

// The data of a failure has the fields of the fault in addition to its code, and nothing else.
func TestFailure_Details(t *testing.T) {
	t.Parallel()
	base := fault.New(fault.Forbidden, "wrong", "错误")
	now := time.Unix(1_777_600_000, 0)
	for want, f := range map[string]*fault.Fault{
		`null`:                           base,
		`{"wait":3}`:                     base.WithRetryAfter(2100 * time.Millisecond),
		`{"tries_left":4}`:               base.WithTriesLeft(4),
		`{"wait":60,"until":1777600060}`: base.WithLock(now.Add(time.Minute), now),
		`{"tries_left":4,"field":"x"}`:   fault.Of(fault.InField(base.WithTriesLeft(4), "x")),
		`{"total":1580}`:                 base.WithTotal(1580),
	} {
		for _, backend := range []wire.Backend{wire.Main, wire.NewMovie} {
			text, err := json.Marshal(backend.Failure(f))
			require.NoError(t, err)
			var got struct{ Data json.RawMessage }
			require.NoError(t, json.Unmarshal(text, &got))
			require.JSONEq(t, want, string(got.Data))
		}
	}
	require.NoError(t, fault.InField(nil, "x"))
}

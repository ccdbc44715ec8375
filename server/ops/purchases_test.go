package ops

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/order"
)

func TestMetrics_EveryStateOfAnOrderIsAStep(t *testing.T) {
	t.Parallel()
	for _, state := range order.States {
		require.NotZero(t, steps[state], "state %s", state)
	}
}

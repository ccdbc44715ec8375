package batch_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/batch"
)

func TestRun_WritesEveryRowOnceInBoundedParts(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][][2]int{
		0: nil, 1: {{0, 1}}, 3: {{0, 3}}, 4: {{0, 3}, {3, 4}}, 6: {{0, 3}, {3, 6}},
	} {
		var parts [][2]int
		require.NoError(t, batch.Run(t.Context(), n, 3, func(from, to int) error {
			parts = append(parts, [2]int{from, to})
			return nil
		}))
		require.Equal(t, want, parts, n)
	}
}

func TestRun_PausesAsLongAsTheTransactionTook(t *testing.T) {
	t.Parallel()
	const took = 40 * time.Millisecond
	var ended []time.Time
	require.NoError(t, batch.Run(t.Context(), 2, 1, func(int, int) error {
		if len(ended) == 1 {
			require.GreaterOrEqual(t, time.Since(ended[0]), took)
		}
		<-time.After(took)
		ended = append(ended, time.Now())
		return nil
	}))
}

func TestRun_EndsWithAnErrorOrTheContext(t *testing.T) {
	t.Parallel()
	calls, failure := 0, errors.New("failed")
	require.ErrorIs(t, batch.Run(t.Context(), 9, 3, func(int, int) error { calls++; return failure }), failure)
	require.Equal(t, 1, calls)
	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, batch.Run(ctx, 9, 3, func(int, int) error { calls++; cancel(); return nil }), context.Canceled)
	require.Equal(t, 2, calls)
}

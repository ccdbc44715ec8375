package wire

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
)

func TestSharedTexts_TheErrorOfOneClientIsNotThatOfAnother(t *testing.T) {
	t.Parallel()
	texts := NewSharedTexts(func() time.Time { return time.Unix(1, 0) })
	for _, own := range []error{context.Canceled, fmt.Errorf("read: %w", context.DeadlineExceeded),
		errors.Join(fault.New(fault.Limited, "rate_limited", "慢"))} {
		began, finish := make(chan struct{}), make(chan struct{})
		first := make(chan error, 1)
		go func() {
			_, err := texts.Get(t.Context(), fmt.Sprint(own), func() (*Text, error) {
				close(began)
				<-finish
				return nil, own
			})
			first <- err
		}()
		<-began
		var made atomic.Int32
		var others sync.WaitGroup
		for range 20 {
			others.Go(func() {
				_, err := texts.Get(t.Context(), fmt.Sprint(own), func() (*Text, error) { return NewJSON(made.Add(1)) })
				assert.NoError(t, err)
			})
		}
		close(finish)
		require.ErrorIs(t, <-first, own)
		others.Wait()
		require.LessOrEqual(t, made.Load(), int32(3), "the others share a text")
	}
}

// A request that waits for another one's text ends with its client.
func TestSharedTexts_AWaitEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	texts := NewSharedTexts(func() time.Time { return time.Unix(1, 0) })
	began, finish := make(chan struct{}), make(chan struct{})
	defer close(finish)
	go func() {
		_, _ = texts.Get(context.Background(), "key", func() (*Text, error) {
			close(began)
			<-finish
			return nil, nil
		})
	}()
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := texts.Get(ctx, "key", nil)
	require.ErrorIs(t, err, context.Canceled)
}

func TestSharedTexts_AreBounded(t *testing.T) {
	t.Parallel()
	texts := NewSharedTexts(func() time.Time { return time.Unix(1, 0) })
	var first weak.Pointer[Text]
	for i := range 3 * sharedTextsKept {
		text, err := texts.Get(t.Context(), i, func() (*Text, error) { return NewJSON(i) })
		require.NoError(t, err)
		if i == 0 {
			first = weak.Make(text)
		}
	}
	runtime.GC()
	require.Nil(t, first.Value(), "a text that made room for others is freed")
	kept := func() int {
		texts.mu.Lock()
		defer texts.mu.Unlock()
		if texts.last == nil {
			return 0
		}
		return len(texts.last.texts)
	}
	require.LessOrEqual(t, kept(), sharedTextsKept)
	require.Eventually(t, func() bool { return kept() == 0 }, time.Minute, 10*time.Millisecond,
		"they are forgotten also if no request follows")
}

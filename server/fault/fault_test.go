package fault_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"marquee/server/fault"
)

var errTaken = fault.New(fault.Conflict, "seat_taken", "座位已被占用")

// Rows of earlier releases hold these numbers.
func TestKind_StoredNumbers(t *testing.T) {
	t.Parallel()
	for number, kind := range []fault.Kind{
		fault.Internal, fault.Invalid, fault.Unauthenticated, fault.Forbidden, fault.NotFound, fault.Conflict,
		fault.Limited, fault.Unavailable, fault.Unknown,
	} {
		assert.EqualValues(t, number, kind)
	}
}

func TestOf_FindsTheFaultInTheChain(t *testing.T) {
	t.Parallel()
	wrapped := fmt.Errorf("hold seats: %w", errTaken)
	assert.Equal(t, errTaken, fault.Of(wrapped))
	assert.Equal(t, fault.Conflict, fault.KindOf(wrapped))
	assert.Equal(t, fault.ErrInternal, fault.Of(errors.New("disk full")))
	assert.Equal(t, fault.Internal, fault.KindOf(errors.New("disk full")))
}

func TestIs_ComparesCodes(t *testing.T) {
	t.Parallel()
	other := errTaken.WithMessage("5排6座已被占用")
	assert.ErrorIs(t, fmt.Errorf("x: %w", other), errTaken)
	assert.Equal(t, "5排6座已被占用", other.Message)
	assert.Equal(t, "座位已被占用", errTaken.Message, "the sentinel stays as it is")
	assert.Equal(t, fault.Conflict, other.Kind)
	assert.NotErrorIs(t, errTaken, fault.ErrUnknown)
	assert.NotErrorIs(t, errTaken, errors.New("seat_taken"))
	assert.Equal(t, "seat_taken", errTaken.Error())
}

func TestWithRetryAfter_KeepsTheFaultAndItsSentinel(t *testing.T) {
	t.Parallel()
	wait := errTaken.WithRetryAfter(41 * time.Second).WithMessage("请稍候")
	assert.ErrorIs(t, fmt.Errorf("x: %w", wait), errTaken)
	assert.Equal(t, 41*time.Second, fault.Of(fmt.Errorf("x: %w", wait)).RetryAfter)
	assert.Zero(t, errTaken.RetryAfter, "the sentinel stays as it is")
}

func TestWithTriesLeft_KeepsTheFaultAndItsSentinel(t *testing.T) {
	t.Parallel()
	wrong := fmt.Errorf("x: %w", errTaken.WithTriesLeft(4))
	assert.ErrorIs(t, wrong, errTaken)
	assert.Equal(t, 4, fault.Of(wrong).TriesLeft)
	assert.Zero(t, errTaken.TriesLeft, "the sentinel stays as it is")
}

func TestOutcomeKnown(t *testing.T) {
	t.Parallel()
	for _, known := range []error{nil, errTaken, fault.ErrUnavailable, fmt.Errorf("x: %w", fault.ErrBadAnswer)} {
		assert.True(t, fault.OutcomeKnown(known), "%v", known)
	}
	for _, unknown := range []error{fault.ErrUnknown, fault.ErrInternal, errors.New("disk full"),
		fmt.Errorf("x: %w", fault.ErrUnknown)} {
		assert.False(t, fault.OutcomeKnown(unknown), "%v", unknown)
	}
}

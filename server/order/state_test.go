package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"marquee/server/durations"
	"marquee/server/order"
)

var noon = time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)

// rejectsAll is the row of a final state, in which every event must fail.
var rejectsAll = map[order.Event]order.State{
	order.Locked: "", order.LockLost: "", order.Cancel: "", order.Expire: "", order.Pay: "",
	order.IssueSent: "", order.TicketsCame: "", order.IssueFails: "", order.Revoke: "", order.RefundsDone: "",
}

// table lists the next state for every state and event, or "" if the event must fail.
var table = map[order.State]map[order.Event]order.State{
	order.Locking: {
		order.Locked: order.Pending, order.LockLost: order.Abandoned, order.Cancel: "", order.Expire: "", order.Pay: "",
		order.IssueSent: "", order.TicketsCame: "", order.IssueFails: "", order.Revoke: "",
		order.RefundsDone: "",
	},
	order.Pending: {
		order.Locked: "", order.LockLost: "", order.Cancel: order.Cancelled, order.Expire: order.Expired,
		order.Pay: order.Paid, order.IssueSent: "", order.TicketsCame: "", order.IssueFails: "", order.Revoke: "",
		order.RefundsDone: "",
	},
	order.Paid: {
		order.Locked: "", order.LockLost: "", order.Cancel: "", order.Expire: "", order.Pay: "",
		order.IssueSent: order.Issuing, order.TicketsCame: order.Issued, order.IssueFails: order.IssueFailed,
		order.Revoke: "", order.RefundsDone: "",
	},
	order.Issuing: {
		order.Locked: "", order.LockLost: "", order.Cancel: "", order.Expire: "", order.Pay: "",
		order.IssueSent: "", order.TicketsCame: order.Issued, order.IssueFails: order.IssueFailed,
		order.Revoke: "", order.RefundsDone: "",
	},
	order.Issued: {
		order.Locked: "", order.LockLost: "", order.Cancel: "", order.Expire: "", order.Pay: "",
		order.IssueSent: "", order.TicketsCame: "", order.IssueFails: "", order.Revoke: order.IssueFailed,
		order.RefundsDone: "",
	},
	order.IssueFailed: {
		order.Locked: "", order.LockLost: "", order.Cancel: "", order.Expire: "", order.Pay: "",
		order.IssueSent: "", order.TicketsCame: "", order.IssueFails: "", order.Revoke: "",
		order.RefundsDone: order.Refunded,
	},
	order.Refunded:  rejectsAll,
	order.Cancelled: rejectsAll,
	order.Expired:   rejectsAll,
	order.Abandoned: rejectsAll,
}

func TestMachine_EveryStateMeetsEveryEvent(t *testing.T) {
	t.Parallel()
	assert.Len(t, table, len(order.States), "a state is not listed")
	for _, from := range order.States {
		row, listed := table[from]
		assert.True(t, listed, "%s is not listed", from)
		assert.Len(t, row, len(order.Events), "an event is not listed for %s", from)
		for _, e := range order.Events {
			want, listed := row[e]
			if !assert.True(t, listed, "%s × %s is not listed", from, e) {
				continue
			}
			got, err := order.Next(from, e)
			if want == "" {
				assert.ErrorIs(t, err, order.ErrOrderState, "%s × %s", from, e)
				assert.Equal(t, from, got)
				continue
			}
			assert.NoError(t, err, "%s × %s", from, e)
			assert.Equal(t, want, got, "%s × %s", from, e)
		}
	}
	_, err := order.Next("NOWHERE", order.Pay)
	assert.ErrorIs(t, err, order.ErrOrderState)
	_, err = order.Next(order.Pending, "miracle")
	assert.ErrorIs(t, err, order.ErrOrderState)
}

// The Mark methods are the only way to change a state; each must follow the table.
func TestMachine_MarkMethodsFollowTheTable(t *testing.T) {
	t.Parallel()
	marks := map[order.Event]func(*order.Order) error{
		order.Locked: func(o *order.Order) error {
			return o.MarkLocked(order.Lock{}, noon.Add(durations.PayWithin), noon)
		},
		order.LockLost:    func(o *order.Order) error { return o.MarkAbandoned("x", noon) },
		order.Cancel:      func(o *order.Order) error { return o.MarkCancelled(noon) },
		order.Expire:      func(o *order.Order) error { return o.MarkExpired(noon) },
		order.Pay:         func(o *order.Order) error { return o.MarkPaid(noon) },
		order.IssueSent:   func(o *order.Order) error { return o.MarkIssuing(noon) },
		order.TicketsCame: func(o *order.Order) error { return o.MarkIssued(order.ProviderOrder{}, noon) },
		order.IssueFails:  func(o *order.Order) error { return o.MarkIssueFailed("x", noon) },
		order.Revoke:      func(o *order.Order) error { return o.MarkRevoked("x", noon) },
		order.RefundsDone: func(o *order.Order) error { return o.MarkRefunded(noon) },
	}
	for from, row := range table {
		for e, want := range row {
			o := order.Order{State: from, Version: 4}
			err := marks[e](&o)
			if want == "" {
				assert.ErrorIs(t, err, order.ErrOrderState, "%s × %s", from, e)
				assert.Equal(t, from, o.State)
				continue
			}
			assert.NoError(t, err)
			assert.Equal(t, want, o.State)
			assert.Equal(t, 5, o.Version, "a change counts one version up")
			state, version := o.StoredVersion()
			assert.Equal(t, from, state)
			assert.Equal(t, 4, version)
		}
	}
}

package orders_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"marquee/server/orders"
)

// table lists every state with every event: where it leads, or "" where it must fail.
var table = map[orders.State]map[orders.Event]orders.State{
	orders.Locking: {
		orders.Locked: orders.Pending, orders.LockLost: orders.Abandoned, orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: "", orders.TicketsCame: "", orders.IssueFails: "", orders.RefundsDone: "",
	},
	orders.Pending: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: orders.Cancelled, orders.Expire: orders.Expired, orders.Pay: orders.Paid,
		orders.IssueSent: "", orders.TicketsCame: "", orders.IssueFails: "", orders.RefundsDone: "",
	},
	orders.Paid: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: orders.Issuing, orders.TicketsCame: orders.Issued, orders.IssueFails: orders.IssueFailed, orders.RefundsDone: "",
	},
	orders.Issuing: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: "", orders.TicketsCame: orders.Issued, orders.IssueFails: orders.IssueFailed, orders.RefundsDone: "",
	},
	orders.Issued: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: "", orders.TicketsCame: "", orders.IssueFails: "", orders.RefundsDone: "",
	},
	orders.IssueFailed: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: "", orders.TicketsCame: "", orders.IssueFails: "", orders.RefundsDone: orders.Refunded,
	},
	orders.Refunded: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: "", orders.TicketsCame: "", orders.IssueFails: "", orders.RefundsDone: "",
	},
	orders.Cancelled: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: "", orders.TicketsCame: "", orders.IssueFails: "", orders.RefundsDone: "",
	},
	orders.Expired: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: "", orders.TicketsCame: "", orders.IssueFails: "", orders.RefundsDone: "",
	},
	orders.Abandoned: {
		orders.Locked: "", orders.LockLost: "", orders.Cancel: "", orders.Expire: "", orders.Pay: "",
		orders.IssueSent: "", orders.TicketsCame: "", orders.IssueFails: "", orders.RefundsDone: "",
	},
}

func TestMachine_EveryStateMeetsEveryEvent(t *testing.T) {
	t.Parallel()
	assert.Len(t, table, len(orders.States), "a state is not listed")
	for _, from := range orders.States {
		row, listed := table[from]
		assert.True(t, listed, "%s is not listed", from)
		assert.Len(t, row, len(orders.Events), "an event is not listed for %s", from)
		for _, e := range orders.Events {
			want, listed := row[e]
			if !assert.True(t, listed, "%s × %s is not listed", from, e) {
				continue
			}
			got, err := orders.Next(from, e)
			if want == "" {
				assert.ErrorIs(t, err, orders.ErrOrderState, "%s × %s", from, e)
				assert.Equal(t, from, got)
				continue
			}
			assert.NoError(t, err, "%s × %s", from, e)
			assert.Equal(t, want, got, "%s × %s", from, e)
		}
	}
	_, err := orders.Next("NOWHERE", orders.Pay)
	assert.ErrorIs(t, err, orders.ErrOrderState)
	_, err = orders.Next(orders.Pending, "miracle")
	assert.ErrorIs(t, err, orders.ErrOrderState)
}

// The Mark methods are the only way to change a state; each must go through the machine.
func TestMachine_MarkMethodsFollowTheTable(t *testing.T) {
	t.Parallel()
	marks := map[orders.Event]func(*orders.Order) error{
		orders.Locked:      func(o *orders.Order) error { return o.MarkLocked(orders.Lock{}, noon) },
		orders.LockLost:    func(o *orders.Order) error { return o.MarkAbandoned("x", noon) },
		orders.Cancel:      func(o *orders.Order) error { return o.MarkCancelled(noon) },
		orders.Expire:      func(o *orders.Order) error { return o.MarkExpired(noon) },
		orders.Pay:         func(o *orders.Order) error { return o.MarkPaid(noon) },
		orders.IssueSent:   func(o *orders.Order) error { return o.MarkIssuing(noon) },
		orders.TicketsCame: func(o *orders.Order) error { return o.MarkIssued(orders.ProviderOrder{}, noon) },
		orders.IssueFails:  func(o *orders.Order) error { return o.MarkIssueFailed("x", noon) },
		orders.RefundsDone: func(o *orders.Order) error { return o.MarkRefunded(noon) },
	}
	for from, row := range table {
		for e, want := range row {
			o := orders.Order{State: from, Version: 4}
			err := marks[e](&o)
			if want == "" {
				assert.ErrorIs(t, err, orders.ErrOrderState, "%s × %s", from, e)
				assert.Equal(t, from, o.State)
				continue
			}
			assert.NoError(t, err)
			assert.Equal(t, want, o.State)
			assert.Equal(t, 5, o.Version, "a change counts one version up")
			state, version := o.Was()
			assert.Equal(t, from, state)
			assert.Equal(t, 4, version)
		}
	}
}

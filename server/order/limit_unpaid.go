package order

import (
	"fmt"
	"time"

	"marquee/server/durations"
	"marquee/server/fault"
)

// ErrUnpaidLimited means that too many orders of the buyer have ended unpaid. RetryAfter is the wait until the buyer
// may order again.
var ErrUnpaidLimited = fault.New(fault.Limited, "lock_limited", "取消或超时未支付的订单过多，请稍后再试")

// UnpaidLimits bound how many orders a buyer cancels or lets expire unpaid: each one has kept seats or stock from other
// buyers. Tickets are counted separately from goods and points. The zero value means no limit.
type UnpaidLimits struct {
	Hour int           // orders that may end unpaid in an hour before a wait; Unpayable ones do not count
	Wait time.Duration // from the last unpaid end until the next order is allowed; doubled for each order beyond Hour
	Day  int           // how many orders may end unpaid in 24 hours, including Unpayable ones
}

// UnpaidEnd is the end of an order that was not paid.
type UnpaidEnd struct {
	At time.Time // business time
	// Unpayable means that the buyer tried to pay in the messaging app, but the gateway opened no trade: it rejected
	// every request, or did not answer.
	Unpayable bool
}

// DefaultUnpaidLimits allow a buyer to change seats a few times.
var DefaultUnpaidLimits = UnpaidLimits{Hour: 5, Wait: durations.WaitAfterUnpaid, Day: 30}

// maxDoublings caps how often Wait is doubled, and with it how many ended orders Check has to read.
const maxDoublings = 16

// Check returns ErrUnpaidLimited if the buyer must wait before the next order of this kind. Open orders do not count.
// It runs in the transaction that writes the new order, so that a buyer's concurrent requests are checked in turn.
func (l UnpaidLimits) Check(tx Tx, userID int64, kind Kind, now time.Time) error {
	if l == (UnpaidLimits{}) {
		return nil
	}
	ends, err := tx.Orders.UnpaidEnds(userID, kind, now.Add(-durations.Day), now, max(l.Day, l.Hour+maxDoublings))
	if err != nil {
		return err
	}
	wait := l.wait(ends, now)
	if wait <= 0 {
		return nil
	}
	message := fmt.Sprintf("取消或超时未支付的订单过多，请%s后再试", waitText(wait))
	return ErrUnpaidLimited.WithMessage(message).WithRetryAfter(wait)
}

// waitText formats a wait in minutes if it is under an hour, and in hours otherwise, both rounded up.
func waitText(wait time.Duration) string {
	if minutes := (wait + time.Minute - 1) / time.Minute; minutes < 60 {
		return fmt.Sprintf("%d分钟", minutes)
	}
	return fmt.Sprintf("约%d小时", (wait+time.Hour-1)/time.Hour)
}

// wait returns how long the buyer must wait. ends are the times at which the buyer's orders ended unpaid, the latest
// first.
func (l UnpaidLimits) wait(ends []UnpaidEnd, now time.Time) (wait time.Duration) {
	var hour []time.Time // ends in the last hour of orders that the buyer could have paid
	for _, end := range ends {
		if !end.Unpayable && end.At.After(now.Add(-time.Hour)) {
			hour = append(hour, end.At)
		}
	}
	if len(hour) > 0 && len(hour) >= l.Hour {
		wait = hour[0].Add(l.Wait << min(len(hour)-l.Hour, maxDoublings)).Sub(now)
	}
	if l.Day > 0 && len(ends) >= l.Day {
		wait = max(wait, ends[l.Day-1].At.Add(durations.Day).Sub(now))
	}
	return wait
}

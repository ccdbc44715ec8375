package backoffice

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/jobs"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// OrderRecords reads everything that the shop has stored about an order.
type OrderRecords interface {
	// Records reads the records in one consistent state. It returns order.ErrOrderNotFound.
	Records(ctx context.Context, orderNo string) (Records, error)
}

// Records are what the shop has stored about an order.
type Records struct {
	Order       order.Order
	Payments    []order.Payment     // with their legs, by attempt
	CapturedAt  map[int64]time.Time // when each leg was captured, by its id
	Refunds     []order.Refund      // in the order in which they were made
	Ledger      []LedgerRecord      // entries about the points that its legs spent, or that it bought
	Calls       []CallRecord        // calls to providers; they are deleted after durations.KeepRecords
	Tasks       []TaskRecord        // that are still to be run
	Audit       []AuditEntry        // entries about the order, its payments, trades and refunds
	Differences []reconcile.Difference
}

// LedgerRecord is a transaction of the ledger.
type LedgerRecord struct {
	At     time.Time
	Event  cards.Event
	Actor  string
	Remark string
	Points money.Points // that were moved
}

// CallRecord is a call to a provider that changes something there.
type CallRecord struct {
	Key        string // as in order.Call
	Tries      int
	Outcome    order.Outcome
	Answer     string    // the provider's number, or the code of the fault
	SentAt     time.Time // of the last try
	AnsweredAt time.Time // zero without an answer
}

// TaskRecord is a job that is still to be run.
type TaskRecord struct {
	Kind  jobs.Kind
	Queue jobs.Queue
	Due   time.Time
	Tries int
}

// TimelineEntry is something that happened to an order, or that the shop is going to do.
type TimelineEntry struct {
	At        time.Time
	What      string // stable name, such as "leg.captured"
	Detail    string
	By        string // actor; "" if it is not recorded
	RequestID string // of the log lines of the request or job; "" if it is not recorded
}

// Trace returns everything that the shop has stored about an order. It returns order.ErrOrderNotFound.
func (o *Orders) Trace(ctx context.Context, no string) (Records, error) {
	return o.read.Records(ctx, no)
}

// causes lists the names of entries, or the beginnings of the names, from cause to effect. The store has times in
// seconds, and most of a purchase happens within one second: entries of the same second are sorted in this order.
var causes = []string{
	"order.created", "call.lock", "payment.opened", "ledger.reserve", "call.prepay", "leg.captured", "ledger.commit",
	"ledger.recharge", "payment.", "ledger.release", "call.issue", "order.", "refund.decided", "ledger.refund",
	"refund.sent", "call.refund", "refund.", orderEnded, "call.unlock",
}

// orderChanged is the name of the entry for the last change of an order. orderEnded is its place in causes if
// causeOfState has none.
const orderChanged, orderEnded = "order.changed", "ended"

// causeOfState is the entry after which an order gets a state. For a state that is not listed here, the change comes
// after all entries except the unlock of the seats.
var causeOfState = map[order.State]string{
	order.Pending: "call.lock", order.Paid: "ledger.commit", order.Issuing: "call.issue",
	order.Issued: "call.issue", order.IssueFailed: "order.issue_failed",
}

// causeOf returns the position of an entry in causes, by which entries of the same second are sorted.
func (r Records) causeOf(e TimelineEntry) int {
	what := e.What
	if what == orderChanged {
		what = cmp.Or(causeOfState[r.Order.State], orderEnded)
	}
	place := slices.IndexFunc(causes, func(begin string) bool { return strings.HasPrefix(what, begin) })
	if place < 0 {
		return len(causes)
	}
	return place
}

// Timeline returns what happened to the order, the oldest first, and then the tasks that are still to be run.
func (r Records) Timeline() []TimelineEntry {
	o := r.Order
	list := slices.Concat(
		[]TimelineEntry{{At: o.CreatedAt, What: "order.created", Detail: o.Total.String(), By: audit.User(o.UserID)}},
		r.paymentEntries(), r.refundEntries(), r.callEntries(),
	)
	for _, l := range r.Ledger {
		detail := strings.TrimSpace(l.Points.String() + " points " + l.Remark)
		list = append(list, TimelineEntry{At: l.At, What: "ledger." + string(l.Event), Detail: detail, By: l.Actor})
	}
	for _, a := range r.Audit {
		list = append(list, TimelineEntry{a.At, a.What, a.change(), a.Actor, a.RequestID})
	}
	for _, d := range r.Differences {
		detail := strings.TrimSpace(fmt.Sprintf("difference %d: %s %s", d.ID, d.Kind, d.Detail))
		list = append(list, TimelineEntry{At: d.FoundAt, What: "books.differ", Detail: detail})
	}
	// Earlier changes of the state are not stored, but each has left a payment, a call or an entry of the audit log.
	list = append(list, TimelineEntry{At: o.UpdatedAt, What: orderChanged, Detail: "now " + string(o.State)})
	slices.SortStableFunc(list, func(a, b TimelineEntry) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(r.causeOf(a), r.causeOf(b)))
	})
	for _, t := range r.Tasks {
		detail := fmt.Sprintf("due in queue %s, %d tries so far", t.Queue, t.Tries)
		list = append(list, TimelineEntry{At: t.Due, What: "task." + string(t.Kind), Detail: detail})
	}
	return list
}

func (r Records) paymentEntries() (list []TimelineEntry) {
	for _, p := range r.Payments {
		var legs []string
		for _, l := range p.Legs {
			legs = append(legs, strings.TrimSpace(fmt.Sprintf("%s %s %s", l.Title, l.Amount, l.OutTradeNo)))
			if at := r.CapturedAt[l.ID]; l.Captured > 0 {
				detail := fmt.Sprintf("%s %s %s", l.Title, l.Captured, l.TransactionID)
				list = append(list, TimelineEntry{At: at, What: "leg.captured", Detail: strings.TrimSpace(detail)})
			}
		}
		list = append(list, TimelineEntry{
			At: p.CreatedAt, What: "payment.opened",
			Detail: fmt.Sprintf("attempt %d: %s; now %s", p.Attempt, strings.Join(legs, " + "), p.State),
		})
	}
	return list
}

func (r Records) refundEntries() (list []TimelineEntry) {
	for _, f := range r.Refunds {
		name := strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Title, f.Amount, f.OutRefundNo))
		list = append(list, TimelineEntry{
			At: f.CreatedAt, What: "refund.decided", Detail: fmt.Sprintf("%s: %s; now %s", name, f.Reason, f.State),
		})
		if !f.SentAt.IsZero() && f.Kind == order.ByApp {
			list = append(list, TimelineEntry{At: f.SentAt, What: "refund.sent", Detail: name})
		}
		if !f.DoneAt.IsZero() {
			list = append(list, TimelineEntry{
				At: f.DoneAt, What: "refund." + string(f.State), Detail: strings.TrimSpace(name + " " + f.RefundID),
			})
		}
	}
	return list
}

func (r Records) callEntries() (list []TimelineEntry) {
	for _, c := range r.Calls {
		operation, _, _ := strings.Cut(c.Key, ":")
		list = append(list, TimelineEntry{
			At: c.SentAt, What: "call." + operation, Detail: fmt.Sprintf("sent, try %d", c.Tries),
		})
		if !c.AnsweredAt.IsZero() {
			list = append(list, TimelineEntry{
				At: c.AnsweredAt, What: "call." + operation,
				Detail: strings.TrimSpace(fmt.Sprintf("%s %s", c.Outcome, c.Answer)),
			})
		}
	}
	return list
}

// String lists the fields of the order, its ticket codes, and its timeline: one line for each entry, with the time in
// Beijing, the name, the detail, the actor and the request id, separated by tabs.
func (r Records) String() string {
	var b strings.Builder
	b.WriteString(OrderDetail(r.Order).String())
	for _, t := range r.Order.Tickets {
		fmt.Fprintf(&b, "\n%s: %s", t.Name, t.Code)
	}
	b.WriteString("\n")
	for _, e := range r.Timeline() {
		fmt.Fprintf(&b, "\n%s\t%s\t%s\t%s\t%s", clock(e.At), e.What, e.Detail, e.By, e.RequestID)
	}
	return b.String()
}

package reconcile

import (
	"fmt"

	"marquee/server/jobs"
	"marquee/server/order"
)

// verdict is the result of comparing one row or record: a difference, or none, and the task with which the shop tries
// to end the difference by itself. The task is safe to repeat: it only queries the other party again, or unlocks the
// seats of an order that has ended.
type verdict struct {
	difference *Difference
	task       *task
	uncertain  bool // needed statements are missing: a stored difference stays open, but no new one is made
}

type task struct {
	kind    jobs.Kind
	subject string
	queue   jobs.Queue
}

// agree is the verdict of books that agree.
var agree verdict

// differ returns the verdict with a difference between a row of a book and the shop's record. ours is nil if the shop
// has no record.
func differ(k Kind, row Row, ours *Record, detail string) verdict {
	d := &Difference{Kind: k, Subject: subjectOf(row), Theirs: row.Amount, Detail: detail}
	if ours != nil {
		d.OrderNo, d.Ours = ours.OrderNo, ours.Amount
	}
	return verdict{difference: d}
}

func subjectOf(r Row) string {
	return map[RowKind]string{PaymentRow: "trade:", RefundRow: "refund:", TicketRow: "order:"}[r.Kind] + r.Number
}

// compareRow compares one row of a book with the shop's record.
func compareRow(b Book, m Match) verdict {
	switch {
	case b == Funds:
		return compareFunds(m)
	case m.Row.Kind == PaymentRow:
		return comparePayment(m)
	case m.Row.Kind == RefundRow:
		return compareRefund(m)
	}
	return compareTicket(m)
}

func comparePayment(m Match) verdict {
	ours := m.Ours
	switch {
	case m.Row.State != RowDone:
		return agree
	case ours == nil:
		return differ(PaidWithoutOrder, m.Row, nil, "transaction "+m.Row.Ref)
	case m.Repeated:
		return differ(ListedTwice, m.Row, ours, "transaction "+m.Row.Ref)
	case ours.Payment == order.PaymentSettled:
		return agree // an operator has settled the payment outside the shop
	case m.Row.Amount != ours.Amount:
		return differ(AmountDiffers, m.Row, ours, fmt.Sprintf("payment %s, order %s", ours.Payment, ours.OrderState))
	case ours.Captured == 0:
		v := differ(PaidNotRecorded, m.Row, ours, fmt.Sprintf("payment %s, order %s", ours.Payment, ours.OrderState))
		if ours.Payment != order.PaymentDisputed {
			v.task = &task{order.TaskRecheckTrade, ours.Number, order.QueuePayment}
		}
		return v
	case m.Row.Ref != ours.Ref:
		return differ(NumberDiffers, m.Row, ours, fmt.Sprintf("transaction %s here, %s there", ours.Ref, m.Row.Ref))
	}
	return agree
}

func compareRefund(m Match) verdict {
	ours := m.Ours
	switch {
	case ours == nil && m.Row.State == RowFailed:
		return agree // no money moved
	case ours == nil:
		return differ(RefundWithoutOrder, m.Row, nil, "refund "+m.Row.Ref)
	case m.Row.Amount != ours.Amount:
		return differ(AmountDiffers, m.Row, ours, fmt.Sprintf("refund %s", ours.Refund))
	case m.Row.State == RowFailed && ours.Refund == order.RefundSettled:
		return differ(RefundFailedThere, m.Row, ours, "refund "+m.Row.Ref)
	case m.Row.State == RowDone && ours.Refund == order.RefundDoubled:
		return agree // the order already waits for an operator, who must check for a double refund
	case m.Row.State == RowDone && ours.Refund != order.RefundSettled:
		v := differ(RefundNotRecorded, m.Row, ours, fmt.Sprintf("refund %s", ours.Refund))
		if ours.Refund != order.RefundReady && ours.Refund != order.RefundDoubled {
			v.task = &task{order.TaskRefund, fmt.Sprint(ours.RefundID), order.QueuePayment}
		}
		return v
	}
	return agree
}

// compareFunds compares a movement on the merchant's account with the shop's record. If the trade bill also lists the
// trade, a missing record is reported for that bill only.
func compareFunds(m Match) verdict {
	switch {
	case m.Ours == nil && m.InTrades:
		return agree
	case m.Ours == nil:
		v := differ(FundsWithoutTrade, m.Row, nil, "number "+m.Row.Ref)
		v.difference.Subject = "funds:" + m.Row.Number
		return v
	case m.Repeated && m.Row.Kind == PaymentRow:
		return differ(ListedTwice, m.Row, m.Ours, "fund flow bill")
	case m.Row.Amount != m.Ours.Amount:
		return differ(AmountDiffers, m.Row, m.Ours, "fund flow bill")
	}
	return agree
}

func compareTicket(m Match) verdict {
	ours := m.Ours
	taken := m.Row.State == RowDone || m.Row.State == RowPending || m.Row.State == RowHeld
	switch {
	case ours == nil && taken:
		return differ(TicketWithoutOrder, m.Row, nil, "order "+m.Row.Ref+" at the source, "+string(m.Row.State))
	case ours == nil:
		return agree
	case m.Repeated:
		return differ(ListedTwice, m.Row, ours, "order "+m.Row.Ref)
	}
	there := fmt.Sprintf("order %s here, %s there", ours.OrderState, m.Row.State)
	ask := &task{order.TaskOrder, ours.Number, ours.Queue}
	switch ours.OrderState {
	case order.Issued:
		switch {
		case m.Row.State != RowDone:
			return differ(IssuedNotThere, m.Row, ours, there)
		case m.Row.Amount != ours.Amount:
			return differ(AmountDiffers, m.Row, ours, there)
		}
	case order.Paid, order.Issuing:
		if m.Row.State == RowDone || m.Row.State == RowFailed || m.Row.State == RowNothing {
			v := differ(TicketNotRecorded, m.Row, ours, there)
			v.task = ask
			return v
		}
	case order.Refunded, order.IssueFailed:
		if m.Row.State == RowDone && ours.Revoked {
			return differ(RevokedButIssued, m.Row, ours, there)
		}
		if m.Row.State == RowDone || m.Row.State == RowPending {
			return differ(RefundedButIssued, m.Row, ours, there)
		}
		return heldAfterEnd(m, there)
	case order.Cancelled, order.Expired, order.Abandoned:
		if m.Row.State == RowDone || m.Row.State == RowPending {
			return differ(UnpaidButIssued, m.Row, ours, there)
		}
		return heldAfterEnd(m, there)
	case order.Locking, order.Pending:
		if m.Row.State == RowDone || m.Row.State == RowPending {
			return differ(UnpaidButIssued, m.Row, ours, there)
		}
	}
	return agree
}

// heldAfterEnd returns the verdict for an order that has ended in the shop: a difference if the source still holds
// seats for the order.
func heldAfterEnd(m Match, there string) verdict {
	if m.Row.State != RowHeld {
		return agree
	}
	v := differ(SeatsHeldThere, m.Row, m.Ours, there)
	v.task = &task{order.TaskUnlock, m.Ours.Number, m.Ours.Queue}
	return v
}

// missingDifference returns the difference for a record of the shop that no statement lists.
func missingDifference(b Book, r Record) *Difference {
	row := Row{Kind: r.Kind, Number: r.Number}
	switch {
	case r.Kind == PaymentRow:
		return differ(PaidNotInBill, row, &r, fmt.Sprintf("transaction %s, not in the bill of %s", r.Ref, b)).difference
	case r.Kind == RefundRow:
		return differ(RefundNotInBill, row, &r, fmt.Sprintf("refund %s, not in the bill of %s", r.Ref, b)).difference
	}
	return differ(IssuedNotListed, row, &r, "order "+r.Ref+" at the source").difference
}

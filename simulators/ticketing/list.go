package ticketing

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

// maxOrders is the maximum number of orders in a page of an order list.
const maxOrders = 200

// The faults of an order list.
const (
	doListMissingRow  = "list-missing-row"
	doListExtraRow    = "list-extra-row"
	doListWrongAmount = "list-wrong-amount"
	doListTruncated   = "list-truncated"
)

// ListFaults returns the faults of the order list. operation is its name at the provider.
func ListFaults(operation string) []faults.DomainFault {
	only := []string{operation}
	return []faults.DomainFault{
		faults.NewDomainFault(doListMissingRow, only,
			"the first order of the page is missing, also in the total"),
		faults.NewDomainFault(doListExtraRow, only, "an issued order that the shop does not have, also in the total"),
		faults.NewDomainFault(doListWrongAmount, only, "the first order of the page costs one fen more"),
		faults.NewDomainFault(doListTruncated, only, "the second half of the page is missing; the total includes it"),
	}
}

// OrdersOfDay lists a page of the orders that were created on a day, the oldest first, and the total number of them.
// Pages count from 1. Orders that were not completed are listed until the box office evicts them.
func (o *Orders) OrdersOfDay(
	note *journal.Note, operation string, day time.Time, page, size int,
) (list []boxoffice.Order, total int) {
	next := day.AddDate(0, 0, 1)
	for _, order := range o.Orders() {
		if made := order.Made(); !made.Before(day) && made.Before(next) {
			list = append(list, order)
		}
	}
	slices.SortFunc(list, func(a, b boxoffice.Order) int {
		return cmp.Or(a.Made().Compare(b.Made()), cmp.Compare(a.No, b.No))
	})
	total = len(list)
	start := min((page-1)*size, total)
	return o.alterList(note, operation, day, list[start:min(start+size, total)], total)
}

// alterList applies the planned faults to a page.
func (o *Orders) alterList(
	note *journal.Note, operation string, day time.Time, list []boxoffice.Order, total int,
) ([]boxoffice.Order, int) {
	if _, hit := o.Plan.Apply(note, o.Provider, operation, doListMissingRow); hit && len(list) > 0 {
		list, total = list[1:], total-1
	}
	if _, hit := o.Plan.Apply(note, o.Provider, operation, doListWrongAmount); hit && len(list) > 0 {
		list[0].Amount++
	}
	if _, hit := o.Plan.Apply(note, o.Provider, operation, doListExtraRow); hit {
		no := "FOREIGN" + day.Format("20060102")
		list, total = append(list, boxoffice.Order{
			No: no, ID: "9" + day.Format("20060102"), Show: &dataset.Show{}, Amount: 1234, State: boxoffice.Issued,
			Expires: day, History: []boxoffice.Moment{{State: boxoffice.Held, At: day}},
		}), total+1
	}
	if _, hit := o.Plan.Apply(note, o.Provider, operation, doListTruncated); hit {
		list = list[:len(list)/2]
	}
	return list, total
}

// ReadPage reads the number and the size of a page; the defaults are 1 and maxOrders. It returns false for values out
// of range.
func ReadPage(page, size string) (number, most int, ok bool) {
	number, most = 1, maxOrders
	for _, v := range []struct {
		text string
		into *int
		max  int
	}{{page, &number, 1_000_000}, {size, &most, maxOrders}} {
		if v.text == "" {
			continue
		}
		n, err := strconv.Atoi(v.text)
		if err != nil || n < 1 || n > v.max {
			return 0, 0, false
		}
		*v.into = n
	}
	return number, most, true
}

package store

import (
	"marquee/server/cards"
	"marquee/server/order"
)

// Each repository holds the statements of one aggregate and runs them in the shared write transaction. Repositories are
// stateless, so that any number of them can use one transaction.
type (
	orderRepo     struct{ *writeTx } // orders, their snapshots and showings
	seatRepo      struct{ *writeTx } // seat holds
	stockRepo     struct{ *writeTx } // stock and codes, for purchases
	goodsRepo     struct{ *writeTx } // categories, goods, SKUs and codes, for the back office
	paymentRepo   struct{ *writeTx } // payments and their legs
	refundRepo    struct{ *writeTx }
	jobRepo       struct{ *writeTx } // tasks of the job queue
	callRepo      struct{ *writeTx } // calls to providers
	keyRepo       struct{ *writeTx } // idempotency keys
	cardRepo      struct{ *writeTx }
	ledgerRepo    struct{ *writeTx } // lots and ledger transactions
	tryRepo       struct{ *writeTx } // counts of wrong card passwords
	mergeCodeRepo struct{ *writeTx }
	packageRepo   struct{ *writeTx } // recharge packages
	auditRepo     struct{ *writeTx }
)

// orderTx returns the repositories that packages order, seating, checkout and fulfilment use.
func (w *writeTx) orderTx() order.Tx {
	return order.Tx{
		Orders: orderRepo{w}, Seats: seatRepo{w}, Stock: stockRepo{w}, Payments: paymentRepo{w}, Refunds: refundRepo{w},
		Jobs: jobRepo{w}, Calls: callRepo{w}, Keys: keyRepo{w}, Cards: w.cardTx(), Audit: auditRepo{w},
	}
}

// cardTx returns the repositories that package cards uses.
func (w *writeTx) cardTx() cards.Tx {
	return cards.Tx{
		Cards: cardRepo{w}, Ledger: ledgerRepo{w}, Tries: tryRepo{w}, MergeCodes: mergeCodeRepo{w},
		Packages: packageRepo{w}, Audit: auditRepo{w},
	}
}

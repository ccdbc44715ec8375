package order

import "marquee/server/money"

// Changes are what a transaction has changed, as far as it is counted in metrics.
type Changes struct {
	Orders             []StateChange
	Captured, Refunded []Amount
	Disputed           []Amount
}

// StateChange is an order that has reached a state. From is "" for a new order.
type StateChange struct {
	Kind     Kind
	From, To State
}

// Amount is money or points of one kind of leg.
type Amount struct {
	Leg LegKind
	Fen money.Fen
}

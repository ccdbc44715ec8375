package order

import "marquee/server/money"

// Changes lists those changes of a transaction that the metrics count: orders that reached a state, and amounts that
// were captured, refunded or disputed.
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

// Amount is an amount of money or points, with the means of payment that it belongs to.
type Amount struct {
	Leg LegKind
	Fen money.Fen
}

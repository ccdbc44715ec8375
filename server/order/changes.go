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

// Amount is an amount that was paid, refunded or disputed by one means of payment. Points count as fen of the same
// value.
type Amount struct {
	Leg LegKind
	Fen money.Fen
}

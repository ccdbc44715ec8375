// Package booking holds the rules of seats: how many, which together, and who holds which.
package booking

import "marquee/server/fault"

// MaxSeats is the most seats one order may hold.
const MaxSeats = 4

// What choosing seats can fail with.
var (
	ErrNoSeats      = fault.New(fault.Invalid, "no_seats", "请选择座位")
	ErrTooManySeats = fault.New(fault.Invalid, "too_many_seats", "每组订单最多选择四个座位")
	ErrSplitCouple  = fault.New(fault.Invalid, "couple_seat_split", "情侣座需成对选择")
	ErrMixedAreas   = fault.New(fault.Invalid, "mixed_areas", "请选择相同区域座位，不同区域请分开下单")
	ErrSeatNotInMap = fault.New(fault.Invalid, "seat_not_in_map", "所选座位不存在，请重新选择")
	ErrSeatTaken    = fault.New(fault.Conflict, "seat_taken", "座位已被占用，请重新选择")
	ErrSaleStopped  = fault.New(fault.Conflict, "sale_stopped", "该场次已停售")
	ErrShowChanged  = fault.New(fault.Conflict, "show_changed", "场次信息已变动，请重新选择")
	ErrPriceChanged = fault.New(fault.Conflict, "price_changed", "票价已变动，请重新选座")
)

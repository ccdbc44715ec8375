package cards

import (
	"slices"
	"time"

	"marquee/server/durations"
	"marquee/server/money"
)

// MaxChosen is the maximum number of cards of one payment or merge.
const MaxChosen = 50

// PID is a card type. A type whose name contains 卡 is a card, any other a voucher.
type PID int

const (
	SuperCard      PID = 1
	CakeCard       PID = 2
	MovieCard      PID = 3
	BookCard       PID = 4
	SuperVoucher   PID = 5
	CakeVoucher    PID = 6
	MovieVoucher   PID = 7
	BookVoucher    PID = 8
	EnjoyCard      PID = 9
	PrizeVoucher   PID = 10
	PrizeVoucher11 PID = 11
)

var names = map[PID]string{
	SuperCard: "超级卡", CakeCard: "蛋糕卡", MovieCard: "电影卡", BookCard: "图书卡",
	SuperVoucher: "超级券", CakeVoucher: "蛋糕券", MovieVoucher: "电影券", BookVoucher: "图书券",
	EnjoyCard: "悦享卡", PrizeVoucher: "尊享券", PrizeVoucher11: "尊享券",
}

// Name returns the type's name, or "" for a type that does not exist.
func (p PID) Name() string { return names[p] }

// Scope defines which cards can pay for a product, in addition to the cards that pay for everything.
type Scope string

const (
	Nothing  Scope = "none"
	Anything Scope = "any" // only cards that pay for everything
	Movies   Scope = "movie"
	Cakes    Scope = "cake"
	Books    Scope = "book"
)

// Pays reports whether cards of this type can pay for products of the scope.
func (p PID) Pays(s Scope) bool {
	if s == Nothing {
		return false
	}
	switch p {
	case SuperCard, SuperVoucher, EnjoyCard, PrizeVoucher, PrizeVoucher11:
		return true
	case CakeCard, CakeVoucher:
		return s == Cakes
	case MovieCard, MovieVoucher:
		return s == Movies
	case BookCard, BookVoucher:
		return s == Books
	}
	return false
}

// Scopes lists what cards of this type can pay for, as shown to buyers. Anything stands for products that only cards
// for everything can pay.
func (p PID) Scopes() []Scope {
	return slices.DeleteFunc([]Scope{Anything, Movies, Cakes, Books}, func(s Scope) bool { return !p.Pays(s) })
}

// Status is the state of a card that the back office sets.
type Status string

const (
	Active Status = "active"
	Frozen Status = "frozen"
)

// Card is a welfare card with the totals of its lots.
type Card struct {
	ID         int64     // of the shop's table
	PID        PID       // the type, which decides what the card can pay for
	Number     string    // in full
	UserID     int64     // 0: not bound
	Status     Status    // Active, or Frozen by an operator
	Deleted    bool      // deleted by its owner or merged into another card; the status is kept
	Version    int       // counts the changes; Cards.Save compares it with the stored row
	BoundAt    time.Time // zero for a card that was never bound
	CreatedAt  time.Time // business time
	MergedInto int64     // the card that it was merged into; 0: none

	Balance money.Points // points that can be spent now: unexpired and not held
	Held    money.Points // points held by an open payment
	EndTime time.Time    // when the first of the points expire; without points, the latest expiry of a lot
}

// Payable reports whether the card is active and not deleted. It does not check that the card has points.
func (c Card) Payable() bool { return c.Status == Active && !c.Deleted }

// Flag is how a list shows a card to its owner.
type Flag int

const (
	Usable        Flag = 1
	AboutToExpire Flag = 2
	UsedUp        Flag = 3 // no points that can be spent; a payment may hold some
	Expired       Flag = 4 // no points, and the last ones have expired
	FlagFrozen    Flag = 5 // frozen, with or without points
)

// Flag returns how the card is shown at the given time.
func (c Card) Flag(now time.Time) Flag {
	switch {
	case c.Status == Frozen:
		return FlagFrozen
	case c.Balance == 0 && c.Held == 0 && !c.EndTime.After(now):
		return Expired
	case c.Balance == 0:
		return UsedUp
	case c.EndTime.Sub(now) <= durations.SoonToExpire:
		return AboutToExpire
	}
	return Usable
}

// Filter selects which usable cards a list shows, and how they are sorted. The numbers are those of the specification.
type Filter int

const (
	AllUsable  Filter = 1 // soonest expiry first
	Expiring   Filter = 2 // about to expire only
	PointsAsc  Filter = 3
	PointsDesc Filter = 4
)

// choose returns those of a buyer's cards that a list with the filter shows, sorted.
func choose(all []Card, f Filter, now time.Time) []Card {
	kept := slices.DeleteFunc(slices.Clone(all), func(c Card) bool {
		flag := c.Flag(now)
		return flag != AboutToExpire && (f == Expiring || flag != Usable)
	})
	slices.SortStableFunc(kept, func(a, b Card) int {
		switch f {
		case PointsAsc:
			return int(a.Balance - b.Balance)
		case PointsDesc:
			return int(b.Balance - a.Balance)
		}
		return a.EndTime.Compare(b.EndTime)
	})
	return kept
}

// Lot is a portion of a card's points that expire at the same time.
type Lot struct {
	ID         int64
	CardID     int64
	ExpiresAt  time.Time    // the points can be spent until this time
	Avail      money.Points // points that can be spent
	Held       money.Points // points that an open payment holds
	Origin     string       // how the points came: issue, recharge, credit, merge or returned
	MergedInto int64        // the lot of another card that replaces it; 0: none
}

// Spendable reports whether the lot has points that are not held and have not expired.
func (l Lot) Spendable(now time.Time) bool { return l.Avail > 0 && now.Before(l.ExpiresAt) }

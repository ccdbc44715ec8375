package cards

import (
	"slices"
	"time"

	"marquee/server/durations"
	"marquee/server/money"
)

// MaxChosen bounds how many cards one payment or one merge may name.
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

// Name is the type's name, or "" for a type that does not exist.
func (p PID) Name() string { return names[p] }

// Scope is what something sold may be paid with: cards for everything always, and cards of its own kind.
type Scope string

const (
	Nothing  Scope = "none"
	Anything Scope = "any" // cards for everything alone
	Movies   Scope = "movie"
	Cakes    Scope = "cake"
	Books    Scope = "book"
)

// Pays reports whether cards of this type may pay for what has the scope.
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

// Scopes lists what cards of this type may pay for, as a buyer is told. Anything is what only cards for everything pay
// for.
func (p PID) Scopes() []Scope {
	return slices.DeleteFunc([]Scope{Anything, Movies, Cakes, Books}, func(s Scope) bool { return !p.Pays(s) })
}

// Status is the back office's word on a card.
type Status string

const (
	Active Status = "active"
	Frozen Status = "frozen"
)

// Card is a welfare card with what its lots add up to.
type Card struct {
	ID         int64     // of the shop's own table
	PID        PID       // the type, which decides what the card can pay for
	Number     string    // in full
	UserID     int64     // 0: not bound
	Status     Status    // Active, or Frozen by an operator
	Deleted    bool      // taken off the list by its owner, when it was empty, or merged; the status stays
	Version    int       // one higher after each change; Cards.Save compares it
	BoundAt    time.Time // zero for a card that was never bound
	CreatedAt  time.Time // business time
	MergedInto int64     // the card that took over its points; 0: none

	Balance money.Points // points that can be spent now: unexpired and not held
	Held    money.Points // points held by a payment under way
	EndTime time.Time    // expiry of the earliest lot that is not empty; of the last lot when all are empty
}

// Payable reports whether the back office and the owner let the card pay; its points are not asked for.
func (c Card) Payable() bool { return c.Status == Active && !c.Deleted }

// Flag is what a list shows a card as.
type Flag int

const (
	Usable        Flag = 1
	AboutToExpire Flag = 2
	UsedUp        Flag = 3 // no points that can be spent; a payment may hold some
	Expired       Flag = 4 // no points, and the time of the last ones is over
	FlagFrozen    Flag = 5 // whatever its points
)

// Flag tells what the card is at the given time.
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

// Filter chooses which usable cards a list shows, and how they are sorted. The numbers are the specification's.
type Filter int

const (
	AllUsable  Filter = 1 // soonest expiry first
	Expiring   Filter = 2 // about to expire only
	PointsAsc  Filter = 3
	PointsDesc Filter = 4
)

// choose keeps and sorts a buyer's cards for a list.
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

// Lot is a portion of a card's points with an expiry of its own.
type Lot struct {
	ID         int64
	CardID     int64
	ExpiresAt  time.Time    // spendable before this moment
	Avail      money.Points // points that can be spent
	Held       money.Points // points that a payment under way holds
	Origin     string       // what it came from: issue, recharge, credit, merge, returned
	MergedInto int64        // the lot of another card that took its place; 0: none
}

// Spendable reports whether the lot's points may be reserved.
func (l Lot) Spendable(now time.Time) bool { return l.Avail > 0 && now.Before(l.ExpiresAt) }

// Package money has the shop's two currencies as integers: Fen (1/100 yuan) and Points (1/100 point). One point is
// worth one yuan, so one unit of Points is worth one Fen, and conversions do not round.
package money

import (
	"fmt"
	"strings"
)

// Fen is an amount of money in 1/100 yuan.
type Fen int64

// Points is an amount on welfare cards in 1/100 point. Columns of the database with this unit are named cp.
type Points int64

// String returns the amount in yuan with two decimals: Fen(4290) is "42.90".
func (f Fen) String() string { return decimal(int64(f)) }

// String returns the amount in points with two decimals.
func (p Points) String() string { return decimal(int64(p)) }

// Fen returns the amount of money that the points pay for.
func (p Points) Fen() Fen { return Fen(p) }

// Points returns the number of points that pay for the amount.
func (f Fen) Points() Points { return Points(f) }

func decimal(v int64) string {
	sign := ""
	u := uint64(v)
	if v < 0 {
		sign, u = "-", -u
	}
	return fmt.Sprintf("%s%d.%02d", sign, u/100, u%100)
}

// ErrAmount is returned for a text that is not an amount with at most two decimals.
var ErrAmount = fmt.Errorf("money: not an amount with at most two decimals")

// maxUnits limits parsed amounts to ten billion yuan, far above any price, so that sums do not overflow.
const maxUnits = 1_000_000_000_000

// ParseFen parses yuan with at most two decimals: "42.9" is Fen(4290). It returns ErrAmount for signs, exponents and
// blanks.
func ParseFen(s string) (Fen, error) { v, err := parse(s); return Fen(v), err }

// ParsePoints parses points with at most two decimals, as ParseFen does.
func ParsePoints(s string) (Points, error) { v, err := parse(s); return Points(v), err }

func parse(s string) (int64, error) {
	whole, frac, dotted := strings.Cut(s, ".")
	if whole == "" || len(whole) > 11 || len(frac) > 2 || (dotted && frac == "") {
		return 0, ErrAmount
	}
	frac += strings.Repeat("0", 2-len(frac))
	var v int64
	for _, c := range whole + frac {
		if c < '0' || c > '9' {
			return 0, ErrAmount
		}
		v = v*10 + int64(c-'0')
	}
	if v > maxUnits {
		return 0, ErrAmount
	}
	return v, nil
}

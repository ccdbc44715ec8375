package money_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"marquee/server/money"
)

func TestString(t *testing.T) {
	t.Parallel()
	for v, want := range map[int64]string{
		0: "0.00", 1: "0.01", 90: "0.90", 4290: "42.90", -5: "-0.05", -12345: "-123.45",
		math.MinInt64: "-92233720368547758.08",
	} {
		assert.Equal(t, want, money.Fen(v).String())
		assert.Equal(t, want, money.Points(v).String())
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "42": 4200, "42.9": 4290, "42.90": 4290, "0.01": 1, "0042.00": 4200, "10000000000": 1_000_000_000_000,
	} {
		f, err := money.ParseFen(text)
		assert.NoError(t, err, text)
		assert.Equal(t, money.Fen(want), f, text)
		p, err := money.ParsePoints(text)
		assert.NoError(t, err, text)
		assert.Equal(t, money.Points(want), p, text)
	}
	for _, text := range []string{"", ".", "1.", ".5", "-1", "+1", "1.234", "1e3", " 1", "1 ", "1,5", "0x1", "١",
		"1..2", "10000000000.01", "99999999999", "999999999999999999999"} {
		_, err := money.ParseFen(text)
		assert.ErrorIs(t, err, money.ErrAmount, text)
	}
}

func TestParse_ReadsWhatStringWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		f := money.Fen(rapid.Int64Range(0, 1_000_000_000_000).Draw(r, "fen"))
		back, err := money.ParseFen(f.String())
		assert.NoError(t, err)
		assert.Equal(t, f, back)
		assert.Equal(t, f, f.Points().Fen())
	})
}

func FuzzParseFen(f *testing.F) {
	f.Add("42.90")
	f.Add("-1")
	f.Add("1.234")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := money.ParseFen(text)
		if err != nil {
			return
		}
		if v < 0 || v > 1_000_000_000_000 {
			t.Fatalf("%q is %d", text, v)
		}
		if again, err := money.ParseFen(v.String()); err != nil || again != v {
			t.Fatalf("%q is %s, read back as %d: %v", text, v, again, err)
		}
	})
}

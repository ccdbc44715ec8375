package dataset

import "math/bits"

// Digits is the alphabet of decimal numbers, for Rand.Text.
const Digits = "0123456789"

const hexDigits = "0123456789abcdef"

// Rand is a deterministic generator (splitmix64): the same seed and names give the same numbers on every machine and
// with every version of Go. It must not be used for secrets.
type Rand struct{ state uint64 }

// RandOf returns the generator of an object, such as RandOf(seed, "film", "1301"). The numbers of one object do not
// depend on those that were drawn for others.
func RandOf(seed uint64, names ...string) *Rand {
	h := seed ^ 0x9e3779b97f4a7c15
	for _, name := range names {
		for i := range len(name) {
			h = (h ^ uint64(name[i])) * 0x100000001b3
		}
		h = (h ^ 0xff) * 0x100000001b3
		h = bits.RotateLeft64(h, 29)
	}
	return &Rand{state: h}
}

// Uint64 returns the next number.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// N is a number from 0 to n-1; 0 when n is not positive.
func (r *Rand) N(n int) int {
	if n <= 0 {
		return 0
	}
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// Between is a number from lo to hi, both included.
func (r *Rand) Between(lo, hi int) int { return lo + r.N(hi-lo+1) }

// Float is a number in [0, 1).
func (r *Rand) Float() float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// Chance is true with probability p.
func (r *Rand) Chance(p float64) bool { return r.Float() < p }

// Text is n characters of an ASCII alphabet.
func (r *Rand) Text(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.N(len(alphabet))]
	}
	return string(b)
}

// Pick is one of the items.
func Pick[T any](r *Rand, items []T) T { return items[r.N(len(items))] }

// Perm is the numbers 0 to n-1 in a random order.
func (r *Rand) Perm(n int) []int {
	p := make([]int, n)
	for i := range p {
		j := r.N(i + 1)
		p[i] = p[j]
		p[j] = i
	}
	return p
}

package sms

import "time"

// limit is how many messages a vendor sends to one phone within a window of business time.
type limit struct {
	window time.Duration
	most   int
	name   string // the vendor's word for it
}

// sent is when messages went to each phone within the last day, in business time.
type sent map[string][]time.Time

// over finds the first limit that one more message would break.
func (s sent) over(limits []limit, phone string, now time.Time) (limit, bool) {
	for _, l := range limits {
		count := 0
		for _, at := range s[phone] {
			if age := now.Sub(at); age >= 0 && age < l.window {
				count++
			}
		}
		if count >= l.most {
			return l, true
		}
	}
	return limit{}, false
}

// count notes a message and forgets those that no limit reaches back to.
func (s sent) count(phone string, now time.Time) {
	recent := s[phone][:0]
	for _, at := range s[phone] {
		if now.Sub(at) < 24*time.Hour {
			recent = append(recent, at)
		}
	}
	s[phone] = append(recent, now)
}

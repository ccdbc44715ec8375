package chaos

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"
)

// summary counts what happened in all rounds of the tests that must lose nothing; make chaos prints it at the end.
type summary struct {
	mu          sync.Mutex
	purchases   map[kind]int               // acknowledged
	lost        map[kind]int               // acknowledged, and not issued
	doubled     int                        // issued, and not acknowledged: the buyer has two
	untilServed map[string][]time.Duration // from a kill to the next acknowledged purchase, by what was killed
}

var total = summary{
	purchases: map[kind]int{}, lost: map[kind]int{}, untilServed: map[string][]time.Duration{},
}

// killed counts a kill, and how long the next purchase took.
func (s *summary) killed(what string, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.untilServed[what] = append(s.untilServed[what], took)
}

// buyer counts the purchases of one buyer at the end of a round.
func (s *summary) buyer(acked map[string]kind, states map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for order, of := range acked {
		s.purchases[of]++
		if states[order] != "S" {
			s.lost[of]++
		}
	}
	for order, state := range states {
		if _, found := acked[order]; state == "S" && !found {
			s.doubled++
		}
	}
}

// print prints the counts as tables if anything was killed.
func (s *summary) print(to io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.untilServed) == 0 {
		return
	}
	fmt.Fprintf(to, "\n%-10s %6s   %s\n", "killed", "times", "next purchase after: half / 99 % / worst")
	for what, took := range s.untilServed {
		slices.Sort(took)
		at := func(percent int) time.Duration { return took[(len(took)-1)*percent/100].Round(time.Millisecond) }
		fmt.Fprintf(to, "%-10s %6d   %s / %s / %s\n", what, len(took), at(50), at(99), at(100))
	}
	fmt.Fprintf(to, "\n%-14s %12s %6s\n", "purchases", "acknowledged", "lost")
	for _, of := range slices.Sorted(maps.Keys(s.purchases)) {
		fmt.Fprintf(to, "%-14s %12d %6d\n", of, s.purchases[of], s.lost[of])
	}
	fmt.Fprintf(to, "doubled: %d\n", s.doubled)
}

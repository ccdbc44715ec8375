package legacygateway

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"marquee/simulators/boxoffice"
)

// State is what a snapshot keeps of a gateway.
type State struct {
	Office boxoffice.Snapshot `json:"office"`
	Pushes []PushState        `json:"pushes"` // those that are still to be made, by time
}

// PushState is a push that is still to be made.
type PushState struct {
	No     string    `json:"no"`
	Due    time.Time `json:"due"`             // business time
	Tries  int       `json:"tries"`           // made before; -1: none, and what is planned for it is still to be asked
	Fault  string    `json:"fault,omitempty"` // what was planned for it
	Forged bool      `json:"forged,omitempty"`
}

// pushes are those that are still to be made.
type pushes struct {
	mu      sync.Mutex
	pending map[*PushState]struct{}
}

const fresh = -1 // tries of a push that was not begun

// later plans a push.
func (g *Gateway) later(p PushState, wait time.Duration) {
	p.Due = g.c.Clock.Now().Add(wait)
	g.pushes.mu.Lock()
	g.pushes.pending[&p] = struct{}{}
	g.pushes.mu.Unlock()
	g.c.Clock.AfterFunc(wait, func() {
		if g.life.Closed() {
			return
		}
		if p.Tries == fresh {
			g.push(p.No)
		} else {
			g.attempt(p.No, p.Tries, p.Fault, p.Forged)
		}
		g.pushes.mu.Lock()
		delete(g.pushes.pending, &p)
		g.pushes.mu.Unlock()
	})
}

// Save is the gateway as it is now.
func (g *Gateway) Save() State {
	saved := State{Office: g.office.Save(), Pushes: []PushState{}}
	g.pushes.mu.Lock()
	defer g.pushes.mu.Unlock()
	for p := range g.pushes.pending {
		saved.Pushes = append(saved.Pushes, *p)
	}
	slices.SortFunc(saved.Pushes, func(a, b PushState) int { return a.Due.Compare(b.Due) })
	return saved
}

// Load fills a new gateway with what another of the same seed and day saved. An error says what does not fit.
func (g *Gateway) Load(saved State) error {
	if err := g.office.Load(saved.Office); err != nil {
		return fmt.Errorf("gateway: %w", err)
	}
	for _, p := range saved.Pushes {
		if _, err := g.office.Order(p.No); err != nil || p.Tries < fresh || p.Tries > len(retries) {
			return fmt.Errorf("gateway: the push of order %q does not fit", p.No)
		}
		g.later(p, max(0, p.Due.Sub(g.c.Clock.Now())))
	}
	return nil
}

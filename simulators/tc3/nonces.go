package tc3

import (
	"maps"
	"sync"
	"time"
)

// Nonces remembers the nonces of calls, to reject a call that is sent again. The zero value is empty. It is safe for
// concurrent use.
type Nonces struct {
	mu   sync.Mutex
	seen map[string]time.Time // the real time at which each nonce was seen
}

// Remember stores a nonce. It returns false for one that was seen less than keep ago.
func (n *Nonces) Remember(nonce string, keep time.Duration, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if seen, used := n.seen[nonce]; used && now.Sub(seen) < keep {
		return false
	}
	if len(n.seen)%4096 == 4095 {
		maps.DeleteFunc(n.seen, func(_ string, at time.Time) bool { return now.Sub(at) >= keep })
	}
	if n.seen == nil {
		n.seen = map[string]time.Time{}
	}
	n.seen[nonce] = now
	return true
}

// Save returns the nonces that were seen less than keep ago, for a snapshot.
func (n *Nonces) Save(keep time.Duration, now time.Time) map[string]time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	saved := map[string]time.Time{}
	for nonce, at := range n.seen {
		if now.Sub(at) < keep {
			saved[nonce] = at
		}
	}
	return saved
}

// Load adds the nonces of a snapshot.
func (n *Nonces) Load(saved map[string]time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.seen == nil {
		n.seen = map[string]time.Time{}
	}
	maps.Copy(n.seen, saved)
}

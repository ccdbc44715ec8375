package newmovie

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
)

// State is what a snapshot keeps of the provider.
type State struct {
	Office boxoffice.Snapshot   `json:"office"`
	Tokens map[string]time.Time `json:"tokens"` // to their expiry, in business time
	Given  int                  `json:"given"`  // tokens so far
}

// Save is the provider as it is now.
func (n *NewMovie) Save() State {
	n.mu.Lock()
	defer n.mu.Unlock()
	return State{Office: n.office.Save(), Tokens: maps.Clone(n.tokens), Given: n.given}
}

// Load fills a new provider with what another of the same seed and day saved; the tokens only if they are of the same
// entId. An error says what does not fit.
func (n *NewMovie) Load(saved State) error {
	if err := n.office.Load(saved.Office); err != nil {
		return fmt.Errorf("newmovie: %w", err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.given = saved.Given
	own := TokenKey(n.c.Credentials.EntID)
	for token, expiry := range saved.Tokens {
		if strings.HasPrefix(token, own) {
			n.tokens[token] = expiry
		}
	}
	return nil
}

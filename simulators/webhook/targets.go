package webhook

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxTargets bounds the targets of a world.
const maxTargets = 20

// Target is an additional receiver of a world's webhooks.
type Target struct {
	// ID is assigned by the simulators.
	ID string `json:"id" only:"answer"`
	// URL is the address to which the copies are sent.
	URL string `json:"url" format:"url"`
	// Operation limits the copies to the webhooks of one operation, such as notify; empty or missing: all webhooks.
	Operation string `json:"operation,omitempty"`
}

// Targets lists the receivers that get a copy of every webhook of a world, in addition to the address that the shop has
// given to the provider. A copy is signed like the webhook, is not affected by planned faults, and is retried
// separately. Only the delivery to the shop's address determines what the provider does next. A nil *Targets has no
// targets. It is safe for concurrent use.
type Targets struct {
	mu         sync.Mutex
	operations []string // of all webhooks
	list       []Target
	last       int // the highest assigned id
}

// TargetsState is the targets' part of a snapshot.
type TargetsState struct {
	// Targets are the targets, oldest first.
	Targets []Target `json:"targets"`
	// LastID is the last assigned id.
	LastID int `json:"last_id"`
}

// ErrUnknownOperation reports a target of an operation that no webhook has.
var ErrUnknownOperation = errors.New("unknown webhook")

// Declare sets the operations of all webhooks of the world.
func (t *Targets) Declare(operations []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.operations = operations
}

// Operations lists the operations of all webhooks of the world.
func (t *Targets) Operations() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.operations
}

// Add adds a target and returns it with its id. It returns ErrUnknownOperation if no webhook has the operation, and
// other errors if the URL is not http or https, if the same target exists already, or if there are 20 targets.
func (t *Targets) Add(target Target) (Target, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	u, err := url.Parse(target.URL)
	switch {
	case target.Operation != "" && !slices.Contains(t.operations, target.Operation):
		return Target{}, fmt.Errorf("%w %q; valid: %s", ErrUnknownOperation, target.Operation,
			strings.Join(t.operations, ", "))
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return Target{}, fmt.Errorf("url must be an address like http://127.0.0.1:8080/notify")
	case len(t.list) >= maxTargets:
		return Target{}, fmt.Errorf("there are %d targets already; remove some", maxTargets)
	case slices.ContainsFunc(t.list, func(o Target) bool {
		return o.URL == target.URL && o.Operation == target.Operation
	}):
		return Target{}, fmt.Errorf("%s is already a target", target.URL)
	}
	t.last++
	target.ID = strconv.Itoa(t.last)
	t.list = append(t.list, target)
	return target, nil
}

// List returns the targets, oldest first.
func (t *Targets) List() []Target {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]Target{}, t.list...)
}

// Remove removes the target with an id, or all targets if it is "", and returns how many it removed. Pending deliveries
// to a removed target are dropped.
func (t *Targets) Remove(id string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := len(t.list)
	t.list = slices.DeleteFunc(t.list, func(o Target) bool { return id == "" || o.ID == id })
	return before - len(t.list)
}

// For lists the targets that get a copy of a webhook. first is the shop's address for the webhook, or "" if there is
// none. A target with that address is left out, so that the shop does not get the webhook twice.
func (t *Targets) For(operation, first string) []Target {
	return slices.DeleteFunc(t.List(), func(o Target) bool {
		return o.Operation != "" && o.Operation != operation || o.URL == first
	})
}

// URL returns the address of the target with an id; "" if it does not exist or was removed.
func (t *Targets) URL(id string) string {
	for _, target := range t.List() {
		if target.ID == id {
			return target.URL
		}
	}
	return ""
}

// Save returns the targets for a snapshot.
func (t *Targets) Save() TargetsState {
	t.mu.Lock()
	defer t.mu.Unlock()
	return TargetsState{append([]Target{}, t.list...), t.last}
}

// Load replaces the targets with those of a snapshot.
func (t *Targets) Load(saved TargetsState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.list, t.last = slices.Clone(saved.Targets), saved.LastID
}

package ops

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Readiness reports whether the shop can serve buyers.
type Readiness interface {
	// Ping returns nil if the shop can serve buyers. Otherwise the error contains each reason why it cannot.
	Ping(ctx context.Context) error
}

// Database is the part of the store that readiness needs.
type Database interface {
	// Ping returns an error if the database cannot be read, or if its last commit failed.
	Ping(ctx context.Context) error
	// FreeSpace returns how many bytes are free on the disk of the database.
	FreeSpace() (uint64, error)
}

// Jobs is the part of the job runner that readiness needs.
type Jobs interface {
	// LastRound returns the real time at which the runner last looked for due tasks without an error.
	LastRound() time.Time
}

const (
	// LeastSpace is how many bytes must be free on the disk of the database. The write-ahead log grows to 12 MiB
	// between two checkpoints, and a checkpoint may write the same amount to the database file.
	LeastSpace = 128 << 20
	// longestRound is the real time after which the job runner counts as stopped if it has not looked for due tasks. It
	// normally looks every half second.
	longestRound = 30 * time.Second
	// longestPing is the time limit of the ping of the database, in real time.
	longestPing = 3 * time.Second
	// recentLife is the real time for which Recent repeats the result of a check.
	recentLife = time.Second
)

// Probe reports whether the shop can serve buyers. It implements Readiness.
type Probe struct {
	database Database
	jobs     Jobs
	now      func() time.Time // real time
	draining atomic.Bool
}

// NewProbe makes a Probe. now returns the real time.
func NewProbe(d Database, j Jobs, now func() time.Time) *Probe {
	return &Probe{database: d, jobs: j, now: now}
}

// Drain makes the shop permanently not ready, so that a load balancer stops sending requests before the process ends.
func (p *Probe) Drain() { p.draining.Store(true) }

// Ping returns nil if the shop is ready. Otherwise the error contains each reason: it is draining, the database cannot
// be read or written, less than LeastSpace is free on its disk, or the job runner has not looked for due tasks for
// longestRound.
func (p *Probe) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, longestPing)
	defer cancel()
	var reasons []error
	if p.draining.Load() {
		reasons = append(reasons, errors.New("draining: the shop is about to stop"))
	}
	if err := p.database.Ping(ctx); err != nil {
		reasons = append(reasons, fmt.Errorf("database: %w", err))
	}
	if free, err := p.database.FreeSpace(); err != nil {
		reasons = append(reasons, fmt.Errorf("disk: %w", err))
	} else if free < LeastSpace {
		reasons = append(reasons, fmt.Errorf("disk: %d MiB are free, %d MiB are needed", free>>20, LeastSpace>>20))
	}
	if silent := p.now().Sub(p.jobs.LastRound()); silent > longestRound {
		reasons = append(reasons, fmt.Errorf("jobs: no look for due tasks for %s", silent.Round(time.Second)))
	}
	return errors.Join(reasons...)
}

// Recent reports whether the shop is ready, as a Probe does, but repeats a result for up to recentLife, a second. It is
// for the public address, which any client may call without limit. A drain is reported at once.
type Recent struct {
	probe   *Probe
	mu      sync.Mutex // held during a check: further calls wait for its answer
	checked time.Time  // when the last check began
	found   error
}

// Recent returns a Recent that checks the shop with p.
func (p *Probe) Recent() *Recent { return &Recent{probe: p} }

// Ping returns what Probe.Ping returned at the last check, which is repeated after recentLife.
func (r *Recent) Ping(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.probe.now()
	if r.checked.IsZero() || now.Sub(r.checked) >= recentLife || r.probe.draining.Load() && r.found == nil {
		r.checked, r.found = now, r.probe.Ping(context.WithoutCancel(ctx)) // other callers use the answer too
	}
	return r.found
}

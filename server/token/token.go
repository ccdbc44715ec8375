// Package token keeps the tokens that providers issue to the shop for its calls: bearer tokens, access tokens and
// tickets. All replicas share one token of each name through the store, in which it is encrypted, and one replica at a
// time renews it.
package token

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"marquee/server/durations"
	"marquee/server/fault"
)

// Row is a token as the store keeps it.
type Row struct {
	Sealed  []byte    // id of the pepper, nonce and AES-256-GCM ciphertext, bound to the token's name
	RenewAt time.Time // when the token is to be renewed, by the clock of the provider that issued it
}

// ErrNone means that the store has no token with the name.
var ErrNone = errors.New("token: not stored")

// Store shares tokens between replicas. The times of a lease are those of the replicas' clocks. If the clocks differ by
// more than the length of a lease, two replicas may renew a token at the same time, which only costs a call.
type Store interface {
	// Token returns the row of a name, or ErrNone.
	Token(ctx context.Context, name string) (Row, error)
	// Lease gives holder the right to renew the token with the name, which ends at the time until. It returns false if
	// another holder has that right at the time now.
	Lease(ctx context.Context, name, holder string, now, until time.Time) (bool, error)
	// Save stores a row and ends holder's lease. If holder no longer has the lease, it returns false and stores
	// nothing.
	Save(ctx context.Context, name, holder string, row Row) (bool, error)
	// Release ends holder's lease, if it has one, and keeps the row.
	Release(ctx context.Context, name, holder string) error
}

const (
	// pollInterval is how often a replica checks whether another one has renewed the token.
	pollInterval = 50 * time.Millisecond
	// retryPause is how long the error of a failed renewal is returned to further calls without a new try, so that an
	// outage of the provider does not put load on the store.
	retryPause = 200 * time.Millisecond
)

// Config configures how a Token is fetched and when it is renewed.
type Config struct {
	Name string // unique in the store; it contains the provider and the account
	// Fetch requests a token from the provider. rejected is the token that the provider no longer accepts, or "". The
	// context of Fetch does not end when the call that needs the token ends.
	Fetch  func(ctx context.Context, rejected string) (value string, ends time.Time, err error)
	Limit  time.Duration    // time limit of one Fetch, real time; 0: durations.ProviderCall
	Now    func() time.Time // the clock on which the provider counts the token's life
	Margin time.Duration    // how long before its end a token is renewed; at most half of its life
}

// Token is a credential that all calls of a provider's client share, in all replicas. It is renewed shortly before its
// end. It is safe for concurrent use.
type Token struct {
	cfg    Config
	vault  *Vault // nil: the token belongs to this process only
	flight singleflight.Group

	failure error // of the last renewal; this and retryAt are used only in calls through flight, so no lock
	retryAt time.Time

	mu      sync.Mutex
	value   string
	renewAt time.Time
}

// Get returns the token. It renews the token if there is none, if it is about to end, or if it equals rejected, which
// is a token that the provider no longer accepts ("" for none). To renew means to take the token that another replica
// has stored, or to fetch a new one. Calls that need a new token at the same time share one renewal. Get returns the
// error of the fetch, fault.ErrUnavailable if ctx ends first, or fault.ErrService if the store fails.
func (t *Token) Get(ctx context.Context, rejected string) (string, error) {
	if value, ok := t.current(rejected); ok {
		return value, nil
	}
	result := t.flight.DoChan("", func() (any, error) {
		if value, ok := t.current(rejected); ok {
			return value, nil
		}
		// Other calls wait for this renewal, so it must not end with the context of the call that started it.
		return t.renew(context.WithoutCancel(ctx), rejected)
	})
	select {
	case r := <-result:
		value, _ := r.Val.(string)
		return value, r.Err
	case <-ctx.Done():
		return "", fmt.Errorf("wait for a token: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
}

func (t *Token) current(rejected string) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.value, t.value != "" && t.value != rejected && t.cfg.Now().Before(t.renewAt)
}

func (t *Token) adopt(value string, renewAt time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.value, t.renewAt = value, renewAt
}

// renew takes the stored token if it is usable. Otherwise it fetches a new one if it gets the lease, or waits for the
// replica that has the lease.
func (t *Token) renew(ctx context.Context, rejected string) (string, error) {
	if t.vault == nil {
		return t.fetch(ctx, rejected)
	}
	if now := time.Now(); now.Before(t.retryAt) { // flight runs one renewal at a time, so no lock is needed
		return "", t.failure
	}
	value, err := t.share(ctx, rand.Text(), rejected)
	if err != nil {
		t.failure, t.retryAt = err, time.Now().Add(retryPause)
	}
	return value, err
}

// share renews a token that replicas share through the store. holder identifies this renewal.
func (t *Token) share(ctx context.Context, holder, rejected string) (string, error) {
	for {
		value, usable, err := t.stored(ctx, rejected)
		if err != nil || usable {
			return value, err
		}
		now := time.Now()
		leased, err := t.vault.store.Lease(ctx, t.cfg.Name, holder, now, now.Add(durations.TokenLease))
		if err != nil {
			return "", fmt.Errorf("lease token %s: %w: %w", t.cfg.Name, fault.ErrService, err)
		}
		if leased {
			return t.renewLeased(ctx, holder, rejected)
		}
		time.Sleep(pollInterval)
	}
}

// renewLeased fetches a token, stores it and ends the lease. If another replica has stored a usable token just before
// the lease began, it takes that one instead. If the lease has expired during the fetch, the new token is not stored
// and only this process uses it.
func (t *Token) renewLeased(ctx context.Context, holder, rejected string) (string, error) {
	value, usable, err := t.stored(ctx, rejected)
	if err == nil && !usable {
		value, err = t.fetch(ctx, rejected)
		usable = err != nil // true if the fetch failed: there is nothing to store
	}
	if err != nil || usable {
		if failure := t.vault.store.Release(ctx, t.cfg.Name, holder); failure != nil {
			err = errors.Join(err, fmt.Errorf("release token %s: %w: %w", t.cfg.Name, fault.ErrService, failure))
		}
		return value, err
	}
	t.mu.Lock()
	row := Row{Sealed: t.vault.seal(t.cfg.Name, value), RenewAt: t.renewAt}
	t.mu.Unlock()
	if _, err := t.vault.store.Save(ctx, t.cfg.Name, holder, row); err != nil {
		return "", fmt.Errorf("store token %s: %w: %w", t.cfg.Name, fault.ErrService, err)
	}
	return value, nil
}

// stored reads the token from the store and, if it is usable, keeps it in this process.
func (t *Token) stored(ctx context.Context, rejected string) (value string, usable bool, err error) {
	row, err := t.vault.store.Token(ctx, t.cfg.Name)
	if errors.Is(err, ErrNone) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("read token %s: %w: %w", t.cfg.Name, fault.ErrService, err)
	}
	value, ok := t.vault.open(t.cfg.Name, row.Sealed)
	if !ok || value == rejected || !t.cfg.Now().Before(row.RenewAt) {
		return "", false, nil
	}
	t.adopt(value, row.RenewAt)
	return value, true, nil
}

// fetch requests a token from the provider and keeps it in this process.
func (t *Token) fetch(ctx context.Context, rejected string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(t.cfg.Limit, durations.ProviderCall))
	defer cancel()
	value, ends, err := t.cfg.Fetch(ctx, rejected)
	if err != nil {
		return "", err
	}
	margin := min(t.cfg.Margin, ends.Sub(t.cfg.Now())/2)
	t.adopt(value, ends.Add(-margin))
	return value, nil
}

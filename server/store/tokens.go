package store

import (
	"context"
	"fmt"
	"time"

	"marquee/server/token"
)

// Tokens implements token.Store.
type Tokens struct{ db *Stores }

// Tokens returns the store of the access tokens with which the shop calls providers.
func (s *Stores) Tokens() *Tokens { return &Tokens{s} }

var _ token.Store = (*Tokens)(nil)

// Token implements token.Store.
func (s *Tokens) Token(ctx context.Context, name string) (token.Row, error) {
	return queryOne(ctx, s.db, func(row scanner) (r token.Row, err error) {
		var renewAt int64
		err = row.Scan(&r.Sealed, &renewAt)
		r.RenewAt = fromEpoch(renewAt)
		return r, err
	}, token.ErrNone, `SELECT sealed, renew_at FROM provider_tokens WHERE name = $1 AND sealed IS NOT NULL`, name)
}

// Lease implements token.Store.
func (s *Tokens) Lease(ctx context.Context, name, holder string, now, until time.Time) (bool, error) {
	return s.changed(ctx, `INSERT INTO provider_tokens (name, renew_at, holder, leased_until) VALUES ($1, 0, $2, $4)
		ON CONFLICT (name) DO UPDATE SET holder = $2, leased_until = $4
		WHERE provider_tokens.holder = '' OR provider_tokens.holder = $2 OR provider_tokens.leased_until <= $3`,
		name, holder, toEpoch(now), toEpoch(until))
}

// Save implements token.Store.
func (s *Tokens) Save(ctx context.Context, name, holder string, row token.Row) (bool, error) {
	return s.changed(ctx, `UPDATE provider_tokens SET sealed = $3, renew_at = $4, holder = '', leased_until = 0
		WHERE name = $1 AND holder = $2`, name, holder, row.Sealed, toEpoch(row.RenewAt))
}

// Release implements token.Store.
func (s *Tokens) Release(ctx context.Context, name, holder string) error {
	_, err := s.changed(ctx, `UPDATE provider_tokens SET holder = '', leased_until = 0
		WHERE name = $1 AND holder = $2`, name, holder)
	return err
}

// Forget deletes every token. A shop with simulated providers calls it at its start, because simulators forget the
// tokens of an earlier run.
func (s *Tokens) Forget(ctx context.Context) error {
	_, err := s.changed(ctx, `DELETE FROM provider_tokens`)
	return err
}

// changed runs a statement and reports whether it changed a row.
func (s *Tokens) changed(ctx context.Context, query string, args ...any) (changed bool, err error) {
	err = s.db.write(ctx, func(w *writeTx) error {
		n, err := w.exec(query, args...)
		if err != nil {
			return fmt.Errorf("store: provider token: %w", err)
		}
		changed = n > 0
		return nil
	})
	return changed, err
}

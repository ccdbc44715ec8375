package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"marquee/server/account"
)

// BindIdentity binds an identity to a buyer. It returns account.ErrIdentityTaken if another buyer has it.
func (a *Accounts) BindIdentity(ctx context.Context, openID string, userID int64, now time.Time) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO wx_identities (openid, user_id, bound_at) VALUES (?, ?, ?)
			ON CONFLICT (openid) DO UPDATE SET bound_at = excluded.bound_at WHERE user_id = excluded.user_id`,
			openID, userID, now.Unix())
		if err != nil {
			return err
		}
		var owner int64
		if err := tx.QueryRow(`SELECT user_id FROM wx_identities WHERE openid = ?`, openID).Scan(&owner); err != nil {
			return err
		}
		if owner != userID {
			return account.ErrIdentityTaken
		}
		return nil
	})
}

// IdentityUser returns the buyer of an identity, 0 if it is not bound.
func (a *Accounts) IdentityUser(ctx context.Context, openID string) (int64, error) {
	var id int64
	err := a.db.Read().QueryRowContext(ctx, `SELECT user_id FROM wx_identities WHERE openid = ?`, openID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// OpenID returns the identity that the buyer bound last, "" without one.
func (a *Accounts) OpenID(ctx context.Context, userID int64) (string, error) {
	var openID string
	err := a.db.Read().QueryRowContext(ctx,
		`SELECT openid FROM wx_identities WHERE user_id = ? ORDER BY bound_at DESC, openid LIMIT 1`, userID).Scan(&openID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return openID, err
}

// AddProof saves a proof under its hash.
func (a *Accounts) AddProof(ctx context.Context, hash []byte, openID string, expires time.Time) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO bind_proofs (proof_hash, openid, expires_at) VALUES (?, ?, ?)`,
			hash, openID, expires.Unix())
		return err
	})
}

// CheckProof returns account.ErrOpenIDUnproven unless the proof is valid for the identity. It does not use the proof
// up.
func (a *Accounts) CheckProof(ctx context.Context, hash []byte, openID string, now time.Time) error {
	var n int
	err := a.db.Read().QueryRowContext(ctx,
		`SELECT count(*) FROM bind_proofs WHERE proof_hash = ? AND openid = ? AND used = 0 AND expires_at > ?`,
		hash, openID, now.Unix()).Scan(&n)
	if err == nil && n == 0 {
		return account.ErrOpenIDUnproven
	}
	return err
}

// UseProof uses a proof up. Of two parallel calls with one proof, one gets account.ErrOpenIDUnproven.
func (a *Accounts) UseProof(ctx context.Context, hash []byte, openID string, now time.Time) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		res, err := tx.Exec(
			`UPDATE bind_proofs SET used = 1 WHERE proof_hash = ? AND openid = ? AND used = 0 AND expires_at > ?`,
			hash, openID, now.Unix())
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err == nil && n == 0 {
			return account.ErrOpenIDUnproven
		}
		return err
	})
}

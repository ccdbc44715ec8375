package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"marquee/server/account"
)

// BindIdentity binds an identity to a buyer, with its event. It returns account.ErrIdentityTaken if another buyer has
// it, and account.ErrLoginRequired if the account was closed.
func (a *Accounts) BindIdentity(ctx context.Context, openID string, userID int64, e account.Event) (bound bool, err error) {
	err = a.db.write(ctx, func(w *writeTx) error {
		owners, err := txQueryAll(w, scanValue[int64], `SELECT user_id FROM wx_identities WHERE openid = ?`, openID)
		if err != nil {
			return err
		}
		bound = len(owners) == 0
		if !bound {
			if owners[0] != userID {
				return account.ErrIdentityTaken
			}
			_, err := w.exec(`UPDATE wx_identities SET used_at = ? WHERE openid = ?`, e.At.Unix(), openID)
			return err
		}
		res, err := w.exec(`INSERT INTO wx_identities (openid, user_id, bound_at, used_at)
			SELECT ?1, id, ?2, ?2 FROM users WHERE id = ?3 AND closed_at = 0`, openID, e.At.Unix(), userID)
		if err != nil {
			return err
		}
		if err := requireRow(res, account.ErrLoginRequired); err != nil {
			return err
		}
		return insertEvent(w, e)
	})
	return bound, err
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

// IdentityBoundAt returns when the buyer bound the identity, and account.ErrOpenIDUnproven if it is not the buyer's.
func (a *Accounts) IdentityBoundAt(ctx context.Context, openID string, userID int64) (time.Time, error) {
	at, err := queryOne(ctx, a.db, scanValue[int64], account.ErrOpenIDUnproven,
		`SELECT bound_at FROM wx_identities WHERE openid = ? AND user_id = ?`, openID, userID)
	return time.Unix(at, 0), err
}

// OpenID returns the identity that the buyer bound last, "" without one.
func (a *Accounts) OpenID(ctx context.Context, userID int64) (string, error) {
	var openID string
	err := a.db.Read().QueryRowContext(ctx,
		`SELECT openid FROM wx_identities WHERE user_id = ? ORDER BY used_at DESC, openid LIMIT 1`, userID).Scan(&openID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return openID, err
}

// AddProof saves a proof under its hash.
func (a *Accounts) AddProof(ctx context.Context, hash []byte, subject string, expires time.Time) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO proofs (proof_hash, subject, expires_at) VALUES (?, ?, ?)`,
			hash, subject, expires.Unix())
		return err
	})
}

// CheckProof returns account.ErrOpenIDUnproven unless the proof is valid for the subject. It does not use the proof
// up.
func (a *Accounts) CheckProof(ctx context.Context, hash []byte, subject string, now time.Time) error {
	var n int
	err := a.db.Read().QueryRowContext(ctx,
		`SELECT count(*) FROM proofs WHERE proof_hash = ? AND subject = ? AND used = 0 AND expires_at > ?`,
		hash, subject, now.Unix()).Scan(&n)
	if err == nil && n == 0 {
		return account.ErrOpenIDUnproven
	}
	return err
}

// UseProof uses a proof up. Of two parallel calls with one proof, one gets account.ErrOpenIDUnproven.
func (a *Accounts) UseProof(ctx context.Context, hash []byte, subject string, now time.Time) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		res, err := tx.Exec(
			`UPDATE proofs SET used = 1 WHERE proof_hash = ? AND subject = ? AND used = 0 AND expires_at > ?`,
			hash, subject, now.Unix())
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

// UseDevice moves the device to its fresh hash if it logs in the buyer of the identity. Of two parallel calls with one
// hash, one gets account.ErrOpenIDUnproven.
func (a *Accounts) UseDevice(ctx context.Context, openID string, hash, fresh []byte, since time.Time) (int64, error) {
	var userID int64
	err := a.db.write(ctx, func(w *writeTx) error {
		users, err := txQueryAll(w, scanValue[int64], `SELECT d.user_id FROM known_devices d
			JOIN wx_identities i ON i.user_id = d.user_id
			WHERE d.token_hash = ? AND d.logs_in = 1 AND d.seen_at >= ? AND i.openid = ?`, hash, since.Unix(), openID)
		if err != nil {
			return err
		}
		if len(users) == 0 {
			return account.ErrOpenIDUnproven
		}
		userID = users[0]
		_, err = w.exec(`UPDATE known_devices SET token_hash = ? WHERE token_hash = ?`, fresh, hash)
		return err
	})
	return userID, err
}

package store

import (
	"context"
	"time"

	"marquee/server/account"
)

// BindIdentity binds an identity to a buyer, with its event. It returns account.ErrIdentityTaken if another buyer has
// it, and account.ErrLoginRequired if the account was closed.
func (a *Accounts) BindIdentity(ctx context.Context, openID string, userID int64,
	e account.Event) (bound bool, err error) {
	err = a.db.write(ctx, func(w *writeTx) error {
		if err := w.lock("identity " + openID); err != nil {
			return err
		}
		if err := w.lockUser(userID); err != nil {
			return err
		}
		owners, err := txQueryAll(w, scanValue[int64], `SELECT user_id FROM wx_identities WHERE openid = $1`, openID)
		if err != nil {
			return err
		}
		bound = len(owners) == 0
		if !bound {
			if owners[0] != userID {
				return account.ErrIdentityTaken
			}
			_, err := w.exec(`UPDATE wx_identities SET used_at = $1 WHERE openid = $2`, e.At.Unix(), openID)
			return err
		}
		added, err := w.exec(`INSERT INTO wx_identities (openid, user_id, bound_at, used_at)
			SELECT $1, id, $2, $2 FROM users WHERE id = $3 AND closed_at = 0`, openID, e.At.Unix(), userID)
		if err != nil {
			return err
		}
		if err := requireRow(added, account.ErrLoginRequired); err != nil {
			return err
		}
		return insertEvent(w, e)
	})
	return bound, err
}

// IdentityUser returns the buyer of an identity, 0 if it is not bound.
func (a *Accounts) IdentityUser(ctx context.Context, openID string) (int64, error) {
	found, err := queryAll(ctx, a.db, scanValue[int64], `SELECT user_id FROM wx_identities WHERE openid = $1`, openID)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// IdentityBoundAt returns when the buyer bound the identity, and account.ErrOpenIDUnproven if it is not the buyer's.
func (a *Accounts) IdentityBoundAt(ctx context.Context, openID string, userID int64) (time.Time, error) {
	at, err := queryOne(ctx, a.db, scanValue[int64], account.ErrOpenIDUnproven,
		`SELECT bound_at FROM wx_identities WHERE openid = $1 AND user_id = $2`, openID, userID)
	return time.Unix(at, 0), err
}

// OpenID returns the identity that the buyer bound last, "" without one.
func (a *Accounts) OpenID(ctx context.Context, userID int64) (string, error) {
	found, err := queryAll(ctx, a.db, scanValue[string],
		`SELECT openid FROM wx_identities WHERE user_id = $1 ORDER BY used_at DESC, openid LIMIT 1`, userID)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// AddProof saves a proof under its hash.
func (a *Accounts) AddProof(ctx context.Context, hash []byte, subject string, expires time.Time) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`INSERT INTO proofs (proof_hash, subject, expires_at) VALUES ($1, $2, $3)`,
			hash, subject, expires.Unix())
		return err
	})
}

// CheckProof returns account.ErrOpenIDUnproven unless the proof is valid for the subject. It does not use the proof
// up.
func (a *Accounts) CheckProof(ctx context.Context, hash []byte, subject string, now time.Time) error {
	_, err := queryOne(ctx, a.db, scanValue[string], account.ErrOpenIDUnproven,
		`SELECT subject FROM proofs WHERE proof_hash = $1 AND subject = $2 AND used = FALSE AND expires_at > $3`,
		hash, subject, now.Unix())
	return err
}

// UseProof uses a proof up. Of two parallel calls with one proof, one gets account.ErrOpenIDUnproven.
func (a *Accounts) UseProof(ctx context.Context, hash []byte, subject string, now time.Time) error {
	return a.db.write(ctx, func(w *writeTx) error {
		used, err := w.exec(
			`UPDATE proofs SET used = TRUE WHERE proof_hash = $1 AND subject = $2 AND used = FALSE AND expires_at > $3`,
			hash, subject, now.Unix())
		if err != nil {
			return err
		}
		return requireRow(used, account.ErrOpenIDUnproven)
	})
}

// UseDevice moves the device to its fresh hash if it logs in the buyer of the identity. Of two parallel calls with one
// hash, one gets account.ErrOpenIDUnproven.
func (a *Accounts) UseDevice(ctx context.Context, openID string, hash, fresh []byte, since time.Time) (int64, error) {
	var userID int64
	err := a.db.write(ctx, func(w *writeTx) error {
		users, err := txQueryAll(w, scanValue[int64], `SELECT d.user_id FROM known_devices d
			JOIN wx_identities i ON i.user_id = d.user_id
			WHERE d.token_hash = $1 AND d.logs_in = TRUE AND d.seen_at >= $2 AND i.openid = $3`,
			hash, since.Unix(), openID)
		if err != nil {
			return err
		}
		if len(users) == 0 {
			return account.ErrOpenIDUnproven
		}
		userID = users[0]
		moved, err := w.exec(`UPDATE known_devices SET token_hash = $1 WHERE token_hash = $2`, fresh, hash)
		if err != nil {
			return err
		}
		return requireRow(moved, account.ErrOpenIDUnproven)
	})
	return userID, err
}

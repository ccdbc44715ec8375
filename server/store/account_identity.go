package store

import (
	"context"
	"crypto/subtle"
	"errors"
	"slices"
	"time"

	"marquee/server/account"
)

// BindIdentity binds an identity to a buyer, or confirms one that is bound, and saves the event of a change. It returns
// account.ErrIdentityTaken if another buyer has the identity, account.ErrIdentityFurther if the buyer has other
// identities and has not agreed to a further one, and account.ErrLoginRequired if the account was closed.
func (a *Accounts) BindIdentity(ctx context.Context, b account.Binding, e account.Event) (changed bool, err error) {
	err = a.db.write(ctx, func(w *writeTx) error {
		changed = false
		if err := w.lock("identity " + b.OpenID); err != nil {
			return err
		}
		if err := w.lockUser(b.UserID); err != nil {
			return err
		}
		bound, err := txQueryAll(w, scanBound, `SELECT user_id, `+boundColumns+` FROM wx_identities
			WHERE openid = $1 OR user_id = $2`, b.OpenID, b.UserID)
		if err != nil {
			return err
		}
		confirmedAt := int64(0)
		if b.Confirmed {
			confirmedAt = e.At.Unix()
		}
		own := slices.IndexFunc(bound, func(o ownedIdentity) bool { return o.OpenID == b.OpenID })
		switch {
		case own >= 0 && bound[own].userID != b.UserID:
			return account.ErrIdentityTaken
		case own >= 0:
			changed = b.Confirmed && !bound[own].Confirmed
			_, err = w.exec(`UPDATE wx_identities SET used_at = $1,
				confirmed_at = CASE WHEN confirmed_at = 0 THEN $2 ELSE confirmed_at END
				WHERE openid = $3`, e.At.Unix(), confirmedAt, b.OpenID)
		case len(bound) > 0 && !b.Further:
			return account.ErrIdentityFurther
		default:
			changed = true
			var added int64
			added, err = w.exec(`INSERT INTO wx_identities (openid, user_id, bound_at, used_at, confirmed_at)
				SELECT $1, id, $2, $2, $3 FROM users
				WHERE id = $4 AND closed_at = 0`, b.OpenID, e.At.Unix(), confirmedAt, b.UserID)
			if err == nil {
				err = requireRow(added, account.ErrLoginRequired)
			}
		}
		if err != nil || !changed {
			return err
		}
		// A buyer who signs up with an identity and a code needs no notice of that identity.
		if signUp, err := isFirstLogin(w, e, 0); err != nil || signUp && b.Confirmed || own >= 0 {
			return errors.Join(err, insertEvent(w, e))
		}
		return errors.Join(insertEvent(w, e), notify(w, account.NewIdentity, e))
	})
	return changed, err
}

// boundColumns are the columns of an identity that scanBound reads after user_id.
const boundColumns = `openid, bound_at, used_at, confirmed_at > 0`

// ownedIdentity is an identity with its buyer.
type ownedIdentity struct {
	account.BoundIdentity
	userID int64
}

func scanBound(row scanner) (o ownedIdentity, err error) {
	var bound, used int64
	err = row.Scan(&o.userID, &o.OpenID, &bound, &used, &o.Confirmed)
	o.BoundAt, o.UsedAt = time.Unix(bound, 0), time.Unix(used, 0)
	return o, err
}

// Identities lists the identities of a buyer, the latest used first.
func (a *Accounts) Identities(ctx context.Context, userID int64) ([]account.BoundIdentity, error) {
	scan := func(row scanner) (account.BoundIdentity, error) {
		o, err := scanBound(row)
		return o.BoundIdentity, err
	}
	return queryAll(ctx, a.db, scan, `SELECT user_id, `+boundColumns+` FROM wx_identities WHERE user_id = $1
		ORDER BY used_at DESC, openid`, userID)
}

// IsFurther reports whether the account with the phone has other identities and not the given one.
func (a *Accounts) IsFurther(ctx context.Context, phone, openID string) (bool, error) {
	return queryOne(ctx, a.db, scanValue[bool], nil, `SELECT count(*) > 0 AND count(*) FILTER (WHERE i.openid = $2) = 0
		FROM wx_identities i JOIN users u ON u.id = i.user_id WHERE u.phone = $1`, phone, openID)
}

// IdentityUser returns the buyer of an identity, or 0 if it is not bound.
func (a *Accounts) IdentityUser(ctx context.Context, openID string) (int64, error) {
	found, err := queryAll(ctx, a.db, scanValue[int64], `SELECT user_id FROM wx_identities WHERE openid = $1`, openID)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// OpenID returns the identity that the buyer used last, or "" if there is none.
func (a *Accounts) OpenID(ctx context.Context, userID int64) (string, error) {
	found, err := queryAll(ctx, a.db, scanValue[string],
		`SELECT openid FROM wx_identities WHERE user_id = $1 ORDER BY used_at DESC, openid LIMIT 1`, userID)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// AddProof saves a proof under its hash.
func (a *Accounts) AddProof(ctx context.Context, p account.StoredProof, expires time.Time) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`INSERT INTO proofs (proof_hash, kind, subject, browser, expires_at)
			VALUES ($1, $2, $3, $4, $5)`, p.Hash, string(p.Kind), p.Subject, p.Browser, expires.Unix())
		return err
	})
}

// validProof selects the browser of the proof $1 of the kind $2 for the subject $3, if it is valid at $4.
const validProof = `SELECT browser FROM proofs
	WHERE proof_hash = $1 AND kind = $2 AND subject = $3 AND used = FALSE AND expires_at > $4`

// CheckProof returns account.ErrUnproven unless the proof is valid, and account.ErrProofBrowser if it is valid in
// another browser. The proof stays valid.
func (a *Accounts) CheckProof(ctx context.Context, p account.StoredProof, now time.Time) error {
	browser, err := queryOne(ctx, a.db, scanValue[[]byte], account.ErrUnproven,
		validProof, p.Hash, string(p.Kind), p.Subject, now.Unix())
	if err == nil && subtle.ConstantTimeCompare(p.Browser, browser) != 1 {
		return account.ErrProofBrowser
	}
	return err
}

// UseProof does what CheckProof does, then invalidates the proof. If two calls use it at the same time, one gets
// account.ErrUnproven.
func (a *Accounts) UseProof(ctx context.Context, p account.StoredProof, now time.Time) error {
	return a.db.write(ctx, func(w *writeTx) error {
		browser, err := txQueryOne(w, scanValue[[]byte], account.ErrUnproven,
			validProof+w.db.sql.lockRow, p.Hash, string(p.Kind), p.Subject, now.Unix())
		if err != nil {
			return err
		}
		if subtle.ConstantTimeCompare(p.Browser, browser) != 1 {
			return account.ErrProofBrowser
		}
		_, err = w.exec(`UPDATE proofs SET used = TRUE WHERE proof_hash = $1`, p.Hash)
		return err
	})
}

// UseDevice returns the buyer of the identity if the device was seen since the given time and can log that buyer in,
// and replaces the hash of the device's token by a fresh one. Otherwise it returns account.ErrOpenIDUnproven, as it
// does for one of two concurrent calls with the same hash.
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

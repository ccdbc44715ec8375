package store

import (
	"context"
	"errors"
	"time"

	"marquee/server/account"
	"marquee/server/durations"
)

// Accounts implements the store interfaces of package account for users, sessions, identities and passwords. Each
// method is one transaction.
type Accounts struct{ db *Stores }

// Accounts returns the account store.
func (s *Stores) Accounts() *Accounts { return &Accounts{s} }

// userColumns are the columns that scanUser reads.
const userColumns = `users.id, coalesce(phone, ''), avatar_url, password_hash <> '', users.created_at, phone_proven_at,
	unproven_since`

func scanUser(row scanner) (u account.User, err error) { return scanUserAnd(row) }

// scanUserAnd scans userColumns and the columns after them.
func scanUserAnd(row scanner, more ...any) (account.User, error) {
	var u account.User
	var created, proven, unproven int64
	err := row.Scan(append([]any{
		&u.ID, &u.Phone, &u.AvatarURL, &u.HasPassword, &created, &proven, &unproven,
	}, more...)...)
	u.CreatedAt, u.PhoneProvenAt, u.UnprovenSince = time.Unix(created, 0), time.Unix(proven, 0), fromEpoch(unproven)
	return u, err
}

// EnsureUser returns the buyer with a phone, and creates one if there is none.
func (a *Accounts) EnsureUser(ctx context.Context, phone string, now time.Time) (account.User, error) {
	var u account.User
	err := a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`INSERT INTO users (phone, phone_proven_at, phone_entered_at, created_at)
			VALUES ($1, $2, $2, $2) ON CONFLICT (phone) DO NOTHING`, phone, now.Unix())
		if err != nil {
			return err
		}
		u, err = txQueryOne(w, scanUser, nil, `SELECT `+userColumns+` FROM users WHERE phone = $1`, phone)
		return err
	})
	return u, err
}

// User returns account.ErrLoginRequired if there is no such buyer or the account is closed.
func (a *Accounts) User(ctx context.Context, id int64) (account.User, error) {
	return queryOne(ctx, a.db, scanUser, account.ErrLoginRequired,
		`SELECT `+userColumns+` FROM users WHERE id = $1 AND closed_at = 0`, id)
}

// UserWithPhone returns account.ErrLoginRequired if no account has the phone.
func (a *Accounts) UserWithPhone(ctx context.Context, phone string) (account.User, error) {
	return queryOne(ctx, a.db, scanUser, account.ErrLoginRequired, `SELECT `+userColumns+` FROM users
		WHERE phone = $1`, phone)
}

// AddSession saves a session under the hash of its token, and the event of the login. It fails if the hash exists. It
// returns account.ErrLoginRequired if the account was closed. It also does so for a session opened by a link if the
// session from which the link came has ended.
func (a *Accounts) AddSession(ctx context.Context, s account.NewSession, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(s.UserID); err != nil {
			return err
		}
		added, err := w.exec(`INSERT INTO sessions (token_hash, user_id, method, openid, created_at, used_at,
				expires_at, device, network, opened_by, limited)
			SELECT $1, id, $2, $3, $4, $4, $5, $7, $8, $9, $10 FROM users WHERE id = $6 AND closed_at = 0
				AND ($2 <> 'link' OR EXISTS (SELECT 1 FROM sessions WHERE token_hash = $9 AND revoked_at = 0))`, s.Hash,
			string(s.Method), s.OpenID, s.Created.Unix(), s.Expires.Unix(), s.UserID, s.Device, s.Network, s.OpenedBy,
			s.Limited)
		if err != nil {
			return err
		}
		if err := requireRow(added, account.ErrLoginRequired); err != nil {
			return err
		}
		if s.Method == account.ByLink {
			if err := endOldLinks(w, s.Hash, s.Created); err != nil {
				return err
			}
		}
		if s.Method == account.ByCode {
			if err := enterPhone(w, s.UserID, s.Created); err != nil {
				return err
			}
		}
		return insertEvent(w, e)
	})
}

// endOldLinks ends the oldest of the sessions that were opened, directly or indirectly, by links from the same session
// as the new one, so that account.LinkSessions of them remain. hash is that of the new session's token. It returns
// account.ErrLoginRequired if the new session would end, too.
func endOldLinks(w *writeTx, hash []byte, now time.Time) error {
	live, err := txQueryAll(w, scanValue[[]byte], `WITH RECURSIVE
		above (hash, opener) AS (SELECT token_hash, opened_by FROM sessions WHERE token_hash = $1
			UNION SELECT token_hash, opened_by FROM sessions JOIN above ON token_hash = opener),
		below (hash) AS (SELECT hash FROM above WHERE opener IS NULL
			UNION SELECT token_hash FROM sessions JOIN below ON opened_by = hash)
		SELECT token_hash FROM sessions JOIN below ON token_hash = hash
		WHERE opened_by IS NOT NULL AND revoked_at = 0 AND expires_at > $2
		ORDER BY CASE WHEN token_hash = $1 THEN 0 ELSE 1 END, created_at DESC, token_hash`, hash, now.Unix())
	if err != nil || len(live) <= account.LinkSessions {
		return err
	}
	for _, old := range live[account.LinkSessions:] {
		if _, err := w.exec(`UPDATE sessions SET revoked_at = $1 WHERE token_hash IN (`+withLinked+`)
			AND revoked_at = 0`, now.Unix(), old); err != nil {
			return err
		}
	}
	_, err = txQueryOne(w, scanValue[int64], account.ErrLoginRequired,
		`SELECT user_id FROM sessions WHERE token_hash = $1 AND revoked_at = 0`, hash)
	return err
}

// enterPhone records that a code sent to the phone was entered to log in. This proves the phone unless the account is
// dormant, by the condition of account.User.Dormant.
func enterPhone(w *writeTx, userID int64, at time.Time) error {
	_, err := w.exec(`UPDATE users SET
		phone_proven_at = CASE WHEN phone_proven_at >= $1 THEN $2 ELSE phone_proven_at END,
		unproven_since = CASE WHEN phone_proven_at >= $1 THEN 0
			WHEN unproven_since = 0 OR phone_entered_at < $1 THEN $2 ELSE unproven_since END,
		phone_entered_at = $2
		WHERE id = $3`, at.Add(-durations.Dormant).Unix(), at.Unix(), userID)
	return err
}

// Session returns a session that is neither revoked nor expired, and account.ErrLoginRequired otherwise. It has neither
// device nor network.
func (a *Accounts) Session(ctx context.Context, hash []byte, now time.Time) (account.Session, error) {
	scan := func(row scanner) (account.Session, error) {
		var created, used, expires int64
		s := account.Session{LiveSession: account.LiveSession{Hash: hash}}
		u, err := scanUserAnd(row, &s.Method, &s.Limited, &s.OpenID, &created, &used, &expires)
		s.User, s.Created, s.Used, s.Expires = u, time.Unix(created, 0), time.Unix(used, 0), time.Unix(expires, 0)
		return s, err
	}
	return queryOne(ctx, a.db, scan, account.ErrLoginRequired, `SELECT `+userColumns+`, method, limited, openid,
		sessions.created_at, used_at, expires_at FROM sessions JOIN users ON users.id = user_id
		WHERE token_hash = $1 AND revoked_at = 0 AND expires_at > $2`, hash, now.Unix())
}

// SetSessionOpenID saves the identity that a session pays with.
func (a *Accounts) SetSessionOpenID(ctx context.Context, hash []byte, openID string) error {
	return a.db.write(ctx, func(w *writeTx) error {
		changed, err := w.exec(`UPDATE sessions SET openid = $1 WHERE token_hash = $2 AND revoked_at = 0`, openID, hash)
		if err != nil {
			return err
		}
		return requireRow(changed, account.ErrLoginRequired)
	})
}

// SessionHasOpenID reports whether a live session of the buyer pays with the identity.
func (a *Accounts) SessionHasOpenID(ctx context.Context, userID int64, openID string, now time.Time) (bool, error) {
	found, err := queryAll(ctx, a.db, scanValue[int64], `SELECT user_id FROM sessions
		WHERE user_id = $1 AND openid = $2 AND revoked_at = 0 AND expires_at > $3 LIMIT 1`,
		userID, openID, now.Unix())
	return len(found) > 0, err
}

// ConfirmSession records that the session with the hash was confirmed by a code. If a link opened it, it no longer
// counts as opened by a link. If c.ProvenAt is set, it saves that time as the last proof of the buyer's phone, and ends
// the limited access of the session. Without a hash it ends the limited access of all sessions of the buyer. It returns
// account.ErrLoginRequired if the session has ended or the account was closed.
func (a *Accounts) ConfirmSession(ctx context.Context, c account.Confirmation) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(c.UserID); err != nil {
			return err
		}
		if c.Hash != nil {
			changed, err := w.exec(`UPDATE sessions SET method = 'code', opened_by = NULL,
				limited = CASE WHEN $4 THEN FALSE ELSE limited END
				WHERE token_hash = $1 AND user_id = $2 AND revoked_at = 0 AND expires_at > $3`,
				c.Hash, c.UserID, c.Event.At.Unix(), !c.ProvenAt.IsZero())
			if err != nil {
				return err
			}
			if err := requireRow(changed, account.ErrLoginRequired); err != nil {
				return err
			}
		} else if _, err := w.exec(`UPDATE sessions SET limited = FALSE WHERE user_id = $1`, c.UserID); err != nil {
			return err
		}
		if !c.ProvenAt.IsZero() {
			changed, err := w.exec(`UPDATE users SET unproven_since = 0,
				phone_proven_at = CASE WHEN phone_proven_at > $1 THEN phone_proven_at ELSE $1 END
				WHERE id = $2 AND closed_at = 0`, c.ProvenAt.Unix(), c.UserID)
			if err != nil {
				return err
			}
			if err := requireRow(changed, account.ErrLoginRequired); err != nil {
				return err
			}
		}
		return insertEvent(w, c.Event)
	})
}

// TouchSession saves when and from which network a session is used; "" keeps the network.
func (a *Accounts) TouchSession(ctx context.Context, hash []byte, network string, now time.Time) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`UPDATE sessions SET used_at = $1, network = CASE WHEN $2 = '' THEN network ELSE $2 END
			WHERE token_hash = $3`, now.Unix(), network, hash)
		return err
	})
}

// Sessions lists the sessions of a buyer that have not ended, the latest used first.
func (a *Accounts) Sessions(ctx context.Context, userID int64, now time.Time) ([]account.LiveSession, error) {
	scan := func(row scanner) (s account.LiveSession, err error) {
		var created, used int64
		err = row.Scan(&s.Hash, &s.Method, &s.Device, &s.Network, &created, &used)
		s.Created, s.Used = time.Unix(created, 0), time.Unix(used, 0)
		return s, err
	}
	return queryAll(ctx, a.db, scan, `SELECT token_hash, method, device, network, created_at, used_at FROM sessions
		WHERE user_id = $1 AND revoked_at = 0 AND expires_at > $2
		ORDER BY used_at DESC, created_at DESC, token_hash LIMIT $3`+planOnce, userID, now.Unix(), account.MaxSessions)
}

// withLinked selects the hash $2 of a session and, recursively, the hashes of the sessions that were opened by links
// from it.
const withLinked = `WITH RECURSIVE ending (hash) AS (SELECT token_hash FROM sessions WHERE token_hash = $2
	UNION SELECT token_hash FROM sessions JOIN ending ON opened_by = hash) SELECT hash FROM ending`

// EndSession ends a session of the buyer and the sessions that were opened by links from it, and ends quick login on
// all devices. It returns account.ErrSessionUnknown if the buyer has no such session.
func (a *Accounts) EndSession(ctx context.Context, userID int64, hash []byte, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(userID); err != nil {
			return err
		}
		ended, err := w.exec(`UPDATE sessions SET revoked_at = $1 WHERE token_hash IN (`+withLinked+`)
			AND user_id = $3 AND revoked_at = 0`, e.At.Unix(), hash, userID)
		if err != nil {
			return err
		}
		if err := requireRow(ended, account.ErrSessionUnknown); err != nil {
			return err
		}
		if _, err := w.exec(`UPDATE known_devices SET logs_in = FALSE WHERE user_id = $1`, userID); err != nil {
			return err
		}
		return insertEvent(w, e)
	})
}

// EndSessions ends all sessions of the buyer except the one with the hash keep. If that one was opened by a link, the
// sessions from which the link came are kept, too, because it would end with them. It removes the identities that are
// not confirmed, and forgets the buyer's devices.
func (a *Accounts) EndSessions(ctx context.Context, userID int64, keep []byte, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(userID); err != nil {
			return err
		}
		if err := errors.Join(endSessions(w, userID, keep), removeUnconfirmed(w, userID)); err != nil {
			return err
		}
		return insertEvent(w, e)
	})
}

// RevokeSession ends a session and the sessions that were opened by links from it, saves the event, and reports whether
// the session was live. It also ends quick login on the device, or on all devices of the buyer if the device is not
// known for the buyer; the end of a session by link does neither. Revoking an unknown or a revoked session succeeds.
func (a *Accounts) RevokeSession(
	ctx context.Context, hash, device []byte, now time.Time, e account.Event,
) (live bool, err error) {
	err = a.db.write(ctx, func(w *writeTx) error {
		// AddSession takes the same lock, so that no session can be opened by a link from this one at the same time.
		owners, err := txQueryAll(w, scanValue[int64], `SELECT user_id FROM sessions WHERE token_hash = $1`, hash)
		if err != nil {
			return err
		}
		for _, owner := range owners {
			if err := w.lockUser(owner); err != nil {
				return err
			}
		}
		if _, err := w.exec(`UPDATE known_devices SET logs_in = FALSE WHERE token_hash = $1
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE token_hash = $2 AND method = 'link')`,
			device, hash); err != nil {
			return err
		}
		users, err := txQueryAll(w, scanValue[int64], `UPDATE sessions SET revoked_at = $1
			WHERE token_hash IN (`+withLinked+`) AND revoked_at = 0 RETURNING user_id`, now.Unix(), hash)
		if live = len(users) > 0; !live || err != nil {
			return err
		}
		e.UserID = users[0]
		if _, err := w.exec(`UPDATE known_devices SET logs_in = FALSE WHERE user_id = $1
			AND NOT EXISTS (SELECT 1 FROM known_devices WHERE token_hash = $2 AND user_id = $1)
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE token_hash = $3 AND method = 'link')`,
			e.UserID, device, hash); err != nil {
			return err
		}
		return insertEvent(w, e)
	})
	return live, err
}

// endSessions deletes the sessions of a buyer except the one with the hash keep; nil keeps none. It also deletes the
// buyer's known devices.
func endSessions(w *writeTx, userID int64, keep []byte) error {
	if keep == nil {
		keep = []byte("none") // a comparison with NULL selects nothing
	}
	if _, err := w.exec(`DELETE FROM sessions WHERE user_id = $1 AND token_hash NOT IN (
		WITH RECURSIVE kept (hash, opener) AS (SELECT token_hash, opened_by FROM sessions WHERE token_hash = $2
			UNION SELECT token_hash, opened_by FROM sessions JOIN kept ON token_hash = opener) SELECT hash FROM kept)`,
		userID, keep); err != nil {
		return err
	}
	_, err := w.exec(`DELETE FROM known_devices WHERE user_id = $1`, userID)
	return err
}

package store

import (
	"context"
	"errors"
	"time"

	"marquee/server/account"
)

// SetPhone sets the phone of the account, removes the identities that are not confirmed, and ends all sessions except
// the one with the hash keep. If a dormant account has the phone, that account loses it. It returns
// account.ErrPhoneTaken if any other account has the phone, and account.ErrLoginRequired if the account was closed.
func (a *Accounts) SetPhone(ctx context.Context, userID int64, phone string, keep []byte, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if err := w.lock("phone " + phone); err != nil {
			return err
		}
		if err := w.lockUser(userID); err != nil {
			return err
		}
		owners, err := txQueryAll(w, scanUser, `SELECT `+userColumns+` FROM users WHERE phone = $1
			AND id <> $2`, phone, userID)
		if err != nil {
			return err
		}
		for _, owner := range owners {
			if !owner.Dormant(e.At) {
				return account.ErrPhoneTaken
			}
			lost := e
			lost.Kind, lost.UserID = account.PhoneUnbound, owner.ID
			if err := releasePhone(w, owner.ID, phone, nil, lost); err != nil {
				return err
			}
		}
		if err := errors.Join(removeUnconfirmed(w, userID), notify(w, account.NewPhone, e)); err != nil {
			return err
		}
		changed, err := w.exec(`UPDATE users SET phone = $1, phone_proven_at = $2, unproven_since = 0
			WHERE id = $3 AND closed_at = 0`, phone, e.At.Unix(), userID)
		if err != nil {
			return err
		}
		if err := requireRow(changed, account.ErrLoginRequired); err != nil {
			return err
		}
		if err := endSessions(w, userID, keep); err != nil {
			return err
		}
		return insertEvent(w, e)
	})
}

// removeUnconfirmed removes the identities of the account that are not confirmed.
func removeUnconfirmed(w *writeTx, userID int64) error {
	_, err := w.exec(`DELETE FROM wx_identities WHERE user_id = $1 AND confirmed_at = 0`, userID)
	return err
}

// ReleasePhone removes the phone from the account and ends all sessions except the one with the hash keep. With keep it
// also removes the identities that are not confirmed. It returns account.ErrPhoneMissing if the account no longer has
// that phone.
func (a *Accounts) ReleasePhone(ctx context.Context, userID int64, phone string, keep []byte, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error { return releasePhone(w, userID, phone, keep, e) })
}

func releasePhone(w *writeTx, userID int64, phone string, keep []byte, e account.Event) error {
	if err := w.lockUser(userID); err != nil {
		return err
	}
	changed, err := w.exec(`UPDATE users SET phone = NULL, phone_proven_at = CASE WHEN $1 THEN $2
		ELSE phone_proven_at END, unproven_since = 0
		WHERE id = $3 AND phone = $4`, keep != nil, e.At.Unix(), userID, phone)
	if err != nil {
		return err
	}
	if err := requireRow(changed, account.ErrPhoneMissing); err != nil {
		return err
	}
	if keep != nil {
		if err := removeUnconfirmed(w, userID); err != nil {
			return err
		}
	}
	if err := endSessions(w, userID, keep); err != nil {
		return err
	}
	return insertEvent(w, e)
}

// UnbindIdentities removes an identity of the account, or all if openID is "", and ends all sessions except the one
// with the hash keep. It returns account.ErrIdentityUnbound if the account has no such identity.
func (a *Accounts) UnbindIdentities(
	ctx context.Context, userID int64, openID string, keep []byte, e account.Event,
) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(userID); err != nil {
			return err
		}
		changed, err := w.exec(`DELETE FROM wx_identities WHERE user_id = $1 AND ($2 = '' OR openid = $2)`,
			userID, openID)
		if err != nil {
			return err
		}
		if err := requireRow(changed, account.ErrIdentityUnbound); err != nil {
			return err
		}
		if err := endSessions(w, userID, keep); err != nil {
			return err
		}
		return insertEvent(w, e)
	})
}

// insertEvent adds an event to the journal. An event without a buyer belongs to the account with the phone; it is not
// added if there is none.
func insertEvent(w *writeTx, e account.Event) error {
	_, err := w.exec(`INSERT INTO account_events (at, kind, user_id, phone, address, actor, detail)
		SELECT $1, $2, id, $5, $6, $7, $8 FROM users WHERE CASE WHEN CAST($3 AS BIGINT) <> 0 THEN id = $3
		ELSE phone = $4 END`,
		e.At.Unix(), string(e.Kind), e.UserID, e.Phone, account.MaskPhone(e.Phone), e.Address, e.Actor, e.Detail)
	return err
}

// AddEvent saves an event that is not part of a change. It does nothing for a rejected attempt if the account already
// has account.MaxRejected events of that kind within the last hour.
func (a *Accounts) AddEvent(ctx context.Context, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if e.Kind.Rejected() {
			n, err := txQueryOne(w, scanValue[int64], nil, `SELECT count(*) FROM account_events
				WHERE user_id = CASE WHEN $5 <> 0 THEN $5 ELSE (SELECT id FROM users WHERE phone = $1) END
				AND kind = $2 AND at > $3 AND at <= $4`,
				e.Phone, string(e.Kind), e.At.Add(-time.Hour).Unix(), e.At.Unix(), e.UserID)
			if err != nil || n >= account.MaxRejected {
				return err
			}
		}
		return insertEvent(w, e)
	})
}

// maxEvents is the default for the maximum number of events of a list.
const maxEvents = 100

// Events lists events, the latest first.
func (a *Accounts) Events(ctx context.Context, f account.EventFilter) ([]account.Event, error) {
	if f.Most <= 0 {
		f.Most = maxEvents
	}
	scan := func(row scanner) (e account.Event, err error) {
		var at int64
		err = row.Scan(&at, &e.Kind, &e.UserID, &e.Phone, &e.Address, &e.Actor, &e.Detail)
		e.At = time.Unix(at, 0)
		return e, err
	}
	where, args := `at >= $1`, []any{f.Since.Unix()}
	if f.UserID != 0 {
		where, args = where+` AND user_id = `+placeholders(len(args)+1, 1), append(args, f.UserID)
	}
	if f.Kind != "" {
		where, args = where+` AND kind = `+placeholders(len(args)+1, 1), append(args, string(f.Kind))
	}
	return queryAll(ctx, a.db, scan, `SELECT at, kind, user_id, phone, address, actor, detail FROM account_events
		WHERE `+where+` ORDER BY at DESC, id DESC LIMIT `+placeholders(len(args)+1, 1)+planOnce,
		append(args, f.Most)...)
}

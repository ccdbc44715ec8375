package store

import (
	"context"
	"errors"
	"time"

	"marquee/server/account"
)

// SetPassword saves a hash, with its event, resets the count of wrong tries and the lock, and ends the tries in
// progress. It returns account.ErrLoginRequired if the account was closed.
func (a *Accounts) SetPassword(ctx context.Context, userID int64, hash string, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(userID); err != nil {
			return err
		}
		if _, err := w.exec(`DELETE FROM password_tries WHERE user_id = $1`, userID); err != nil {
			return err
		}
		changed, err := w.exec(`UPDATE users SET password_hash = $1, password_wrong = 0, password_locked = 0
			WHERE id = $2 AND closed_at = 0`, hash, userID)
		if err != nil {
			return err
		}
		if err := requireRow(changed, account.ErrLoginRequired); err != nil {
			return err
		}
		return errors.Join(insertEvent(w, e), notify(w, account.NewPassword, e))
	})
}

// ReplaceHash replaces a hash by another one of the same password. It does nothing if the stored hash is not old.
func (a *Accounts) ReplaceHash(ctx context.Context, userID int64, old, hash string) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3`, hash, userID, old)
		return err
	})
}

// BeginTry records a try before the password is compared, and returns the password hash and the number of the try. It
// returns account.ErrLoginRequired for an unknown buyer, account.ErrPasswordMissing, account.ErrPasswordLocked or
// account.ErrPasswordBusy.
func (a *Accounts) BeginTry(ctx context.Context, userID int64, now time.Time) (hash string, try int64, err error) {
	var result error
	err = a.db.write(ctx, func(w *writeTx) error {
		result = nil
		if err := w.lockUser(userID); err != nil { // before the tries are counted
			return err
		}
		var wrong, lockedUntil, lost, running int64
		begun := now.Add(-account.PasswordTryLife).Unix()
		hash, err = txQueryOne(w, func(row scanner) (hash string, err error) {
			return hash, row.Scan(&hash, &wrong, &lockedUntil, &lost, &running)
		}, account.ErrLoginRequired, `SELECT password_hash, password_wrong, password_locked,
				(SELECT count(*) FROM password_tries WHERE user_id = $1 AND started_at <= $2),
				(SELECT count(*) FROM password_tries WHERE user_id = $1 AND started_at > $2)
			FROM users WHERE id = $1`, userID, begun)
		switch {
		case err != nil:
			return err
		case hash == "":
			return account.ErrPasswordMissing
		case lockedUntil > now.Unix():
			return account.PasswordLockedFor(time.Unix(lockedUntil, 0).Sub(now))
		}
		if lost > 0 {
			if _, err := w.exec(`DELETE FROM password_tries WHERE user_id = $1
				AND started_at <= $2`, userID, begun); err != nil {
				return err
			}
		}
		if lockedUntil != 0 { // the lock has ended, and the count starts anew
			wrong, lost = 0, 0
		}
		if wrong, err = saveWrong(w, userID, wrong, wrong+lost, lockedUntil, now); err != nil {
			return err
		}
		if wrong >= account.PasswordTries {
			result = account.PasswordLockedFor(account.PasswordLock)
			return nil
		}
		if wrong+running >= account.PasswordTries {
			result = account.ErrPasswordBusy
			return nil
		}
		try, err = txQueryOne(w, scanValue[int64], nil,
			`INSERT INTO password_tries (user_id, started_at) VALUES ($1, $2) RETURNING id`, userID, now.Unix())
		return err
	})
	return hash, try, errors.Join(err, result)
}

// saveWrong saves how many wrong tries count, if the number or the lock has changed, and locks at the last one.
func saveWrong(w *writeTx, userID, before, wrong, lockedUntil int64, now time.Time) (int64, error) {
	if wrong == before && lockedUntil == 0 {
		return wrong, nil
	}
	until := int64(0)
	if wrong >= account.PasswordTries {
		until = now.Add(account.PasswordLock).Unix()
	}
	_, err := w.exec(`UPDATE users SET password_wrong = $1, password_locked = $2 WHERE id = $3`, wrong, until, userID)
	return wrong, err
}

// AbandonTry deletes the try and does not count it.
func (a *Accounts) AbandonTry(ctx context.Context, userID, try int64) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`DELETE FROM password_tries WHERE id = $1 AND user_id = $2`, try, userID)
		return err
	})
}

// endRightTry ends a right try ($1) of a buyer ($2), and those that began so many seconds ($3) earlier: their server
// has most likely died, and the buyer knows the password. It changes nothing if the right one has ended already.
const endRightTry = `DELETE FROM password_tries WHERE user_id = $2 AND (
	started_at <= (SELECT started_at FROM password_tries WHERE id = $1 AND user_id = $2) - $3 OR id = $1)`

// lostSeconds is account.PasswordTryLost in seconds.
const lostSeconds = int64(account.PasswordTryLost / time.Second)

// EndTry deletes the try, and counts it if it was wrong. The last wrong one locks.
func (a *Accounts) EndTry(ctx context.Context, userID, try int64, right bool, now time.Time) (int, error) {
	var wrong int64
	err := a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(userID); err != nil {
			return err
		}
		end, args := `DELETE FROM password_tries WHERE id = $1 AND user_id = $2`, []any{try, userID}
		if right {
			end, args = endRightTry, append(args, lostSeconds)
		}
		ended, err := w.exec(end, args...)
		if err != nil {
			return err
		}
		if err := requireRow(ended, account.ErrPasswordBusy); err != nil {
			return err
		}
		var lockedUntil int64
		before, err := txQueryOne(w, func(row scanner) (wrong int64, err error) {
			return wrong, row.Scan(&wrong, &lockedUntil)
		}, account.ErrLoginRequired, `SELECT password_wrong, password_locked FROM users WHERE id = $1`, userID)
		if err != nil {
			return err
		}
		wrong = before + 1
		if right {
			wrong = 0
		}
		wrong, err = saveWrong(w, userID, before, wrong, lockedUntil, now)
		return err
	})
	return int(wrong), err
}

// EndCorrect implements order.PasswordTries. It locks the buyer's row only if there are wrong tries to forget, and
// before the tries, as BeginTry and EndTry do.
func (w passwordTryRepo) EndCorrect(userID, try int64) error {
	err := w.queue(mustRun("forget wrong tries of user %d", userID),
		`UPDATE users SET password_wrong = 0, password_locked = 0
		WHERE id = $1 AND (password_wrong <> 0 OR password_locked <> 0)`, userID)
	if err != nil {
		return err
	}
	return w.queue(mustChange(account.ErrPasswordBusy, "end password try of user %d", userID),
		endRightTry, try, userID, lostSeconds)
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"marquee/server/account"
)

// SetPassword saves a hash, with its event, resets the count of wrong tries and the lock, and ends the tries in
// progress. It returns account.ErrLoginRequired if the account was closed.
func (a *Accounts) SetPassword(ctx context.Context, userID int64, hash string, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if _, err := w.exec(`DELETE FROM password_tries WHERE user_id = ?`, userID); err != nil {
			return err
		}
		res, err := w.exec(`UPDATE users SET password_hash = ?, password_wrong = 0, password_locked = 0
			WHERE id = ? AND closed_at = 0`, hash, userID)
		if err != nil {
			return err
		}
		if err := requireRow(res, account.ErrLoginRequired); err != nil {
			return err
		}
		return insertEvent(w, e)
	})
}

// ReplaceHash replaces a hash by another one of the same password. It does nothing if the stored hash is not old.
func (a *Accounts) ReplaceHash(ctx context.Context, userID int64, old, hash string) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`UPDATE users SET password_hash = ? WHERE id = ? AND password_hash = ?`, hash, userID, old)
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
		read, err := w.stmt(`SELECT password_hash, password_wrong, password_locked FROM users WHERE id = ?`)
		if err != nil {
			return err
		}
		var wrong, lockedUntil int64
		err = read.QueryRow(userID).Scan(&hash, &wrong, &lockedUntil)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return account.ErrLoginRequired
		case err != nil:
			return err
		case hash == "":
			return account.ErrPasswordMissing
		case lockedUntil > now.Unix():
			return account.ErrPasswordLocked
		}
		died, err := w.exec(`DELETE FROM password_tries WHERE user_id = ? AND started_at <= ?`,
			userID, now.Add(-account.PasswordTryLife).Unix())
		if err != nil {
			return err
		}
		lost, err := died.RowsAffected()
		if err != nil {
			return err
		}
		if lockedUntil != 0 { // the lock has ended, and the count starts anew
			wrong, lost = 0, 0
		}
		if wrong, err = saveWrong(w, userID, wrong, wrong+lost, lockedUntil, now); err != nil {
			return err
		}
		if wrong >= account.PasswordTries {
			result = account.ErrPasswordLocked
			return nil
		}
		count, err := w.stmt(`SELECT count(*) FROM password_tries WHERE user_id = ?`)
		if err != nil {
			return err
		}
		var running int64
		if err := count.QueryRow(userID).Scan(&running); err != nil {
			return err
		}
		if wrong+running >= account.PasswordTries {
			result = account.ErrPasswordBusy
			return nil
		}
		insert, err := w.stmt(`INSERT INTO password_tries (user_id, started_at) VALUES (?, ?) RETURNING id`)
		if err != nil {
			return err
		}
		return insert.QueryRow(userID, now.Unix()).Scan(&try)
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
	_, err := w.exec(`UPDATE users SET password_wrong = ?, password_locked = ? WHERE id = ?`, wrong, until, userID)
	return wrong, err
}

// AbandonTry deletes the try and does not count it.
func (a *Accounts) AbandonTry(ctx context.Context, userID, try int64) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`DELETE FROM password_tries WHERE id = ? AND user_id = ?`, try, userID)
		return err
	})
}

// EndTry deletes the try, and counts it if it was wrong. The last wrong one locks.
func (a *Accounts) EndTry(ctx context.Context, userID, try int64, right bool, now time.Time) (int, error) {
	var wrong int64
	err := a.db.write(ctx, func(w *writeTx) error {
		res, err := w.exec(`DELETE FROM password_tries WHERE id = ? AND user_id = ?`, try, userID)
		if err != nil {
			return err
		}
		if err := requireRow(res, account.ErrPasswordBusy); err != nil {
			return err
		}
		read, err := w.stmt(`SELECT password_wrong, password_locked FROM users WHERE id = ?`)
		if err != nil {
			return err
		}
		var before, lockedUntil int64
		if err := read.QueryRow(userID).Scan(&before, &lockedUntil); err != nil {
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

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"marquee/server/account"
)

// SetPassword saves a hash, and resets the count of wrong tries and the lock.
func (a *Accounts) SetPassword(ctx context.Context, userID int64, hash string) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(
			`UPDATE users SET password_hash = ?, password_tries = 0, password_locked = 0 WHERE id = ?`, hash, userID)
		return err
	})
}

// BeginTry counts a try before the password is compared, and returns the password hash and the number of tries. It
// returns account.ErrLoginRequired for an unknown buyer, account.ErrPasswordMissing, or account.ErrPasswordLocked.
func (a *Accounts) BeginTry(ctx context.Context, userID int64, now time.Time) (hash string, tries int, err error) {
	var result error
	err = a.db.write(ctx, func(w *writeTx) error {
		result = nil
		read, err := w.stmt(`SELECT password_hash, password_tries, password_locked FROM users WHERE id = ?`)
		if err != nil {
			return err
		}
		var lockedUntil int64
		err = read.QueryRow(userID).Scan(&hash, &tries, &lockedUntil)
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
		if lockedUntil != 0 {
			tries = 0 // the lock has ended
		}
		if tries >= account.PasswordTries {
			// As many tries are in progress as are allowed, or the process ended between BeginTry and EndTry.
			result = account.ErrPasswordLocked
			_, err = w.exec(`UPDATE users SET password_locked = ? WHERE id = ?`,
				now.Add(account.PasswordLock).Unix(), userID)
			return err
		}
		tries++
		_, err = w.exec(`UPDATE users SET password_tries = ?, password_locked = 0 WHERE id = ?`, tries, userID)
		return err
	})
	return hash, tries, errors.Join(err, result)
}

// EndTry resets the count after a right password, and locks after the last wrong one.
func (a *Accounts) EndTry(ctx context.Context, userID int64, right bool, now time.Time) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if right {
			_, err := w.exec(`UPDATE users SET password_tries = 0, password_locked = 0 WHERE id = ?`, userID)
			return err
		}
		_, err := w.exec(`UPDATE users SET password_locked = ? WHERE id = ? AND password_tries >= ?`,
			now.Add(account.PasswordLock).Unix(), userID, account.PasswordTries)
		return err
	})
}

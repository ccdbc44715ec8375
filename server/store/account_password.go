package store

import (
	"context"
	"errors"
	"time"

	"marquee/server/account"
	"marquee/server/durations"
)

// SetPassword saves the hash of a new payment password with its event, and resets the counts of wrong tries and the
// lock. It returns account.ErrLoginRequired if the account was closed.
func (a *Accounts) SetPassword(ctx context.Context, userID int64, hash string, e account.Event) error {
	return a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(userID); err != nil {
			return err
		}
		changed, err := w.exec(`UPDATE users SET password_hash = $1, password_wrong = 0, password_locked = 0,
			password_week_wrong = 0 WHERE id = $2 AND closed_at = 0`, hash, userID)
		if err != nil {
			return err
		}
		if err := requireRow(changed, account.ErrLoginRequired); err != nil {
			return err
		}
		return errors.Join(insertEvent(w, e), notify(w, account.NewPassword, e))
	})
}

// ReplaceHash replaces the hash old by another one of the same password. It does nothing if another hash is stored.
func (a *Accounts) ReplaceHash(ctx context.Context, userID int64, old, hash string) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3`, hash, userID, old)
		return err
	})
}

// PasswordHash returns the hash to compare a try with. It returns account.ErrLoginRequired for an unknown buyer,
// account.ErrPasswordMissing, or account.ErrPasswordLocked. weekTries is how many wrong tries the caller's session may
// make in a week.
func (a *Accounts) PasswordHash(ctx context.Context, userID int64, weekTries int, now time.Time) (string, error) {
	p, err := queryOne(ctx, a.db, scanTriedPassword, account.ErrLoginRequired, triedPasswordOf, userID)
	if err != nil {
		return "", err
	}
	return p.hash, p.rejection(weekTries, now)
}

// CountTry counts a try, and locks the password after too many wrong ones. It also writes after a right try. Otherwise,
// while the store cannot be written, only right passwords would get an answer, which would reveal them. It returns
// account.ErrPasswordBusy if the hash was replaced since it was read.
func (a *Accounts) CountTry(
	ctx context.Context, userID int64, t account.Try, weekTries int, now time.Time,
) (left int, until time.Time, err error) {
	err = a.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(userID); err != nil { // before the tries are read
			return err
		}
		p, err := txQueryOne(w, scanTriedPassword, account.ErrLoginRequired, triedPasswordOf, userID)
		if err != nil {
			return err
		}
		if err := p.rejection(weekTries, now); err != nil {
			return err
		}
		if p.hash != t.Hash {
			return account.ErrPasswordBusy
		}
		wrong := p.wrong
		wrong.expire(now)
		if t.Right {
			wrong.count, wrong.lockedUntil = 0, 0
		} else {
			wrong.add(now)
		}
		left = int(wrong.left(weekTries))
		if locked := wrong.locked(now); locked > 0 {
			until = now.Add(locked)
		}
		_, err = w.exec(`UPDATE users SET password_wrong = $1, password_locked = $2, password_week = $3,
			password_week_wrong = $4 WHERE id = $5`, wrong.count, wrong.lockedUntil, wrong.week, wrong.ofWeek, userID)
		return err
	})
	return left, until, err
}

// triedPassword is a buyer's stored payment password, with the wrong tries so far.
type triedPassword struct {
	hash  string
	wrong wrongTries
}

const triedPasswordOf = `SELECT password_hash, password_wrong, password_locked, password_week, password_week_wrong
	FROM users WHERE id = $1`

func scanTriedPassword(row scanner) (p triedPassword, err error) {
	return p, row.Scan(&p.hash, &p.wrong.count, &p.wrong.lockedUntil, &p.wrong.week, &p.wrong.ofWeek)
}

// rejection returns why a try cannot be made or counted, or nil.
func (p triedPassword) rejection(weekTries int, now time.Time) error {
	wrong := p.wrong
	if p.hash == "" {
		return account.ErrPasswordMissing
	}
	if left := wrong.locked(now); left > 0 {
		return account.PasswordLockedUntil(now.Add(left), now)
	}
	wrong.expire(now)
	if wrong.ofWeek >= int64(weekTries) {
		return account.PasswordLockedUntil(time.Unix(wrong.weekEnds(), 0), now)
	}
	return nil
}

// wrongTries counts the wrong payment passwords of a buyer. Times are epoch seconds.
type wrongTries struct {
	count, lockedUntil int64 // wrong tries since the last right one; when the lock after too many ends
	week, ofWeek       int64 // when the week of the first wrong try began; the wrong tries in it
}

func (t wrongTries) weekEnds() int64 { return t.week + int64(durations.PasswordWeek/time.Second) }

// locked returns how long the payment password is still locked, or 0 if it is not.
func (t wrongTries) locked(now time.Time) time.Duration {
	until := t.lockedUntil
	if t.ofWeek >= account.PasswordWeekTries {
		until = max(until, t.weekEnds())
	}
	return max(0, time.Unix(until, 0).Sub(now))
}

// expire resets the count of wrong tries if the lock has ended, and the count of the week if the week has ended.
func (t *wrongTries) expire(now time.Time) {
	if t.lockedUntil != 0 && t.lockedUntil <= now.Unix() {
		t.count, t.lockedUntil = 0, 0
	}
	if t.weekEnds() <= now.Unix() {
		t.week, t.ofWeek = 0, 0
	}
}

// add counts a wrong try. If it was the last permitted one, add locks the password.
func (t *wrongTries) add(now time.Time) {
	if t.ofWeek == 0 {
		t.week = now.Unix()
	}
	t.count, t.ofWeek = t.count+1, t.ofWeek+1
	if t.count >= account.PasswordTries {
		t.lockedUntil = now.Add(durations.PasswordLock).Unix()
	}
}

// left returns how many wrong tries are left to a session that may make weekTries in a week.
func (t wrongTries) left(weekTries int) int64 {
	return max(0, min(account.PasswordTries-t.count, int64(weekTries)-t.ofWeek))
}

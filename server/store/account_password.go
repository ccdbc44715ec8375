package store

import (
	"context"
	"errors"
	"time"

	"marquee/server/account"
	"marquee/server/durations"
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

// BeginTry records a try before the password is compared, and returns the password hash and the number of the try. It
// returns account.ErrLoginRequired for an unknown buyer, account.ErrPasswordMissing, account.ErrPasswordLocked or
// account.ErrPasswordBusy.
func (a *Accounts) BeginTry(
	ctx context.Context, userID int64, weekTries int, now time.Time,
) (hash string, try int64, err error) {
	var result error
	err = a.db.write(ctx, func(w *writeTx) error {
		result = nil
		if err := w.lockUser(userID); err != nil { // before the tries are counted
			return err
		}
		var wrong wrongTries
		var lost, running int64
		begun := now.Add(-durations.PasswordTry).Unix()
		hash, err = txQueryOne(w, func(row scanner) (hash string, err error) {
			return hash, row.Scan(append([]any{&hash, &lost, &running}, wrong.columns()...)...)
		}, account.ErrLoginRequired, `SELECT password_hash,
				(SELECT count(*) FROM password_tries WHERE user_id = $1 AND started_at <= $2),
				(SELECT count(*) FROM password_tries WHERE user_id = $1 AND started_at > $2), `+wrongTryColumns+`
			FROM users WHERE id = $1`, userID, begun)
		switch {
		case err != nil:
			return err
		case hash == "":
			return account.ErrPasswordMissing
		case wrong.locked(now) > 0:
			return account.PasswordLockedUntil(now.Add(wrong.locked(now)), now)
		}
		if lost > 0 {
			if _, err := w.exec(`DELETE FROM password_tries WHERE user_id = $1
				AND started_at <= $2`, userID, begun); err != nil {
				return err
			}
		}
		counted := wrong
		counted.expire(now)
		counted.add(lost, now)
		if err := saveWrong(w, userID, wrong, counted); err != nil {
			return err
		}
		switch ofWeek := int64(weekTries) - counted.ofWeek; {
		case counted.left() == 0:
			result = account.PasswordLockedUntil(now.Add(counted.locked(now)), now)
			return nil
		case ofWeek <= 0:
			result = account.PasswordLockedUntil(time.Unix(counted.weekEnds(), 0), now)
			return nil
		case running >= min(counted.left(), ofWeek):
			result = account.ErrPasswordBusy
			return nil
		}
		try, err = txQueryOne(w, scanValue[int64], nil,
			`INSERT INTO password_tries (user_id, started_at) VALUES ($1, $2) RETURNING id`, userID, now.Unix())
		return err
	})
	return hash, try, errors.Join(err, result)
}

// wrongTries counts the wrong payment passwords of a buyer. Times are epoch seconds.
type wrongTries struct {
	count, lockedUntil int64 // since the last right one, and the lock after account.PasswordTries
	week, ofWeek       int64 // when the week began, and the tries in it
}

const wrongTryColumns = `password_wrong, password_locked, password_week, password_week_wrong`

// columns are the destinations of wrongTryColumns.
func (t *wrongTries) columns() []any { return []any{&t.count, &t.lockedUntil, &t.week, &t.ofWeek} }

func (t wrongTries) weekEnds() int64 { return t.week + int64(durations.PasswordWeek/time.Second) }

// locked returns how long the payment password is still locked, or 0 if it is not.
func (t wrongTries) locked(now time.Time) time.Duration {
	until := t.lockedUntil
	if t.ofWeek >= account.PasswordWeekTries {
		until = max(until, t.weekEnds())
	}
	return max(0, time.Unix(until, 0).Sub(now))
}

// expire resets the count of a lock, and of a week, that has ended.
func (t *wrongTries) expire(now time.Time) {
	if t.lockedUntil != 0 && t.lockedUntil <= now.Unix() {
		t.count, t.lockedUntil = 0, 0
	}
	if t.weekEnds() <= now.Unix() {
		t.week, t.ofWeek = 0, 0
	}
}

// add counts wrong tries, and locks after the last one.
func (t *wrongTries) add(wrong int64, now time.Time) {
	if wrong == 0 {
		return
	}
	if t.ofWeek == 0 {
		t.week = now.Unix()
	}
	t.count, t.ofWeek = t.count+wrong, t.ofWeek+wrong
	if t.count >= account.PasswordTries {
		t.lockedUntil = now.Add(durations.PasswordLock).Unix()
	}
}

// left returns how many wrong tries are left before a lock.
func (t wrongTries) left() int64 {
	return max(0, min(account.PasswordTries-t.count, account.PasswordWeekTries-t.ofWeek))
}

// saveWrong saves the tries if they have changed.
func saveWrong(w *writeTx, userID int64, before, t wrongTries) error {
	if t == before {
		return nil
	}
	_, err := w.exec(`UPDATE users SET password_wrong = $1, password_locked = $2, password_week = $3,
		password_week_wrong = $4 WHERE id = $5`, t.count, t.lockedUntil, t.week, t.ofWeek, userID)
	return err
}

// AbandonTry deletes the try and does not count it.
func (a *Accounts) AbandonTry(ctx context.Context, userID, try int64) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`DELETE FROM password_tries WHERE id = $1 AND user_id = $2`, try, userID)
		return err
	})
}

// endRightTry ends a correct try ($1) of a buyer ($2), and the tries that began at least $3 seconds earlier: their
// server has probably died, and the buyer knows the password. It changes nothing if the correct try has already ended.
const endRightTry = `DELETE FROM password_tries WHERE user_id = $2 AND (
	started_at <= (SELECT started_at FROM password_tries WHERE id = $1 AND user_id = $2) - $3 OR id = $1)`

// lostSeconds is durations.PasswordTryLost in seconds.
const lostSeconds = int64(durations.PasswordTryLost / time.Second)

// EndTry deletes the try, and counts it if it was wrong. The last wrong one locks.
func (a *Accounts) EndTry(
	ctx context.Context, userID, try int64, right bool, now time.Time,
) (left int, until time.Time, err error) {
	err = a.db.write(ctx, func(w *writeTx) error {
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
		before, err := txQueryOne(w, func(row scanner) (t wrongTries, err error) {
			return t, row.Scan(t.columns()...)
		}, account.ErrLoginRequired, `SELECT `+wrongTryColumns+` FROM users WHERE id = $1`, userID)
		if err != nil {
			return err
		}
		counted := before
		if right {
			counted.count, counted.lockedUntil = 0, 0
		} else {
			counted.expire(now)
			counted.add(1, now)
		}
		left, until = int(counted.left()), now.Add(counted.locked(now))
		return saveWrong(w, userID, before, counted)
	})
	return left, until, err
}

// EndCorrect implements order.PasswordTries. It locks the buyer's row only if there are wrong tries to reset, and does
// so before it locks the tries, as BeginTry and EndTry do.
func (w passwordTryRepo) EndCorrect(userID, try int64) error {
	err := w.run(mustRun("forget wrong tries of user %d", userID),
		`UPDATE users SET password_wrong = 0, password_locked = 0
		WHERE id = $1 AND (password_wrong <> 0 OR password_locked <> 0)`, userID)
	if err != nil {
		return err
	}
	return w.run(mustChange(account.ErrPasswordBusy, "end password try of user %d", userID),
		endRightTry, try, userID, lostSeconds)
}

package store

import (
	"context"
	"time"

	"marquee/server/account"
)

// Avatars implements account.AvatarStore. Each method is one transaction.
type Avatars struct{ db *Stores }

// Avatars returns the store of the addresses of avatars.
func (s *Stores) Avatars() *Avatars { return &Avatars{s} }

// PlanAvatar records the address of a file that is about to be written.
func (a *Avatars) PlanAvatar(ctx context.Context, url string, now time.Time) error {
	return a.db.write(ctx, func(w *writeTx) error { return insertIdleAvatar(w, url, now) })
}

// insertIdleAvatar records a file without a buyer.
func insertIdleAvatar(w *writeTx, url string, now time.Time) error {
	_, err := w.exec(`INSERT INTO idle_avatars (url, since) VALUES ($1, $2)`, url, now.Unix())
	return err
}

// SetAvatar makes url the buyer's picture and records the one that it replaces as without a buyer.
func (a *Avatars) SetAvatar(ctx context.Context, id int64, url string, now time.Time) (before string, err error) {
	err = a.db.write(ctx, func(w *writeTx) error {
		before, err = txQueryOne(w, scanValue[string], account.ErrLoginRequired,
			`SELECT avatar_url FROM users WHERE id = $1`+w.db.sql.lockRow, id)
		if err != nil {
			return err
		}
		if _, err := w.exec(`UPDATE users SET avatar_url = $1 WHERE id = $2`, url, id); err != nil {
			return err
		}
		if _, err := w.exec(`DELETE FROM idle_avatars WHERE url = $1`, url); err != nil {
			return err
		}
		if before == "" || before == url {
			return nil
		}
		return insertIdleAvatar(w, before, now)
	})
	return before, err
}

// ForgetAvatar deletes the record of a file that was removed.
func (a *Avatars) ForgetAvatar(ctx context.Context, url string) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`DELETE FROM idle_avatars WHERE url = $1`, url)
		return err
	})
}

// IdleAvatars lists the files that have been without a buyer since before the given time, oldest first.
func (a *Avatars) IdleAvatars(ctx context.Context, before time.Time) ([]string, error) {
	return queryAll(ctx, a.db, func(row scanner) (url string, err error) {
		err = row.Scan(&url)
		return url, err
	}, `SELECT url FROM idle_avatars WHERE since < $1 ORDER BY since`, before.Unix())
}

package sqlite

import (
	"context"
	"database/sql"
	"time"
)

// Avatars implements account.AvatarStore. Each method is one transaction.
type Avatars struct{ db *DB }

// Avatars returns the store of the addresses of avatars.
func (db *DB) Avatars() *Avatars { return &Avatars{db: db} }

// PlanAvatar records the address of a file that is about to be written.
func (a *Avatars) PlanAvatar(ctx context.Context, url string, now time.Time) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error { return insertIdleAvatar(tx, url, now) })
}

// insertIdleAvatar records a file without a buyer.
func insertIdleAvatar(tx *sql.Tx, url string, now time.Time) error {
	_, err := tx.Exec(`INSERT INTO idle_avatars (url, since) VALUES (?, ?)`, url, now.Unix())
	return err
}

// SetAvatar makes url the buyer's picture and records the one that it replaces as without a buyer.
func (a *Avatars) SetAvatar(ctx context.Context, id int64, url string, now time.Time) (before string, err error) {
	err = a.db.Write(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRow(`SELECT avatar_url FROM users WHERE id = ?`, id).Scan(&before); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE users SET avatar_url = ? WHERE id = ?`, url, id); err != nil {
			return err
		}
		if _, err := tx.Exec(`DELETE FROM idle_avatars WHERE url = ?`, url); err != nil {
			return err
		}
		if before == "" || before == url {
			return nil
		}
		return insertIdleAvatar(tx, before, now)
	})
	return before, err
}

// ForgetAvatar deletes the record of a file that was removed.
func (a *Avatars) ForgetAvatar(ctx context.Context, url string) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`DELETE FROM idle_avatars WHERE url = ?`, url)
		return err
	})
}

// IdleAvatars lists the files that have been without a buyer since before the given time, oldest first.
func (a *Avatars) IdleAvatars(ctx context.Context, before time.Time) ([]string, error) {
	return queryAll(ctx, a.db, func(row scanner) (url string, err error) {
		err = row.Scan(&url)
		return url, err
	}, `SELECT url FROM idle_avatars WHERE since < ? ORDER BY since`, before.Unix())
}

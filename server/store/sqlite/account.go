package sqlite

import (
	"context"
	"database/sql"
	"time"

	"marquee/server/account"
)

// Accounts implements the store interfaces of package account. Each method is one transaction.
type Accounts struct{ db *DB }

// Accounts returns the account store.
func (db *DB) Accounts() *Accounts { return &Accounts{db: db} }

// userColumns are the columns that scanUser reads.
const userColumns = `id, phone, avatar_url, password_hash <> '', created_at`

func scanUser(row scanner) (account.User, error) {
	var u account.User
	var created int64
	err := row.Scan(&u.ID, &u.Phone, &u.AvatarURL, &u.HasPassword, &created)
	u.CreatedAt = time.Unix(created, 0)
	return u, err
}

// EnsureUser returns the buyer with a phone, and creates one if there is none.
func (a *Accounts) EnsureUser(ctx context.Context, phone string, now time.Time) (account.User, error) {
	var u account.User
	err := a.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO users (phone, created_at) VALUES (?, ?) ON CONFLICT (phone) DO NOTHING`,
			phone, now.Unix())
		if err != nil {
			return err
		}
		u, err = scanUser(tx.QueryRow(`SELECT `+userColumns+` FROM users WHERE phone = ?`, phone))
		return err
	})
	return u, err
}

// User returns account.ErrLoginRequired if there is no such buyer.
func (a *Accounts) User(ctx context.Context, id int64) (account.User, error) {
	return queryOne(ctx, a.db, scanUser, account.ErrLoginRequired, `SELECT `+userColumns+` FROM users WHERE id = ?`, id)
}

// AddSession saves a session under the hash of its token. It fails if the hash exists.
func (a *Accounts) AddSession(ctx context.Context, hash []byte, userID int64, now, expires time.Time) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO sessions (token_hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)`,
			hash, userID, now.Unix(), expires.Unix())
		return err
	})
}

// SessionUser returns the buyer of a session that is neither revoked nor expired, and account.ErrLoginRequired
// otherwise.
func (a *Accounts) SessionUser(ctx context.Context, hash []byte, now time.Time) (account.User, error) {
	return queryOne(ctx, a.db, scanUser, account.ErrLoginRequired, `SELECT `+userColumns+` FROM users
		WHERE id = (SELECT user_id FROM sessions WHERE token_hash = ? AND revoked_at = 0 AND expires_at > ?)`,
		hash, now.Unix())
}

// RevokeSession ends a session. Revoking an unknown or a revoked session succeeds.
func (a *Accounts) RevokeSession(ctx context.Context, hash []byte, now time.Time) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE sessions SET revoked_at = ? WHERE token_hash = ? AND revoked_at = 0`,
			now.Unix(), hash)
		return err
	})
}

package store

import (
	"context"

	"marquee/server/account"
)

// Avatars stores the pictures of buyers. Each method is one transaction or one query.
type Avatars struct{ db *Stores }

// Avatars returns the store of the buyers' pictures.
func (s *Stores) Avatars() *Avatars { return &Avatars{s} }

// SetAvatar stores a picture under a new URL, assigns it to the buyer, and deletes the one that it replaces. It returns
// account.ErrLoginRequired for an account that does not exist or is closed.
func (a *Avatars) SetAvatar(ctx context.Context, userID int64, url string, picture []byte) error {
	return a.db.write(ctx, func(w *writeTx) error {
		before, err := txQueryOne(w, scanValue[string], account.ErrLoginRequired,
			`SELECT avatar_url FROM users WHERE id = $1 AND closed_at = 0`+w.db.sql.lockRow, userID)
		if err != nil {
			return err
		}
		if err := deleteAvatar(w, before); err != nil {
			return err
		}
		if _, err := w.exec(`INSERT INTO avatars (url, picture) VALUES ($1, $2)`, url, picture); err != nil {
			return err
		}
		_, err = w.exec(`UPDATE users SET avatar_url = $1 WHERE id = $2`, url, userID)
		return err
	})
}

// deleteAvatar deletes the picture with the URL, if there is one.
func deleteAvatar(w *writeTx, url string) error {
	_, err := w.exec(`DELETE FROM avatars WHERE url = $1`, url)
	return err
}

// Avatar returns the picture with the URL, and false if there is none.
func (a *Avatars) Avatar(ctx context.Context, url string) (picture []byte, found bool, err error) {
	list, err := queryAll(ctx, a.db, scanValue[[]byte], `SELECT picture FROM avatars WHERE url = $1`, url)
	if err != nil || len(list) == 0 {
		return nil, false, err
	}
	return list[0], true, nil
}

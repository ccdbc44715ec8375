package sqlite

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"time"

	"marquee/server/account"
)

// AddCode counts and inserts in one transaction, so that parallel requests cannot exceed a limit together.
func (a *Accounts) AddCode(ctx context.Context, c account.Code, limits account.Limits) (int64, error) {
	var id int64
	err := a.db.Write(ctx, func(tx *sql.Tx) error {
		now := c.SentAt
		for _, l := range []struct {
			column, value string
			window        time.Duration
			most          int
		}{
			{"phone", c.Phone, account.ResendWait, 1},
			{"phone", c.Phone, time.Hour, limits.PhoneHour},
			{"phone", c.Phone, 24 * time.Hour, limits.PhoneDay},
			{"ip", c.IP, time.Hour, limits.IPHour},
			{"ip", c.IP, 24 * time.Hour, limits.IPDay},
		} {
			var sent int
			var last int64
			// The upper bound excludes codes with a later time: a simulated clock may be set back.
			err := tx.QueryRow(`SELECT count(*), coalesce(max(sent_at), 0) FROM sms_codes
				WHERE `+l.column+` = ? AND sent_at > ? AND sent_at <= ?`,
				l.value, now.Add(-l.window).Unix(), now.Unix()).Scan(&sent, &last)
			if err != nil {
				return err
			}
			if sent >= l.most && l.window == account.ResendWait {
				return account.ErrSMSLimited.WithRetryAfter(time.Unix(last, 0).Add(l.window).Sub(now))
			}
			if sent >= l.most {
				return account.ErrSMSLimited
			}
		}
		if _, err := tx.Exec(`UPDATE sms_codes SET usable = 0 WHERE phone = ? AND purpose = ? AND usable = 1`,
			c.Phone, c.Purpose); err != nil {
			return err
		}
		res, err := tx.Exec(`INSERT INTO sms_codes
			(phone, purpose, ip, code_hash, sent_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
			c.Phone, c.Purpose, c.IP, c.Hash, c.SentAt.Unix(), c.Expires.Unix())
		if err != nil {
			return err
		}
		id, err = res.LastInsertId()
		return err
	})
	return id, err
}

// DropCode makes a code unusable; with uncount it deletes the row, so that it no longer counts against the limits.
func (a *Accounts) DropCode(ctx context.Context, id int64, uncount bool) error {
	return a.db.Write(ctx, func(tx *sql.Tx) error {
		q := `UPDATE sms_codes SET usable = 0 WHERE id = ?`
		if uncount {
			q = `DELETE FROM sms_codes WHERE id = ?`
		}
		_, err := tx.Exec(q, id)
		return err
	})
}

// UseCode counts a try whether the hash matches or not: the transaction commits the count, and the result is returned.
func (a *Accounts) UseCode(
	ctx context.Context, phone string, purpose account.Purpose, hash []byte, now time.Time,
) error {
	var result error
	err := a.db.Write(ctx, func(tx *sql.Tx) error {
		result = nil
		var id int64
		var stored []byte
		var tries int
		err := tx.QueryRow(`SELECT id, code_hash, tries FROM sms_codes
			WHERE phone = ? AND purpose = ? AND usable = 1 AND expires_at > ? ORDER BY id DESC LIMIT 1`,
			phone, purpose, now.Unix()).Scan(&id, &stored, &tries)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			result = account.ErrCodeWrong
			return nil
		case err != nil:
			return err
		case tries >= account.CodeTries:
			result = account.ErrCodeLocked
			return nil
		}
		right := subtle.ConstantTimeCompare(stored, hash) == 1
		result = account.ErrCodeWrong
		if right {
			result = nil
		}
		_, err = tx.Exec(`UPDATE sms_codes SET tries = tries + 1, usable = ? WHERE id = ?`, !right, id)
		return err
	})
	return errors.Join(err, result)
}

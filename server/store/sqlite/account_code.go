package sqlite

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"time"

	"marquee/server/account"
	"marquee/server/fault"
)

// codeWindow is a limit on the codes that a condition selects, in the time before a code.
type codeWindow struct {
	condition string
	args      []any
	window    time.Duration
	most      int // 0: no limit
	broken    *fault.Fault
}

// codeWindows returns the limits that a code counts against.
func codeWindows(c account.Code, limits account.Limits) []codeWindow {
	const day = 24 * time.Hour
	phone, limited := []any{c.Phone}, account.ErrSMSLimited
	list := []codeWindow{
		{`phone = ?`, phone, account.ResendWait, 1, limited},
		{`phone = ?`, phone, time.Hour, limits.PhoneHour, limited},
		{`phone = ?`, phone, day, limits.PhoneDay, limited},
		{`TRUE`, nil, time.Hour, limits.ShopHour, account.ErrSMSCeiling},
	}
	if c.Owner {
		return list
	}
	origin, network := []any{c.Phone, c.Network}, []any{c.Network}
	return append(list,
		codeWindow{`phone = ? AND owner = 0`, phone, time.Hour, limits.StrangerHour, limited},
		codeWindow{`phone = ? AND owner = 0`, phone, day, limits.StrangerDay, limited},
		codeWindow{`phone = ? AND network = ? AND owner = 0`, origin, time.Hour, limits.OriginHour, limited},
		codeWindow{`phone = ? AND network = ? AND owner = 0`, origin, day, limits.OriginDay, limited},
		codeWindow{`network = ? AND owner = 0`, network, time.Hour, limits.NetworkHour, limited},
		codeWindow{`network = ? AND owner = 0`, network, day, limits.NetworkDay, limited},
		codeWindow{`TRUE`, nil, time.Hour, limits.StrangersShopHour(), account.ErrSMSCeiling},
	)
}

// codesSince counts the codes that a condition selects, of the window before now, and returns the time of the last. The
// upper bound excludes codes with a later time: a simulated clock may be set back.
const codesSince = `SELECT count(*), coalesce(max(sent_at), 0) FROM sms_codes WHERE sent_at > ? AND sent_at <= ? AND `

// Codes implements account.CodeStore. Each method is one transaction.
type Codes struct{ db *DB }

// Codes returns the store of SMS codes and known devices.
func (db *DB) Codes() *Codes { return &Codes{db: db} }

// AddCode counts and inserts in one transaction, so that parallel requests cannot exceed a limit together.
func (s *Codes) AddCode(ctx context.Context, c account.Code, limits account.Limits) (int64, error) {
	var id int64
	err := s.db.Write(ctx, func(tx *sql.Tx) error {
		now := c.SentAt
		for _, l := range codeWindows(c, limits) {
			if l.most == 0 {
				continue
			}
			var sent int
			var last int64
			args := append([]any{now.Add(-l.window).Unix(), now.Unix()}, l.args...)
			if err := tx.QueryRow(codesSince+l.condition, args...).Scan(&sent, &last); err != nil {
				return err
			}
			if sent >= l.most && l.window == account.ResendWait {
				return l.broken.WithRetryAfter(time.Unix(last, 0).Add(l.window).Sub(now))
			}
			if sent >= l.most {
				return l.broken
			}
		}
		if _, err := tx.Exec(`UPDATE sms_codes SET usable = 0 WHERE phone = ? AND purpose = ? AND asker = ? AND usable = 1`,
			c.Phone, c.Purpose, c.Asker); err != nil {
			return err
		}
		res, err := tx.Exec(`INSERT INTO sms_codes
			(phone, purpose, network, owner, asker, code_hash, sent_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			c.Phone, c.Purpose, c.Network, c.Owner, c.Asker, c.Hash, c.SentAt.Unix(), c.Expires.Unix())
		if err != nil {
			return err
		}
		id, err = res.LastInsertId()
		return err
	})
	return id, err
}

// DropCode makes a code unusable; with uncount it deletes the row, so that it no longer counts against the limits.
func (s *Codes) DropCode(ctx context.Context, id int64, uncount bool) error {
	return s.db.Write(ctx, func(tx *sql.Tx) error {
		q := `UPDATE sms_codes SET usable = 0 WHERE id = ?`
		if uncount {
			q = `DELETE FROM sms_codes WHERE id = ?`
		}
		_, err := tx.Exec(q, id)
		return err
	})
}

// liveCode is a code that can still be entered.
type liveCode struct {
	id                int64
	hash              []byte
	asker             string
	tries, otherTries int
}

func scanLiveCode(row scanner) (c liveCode, err error) {
	err = row.Scan(&c.id, &c.hash, &c.asker, &c.tries, &c.otherTries)
	return c, err
}

// UseCode counts a try whether a hash matches or not: the transaction commits the count, and the result is returned.
func (s *Codes) UseCode(ctx context.Context, t account.CodeTry) error {
	var result error
	err := s.db.write(ctx, func(w *writeTx) error {
		result = account.ErrCodeWrong
		live, err := txQueryAll(w, scanLiveCode, `SELECT id, code_hash, asker, tries, other_tries FROM sms_codes
			WHERE phone = ? AND purpose = ? AND usable = 1 AND expires_at > ?`, t.Phone, t.Purpose, t.At.Unix())
		if err != nil || len(live) == 0 {
			return err
		}
		compared, right := 0, false
		for _, c := range live {
			column, tries := "other_tries", c.otherTries
			if t.Asker != "" && t.Asker == c.asker {
				column, tries = "tries", c.tries
			}
			if tries >= account.CodeTries {
				continue
			}
			compared++
			for _, hash := range t.Hashes {
				right = subtle.ConstantTimeCompare(c.hash, hash) == 1 || right
			}
			if _, err := w.exec(`UPDATE sms_codes SET `+column+` = `+column+` + 1 WHERE id = ?`, c.id); err != nil {
				return err
			}
		}
		switch {
		case compared == 0:
			result = account.ErrCodeLocked
			return nil
		case !right:
			return nil
		}
		result = nil
		_, err = w.exec(`UPDATE sms_codes SET usable = 0 WHERE phone = ? AND purpose = ?`, t.Phone, t.Purpose)
		return err
	})
	return errors.Join(err, result)
}

// CodesSent returns how many codes were sent in the hour before now.
func (s *Codes) CodesSent(ctx context.Context, now time.Time) (int, error) {
	count := func(row scanner) (n int, err error) {
		var last int64
		err = row.Scan(&n, &last)
		return n, err
	}
	return queryOne(ctx, s.db, count, nil, codesSince+`TRUE`, now.Add(-time.Hour).Unix(), now.Unix())
}

// RememberDevice moves the device to its fresh hash and adds the buyer, whom alone it logs in from now on.
func (s *Codes) RememberDevice(ctx context.Context, before, fresh []byte, userID int64, now time.Time) error {
	return s.db.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec(`UPDATE known_devices SET token_hash = ?, logs_in = 0 WHERE token_hash = ?`, fresh, before)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO known_devices (token_hash, user_id, seen_at, logs_in) VALUES (?, ?, ?, 1)
			ON CONFLICT (token_hash, user_id) DO UPDATE SET seen_at = excluded.seen_at, logs_in = 1`,
			fresh, userID, now.Unix())
		return err
	})
}

// KnowsDevice reports whether the buyer with the phone has logged in on the device since a time.
func (s *Codes) KnowsDevice(ctx context.Context, phone string, hash []byte, since time.Time) (bool, error) {
	known := func(row scanner) (ok bool, err error) {
		err = row.Scan(&ok)
		return ok, err
	}
	return queryOne(ctx, s.db, known, nil, `SELECT EXISTS (SELECT 1 FROM known_devices d JOIN users u ON u.id = d.user_id
		WHERE d.token_hash = ? AND u.phone = ? AND d.seen_at >= ?)`, hash, phone, since.Unix())
}

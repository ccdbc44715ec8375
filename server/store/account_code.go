package store

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"math"
	"time"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
)

// codeWindow is a limit: of the codes that satisfy the condition, no more than most may be sent within the window.
// broken is the fault of a code that would exceed the limit.
type codeWindow struct {
	condition string // its arguments are $3, $4, …
	args      []any
	window    time.Duration
	most      int // 0: no limit
	broken    *fault.Fault
}

// codeWindows returns the limits that a code counts against.
func codeWindows(c account.Code, limits account.Limits) []codeWindow {
	phone, limited := []any{c.Phone}, account.ErrSMSLimited
	list := []codeWindow{
		{`phone = $3`, phone, durations.ResendCode, 1, limited},
		{`phone = $3`, phone, time.Hour, limits.PhoneHour, limited},
		{`phone = $3`, phone, durations.Day, limits.PhoneDay, limited},
		{`TRUE`, nil, time.Hour, limits.ShopHour, account.ErrSMSCeiling},
	}
	if c.Owner {
		return list
	}
	if c.Network == "" { // the IP address is unknown: the limits of a network would apply to all such buyers together
		limits.OriginHour, limits.OriginDay, limits.NetworkHour, limits.NetworkDay = 0, 0, 0, 0
	}
	origin, network := []any{c.Phone, c.Network}, []any{c.Network}
	return append(list,
		codeWindow{`phone = $3 AND owner = FALSE`, phone, time.Hour, limits.StrangerHour, limited},
		codeWindow{`phone = $3 AND owner = FALSE`, phone, durations.Day, limits.StrangerDay, limited},
		codeWindow{`phone = $3 AND network = $4 AND owner = FALSE`, origin, time.Hour, limits.OriginHour, limited},
		codeWindow{`phone = $3 AND network = $4 AND owner = FALSE`, origin, durations.Day, limits.OriginDay, limited},
		codeWindow{`network = $3 AND owner = FALSE`, network, time.Hour, limits.NetworkHour, limited},
		codeWindow{`network = $3 AND owner = FALSE`, network, durations.Day, limits.NetworkDay, limited},
		codeWindow{`TRUE`, nil, time.Hour, limits.StrangersShopHour(), account.ErrSMSCeiling},
	)
}

// codesSince selects the codes of the window before now; a condition is appended. The upper bound excludes codes with a
// later time, because a simulated clock may be set back.
const codesSince = ` FROM sms_codes WHERE sent_at > $1 AND sent_at <= $2 AND `

// ends returns when the limit allows the next code, or the zero time if it allows one now. With a limit of 3, that is
// when the third latest code leaves the window.
func (l codeWindow) ends(w *writeTx, now time.Time) (time.Time, error) {
	if l.most == 0 {
		return time.Time{}, nil
	}
	args := append([]any{now.Add(-l.window).Unix(), now.Unix()}, l.args...)
	sent, err := txQueryAll(w, scanValue[int64], fmt.Sprintf(`SELECT sent_at%s%s ORDER BY sent_at DESC LIMIT 1 OFFSET %d`,
		codesSince, l.condition, l.most-1), args...)
	if err != nil || len(sent) == 0 {
		return time.Time{}, err
	}
	return time.Unix(sent[0], 0).Add(l.window), nil
}

// limitCode returns the fault of the first limit that forbids a code, or nil. An ErrSMSLimited contains, as RetryAfter,
// the time until every limit of the phone and the network allows a code. It also contains that moment as Until, unless
// only the short wait between two codes is the reason.
func limitCode(w *writeTx, c account.Code, limits account.Limits) error {
	var broken *fault.Fault
	var until time.Time
	hard := false
	for _, l := range codeWindows(c, limits) {
		end, err := l.ends(w, c.SentAt)
		if err != nil {
			return err
		}
		if end.IsZero() {
			continue
		}
		broken = cmp.Or(broken, l.broken)
		if l.broken == account.ErrSMSLimited && end.After(until) {
			until, hard = end, l.window != durations.ResendCode
		}
	}
	switch {
	case broken == nil:
		return nil
	case broken != account.ErrSMSLimited:
		return broken
	case hard:
		return broken.WithLock(until, c.SentAt)
	default:
		return broken.WithRetryAfter(until.Sub(c.SentAt))
	}
}

// Codes implements account.CodeStore. Each method is one transaction.
type Codes struct{ db *Stores }

// Codes returns the store of SMS codes and known devices.
func (s *Stores) Codes() *Codes { return &Codes{s} }

// AddCode checks the limits and inserts the code in one transaction, so that concurrent requests cannot exceed a limit.
// Earlier codes of the same phone, purpose and client become unusable. It returns account.ErrSMSLimited or
// account.ErrSMSCeiling.
func (s *Codes) AddCode(ctx context.Context, c account.Code, limits account.Limits) (int64, error) {
	var id int64
	err := s.db.write(ctx, func(w *writeTx) error {
		if err := w.lock("sms codes"); err != nil { // the limits of the shop count the codes of all phones
			return err
		}
		if err := limitCode(w, c, limits); err != nil {
			return err
		}
		if _, err := w.exec(`UPDATE sms_codes SET usable = FALSE
			WHERE phone = $1 AND purpose = $2 AND asker = $3 AND usable = TRUE`,
			c.Phone, string(c.Purpose), c.Asker); err != nil {
			return err
		}
		var err error
		id, err = txQueryOne(w, scanValue[int64], nil, `INSERT INTO sms_codes
			(phone, purpose, network, owner, asker, code_hash, sent_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
			c.Phone, string(c.Purpose), c.Network, c.Owner, c.Asker, c.Hash, c.SentAt.Unix(), c.Expires.Unix())
		return err
	})
	return id, err
}

// DropCode makes a code unusable, because it was not sent. With uncount it deletes the row, so that the code no longer
// counts against the limits.
func (s *Codes) DropCode(ctx context.Context, id int64, uncount bool) error {
	return s.db.write(ctx, func(w *writeTx) error {
		q := `UPDATE sms_codes SET usable = FALSE WHERE id = $1`
		if uncount {
			q = `DELETE FROM sms_codes WHERE id = $1`
		}
		_, err := w.exec(q, id)
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

// UseCode compares a try with the live codes of a phone, and uses them up if it is right. It counts the try in any
// case: the transaction commits the count, and the result is returned after that. It returns account.ErrCodeWrong or
// account.ErrCodeLocked.
func (s *Codes) UseCode(ctx context.Context, t account.CodeTry) error {
	var result error
	err := s.db.write(ctx, func(w *writeTx) error {
		result = account.ErrCodeWrong
		live, err := txQueryAll(w, scanLiveCode, `SELECT id, code_hash, asker, tries, other_tries FROM sms_codes
			WHERE phone = $1 AND purpose = $2 AND usable = TRUE AND expires_at > $3 ORDER BY id`+w.db.sql.lockRow,
			t.Phone, string(t.Purpose), t.At.Unix())
		if len(live) == 0 {
			result = fmt.Errorf("%w: %w", account.ErrCodeWrong, account.ErrNoLiveCode)
		}
		if err != nil || len(live) == 0 {
			return err
		}
		compared, right, own, left := 0, false, false, 0
		for _, c := range live {
			column, tries := "other_tries", c.otherTries
			if t.Asker != "" && t.Asker == c.asker {
				column, tries, own = "tries", c.tries, true
				left = max(left, account.CodeTries-tries-1)
			}
			if tries >= account.CodeTries {
				continue
			}
			compared++
			for _, hash := range t.Hashes {
				right = subtle.ConstantTimeCompare(c.hash, hash) == 1 || right
			}
			if _, err := w.exec(`UPDATE sms_codes SET `+column+` = `+column+` + 1 WHERE id = $1`, c.id); err != nil {
				return err
			}
		}
		switch {
		case compared == 0:
			result = account.ErrCodeLocked
			return nil
		case !right && own && left > 0:
			result = account.ErrCodeWrong.WithTriesLeft(left)
			return nil
		case !right && own:
			result = account.ErrCodeLocked
			return nil
		case !right:
			return nil
		}
		result = nil
		if t.Keep {
			return nil
		}
		_, err = w.exec(`UPDATE sms_codes SET usable = FALSE WHERE phone = $1 AND purpose = $2`,
			t.Phone, string(t.Purpose))
		return err
	})
	return errors.Join(err, result)
}

// CodesSent returns how many codes were sent in the hour before now.
func (s *Codes) CodesSent(ctx context.Context, now time.Time) (int, error) {
	return queryOne(ctx, s.db, scanValue[int], nil, `SELECT count(*)`+codesSince+`TRUE`,
		now.Add(-time.Hour).Unix(), now.Unix())
}

// RememberDevice replaces the hash of the device's token by a fresh one, and records the buyer of the event as the only
// one who can log in on the device without a code. It reports whether it has scheduled a notice of a new device to the
// owner of the account.
func (s *Codes) RememberDevice(
	ctx context.Context, before, fresh []byte, e account.Event,
) (added bool, err error) {
	err = s.db.write(ctx, func(w *writeTx) error {
		if err := w.lockUser(e.UserID); err != nil {
			return err
		}
		known, err := txQueryOne(w, scanValue[bool], nil, `SELECT EXISTS (SELECT 1 FROM known_devices
			WHERE token_hash = $1 AND user_id = $2 AND seen_at >= $3)`,
			before, e.UserID, e.At.Add(-durations.Device).Unix())
		if err != nil {
			return err
		}
		_, err = w.exec(`UPDATE known_devices SET token_hash = $1, logs_in = FALSE
			WHERE token_hash = $2`, fresh, before)
		if err != nil {
			return err
		}
		_, err = w.exec(`INSERT INTO known_devices (token_hash, user_id, seen_at, logs_in) VALUES ($1, $2, $3, TRUE)
			ON CONFLICT (token_hash, user_id) DO UPDATE SET seen_at = excluded.seen_at, logs_in = TRUE`,
			fresh, e.UserID, e.At.Unix())
		if added = false; known || err != nil {
			return err
		}
		first, err := isFirstLogin(w, e, 1)
		if first || err != nil {
			return err
		}
		added = true
		return errors.Join(insertEvent(w, e), notify(w, account.NewDevice, e))
	})
	return added && err == nil, err
}

// KnowsDevice reports whether the buyer with the phone has logged in on the device since a time.
func (s *Codes) KnowsDevice(ctx context.Context, phone string, hash []byte, since time.Time) (bool, error) {
	return queryOne(ctx, s.db, scanValue[bool], nil, `SELECT EXISTS (SELECT 1
		FROM known_devices d JOIN users u ON u.id = d.user_id
		WHERE d.token_hash = $1 AND u.phone = $2 AND d.seen_at >= $3)`, hash, phone, since.Unix())
}

// loginsOf reads how many logins of a network were counted in the minute $2 and in the one before it, $3.
const loginsOf = `SELECT coalesce(sum(logins) FILTER (WHERE began_at = $2), 0),
	coalesce(sum(logins) FILTER (WHERE began_at = $3), 0)
	FROM network_logins WHERE network = $1 AND began_at IN ($2, $3)`

// CountLogin counts a login of a network unless the allowed number was already counted in the minute before now. It
// reports whether it did. It counts per calendar minute and estimates the sliding one: of the logins of the previous
// calendar minute it counts the fraction that overlaps, rounded up. Concurrent calls, also of several servers, cannot
// exceed the limit. If the login is not counted, nothing is written.
func (s *Codes) CountLogin(ctx context.Context, network string, now time.Time, allowed int) (counted bool, err error) {
	minute := now.Truncate(time.Minute)
	type counts struct{ present, before int }
	known, err := queryOne(ctx, s.db, func(row scanner) (c counts, err error) {
		return c, row.Scan(&c.present, &c.before)
	}, nil, loginsOf, network, toEpoch(minute), toEpoch(minute.Add(-time.Minute)))
	if err != nil {
		return false, err
	}
	left := time.Minute - now.Sub(minute)
	allowed -= int(math.Ceil(float64(known.before) * left.Minutes()))
	if known.present >= allowed {
		return false, nil
	}
	err = s.db.write(ctx, func(w *writeTx) error {
		changed, err := w.exec(`INSERT INTO network_logins (network, began_at, logins) VALUES ($1, $2, 1)
			ON CONFLICT (network, began_at) DO UPDATE SET logins = network_logins.logins + 1
			WHERE network_logins.logins < $3`,
			network, toEpoch(minute), allowed)
		counted = changed == 1
		return err
	})
	return counted && err == nil, err
}

package store

import (
	"context"
	"strconv"
	"time"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/jobs"
)

// notify inserts a notice of a change to the account's current phone, and the task that sends it. It does nothing if
// the account has no phone, or if the phone got account.NoticesPerDay notices of the kind within a day. The caller must
// have locked the buyer's row.
func notify(w *writeTx, kind account.NoticeKind, e account.Event) error {
	ids, err := txQueryAll(w, scanValue[int64], `INSERT INTO account_notices (user_id, kind, phone, at)
		SELECT id, $2, phone, $3 FROM users WHERE id = $1 AND phone IS NOT NULL AND closed_at = 0
		AND (SELECT count(*) FROM account_notices n WHERE n.phone = users.phone AND n.kind = $2 AND n.at > $4) < $5
		RETURNING id`, e.UserID, string(kind), e.At.Unix(), e.At.Add(-durations.Day).Unix(), account.NoticesPerDay)
	if err != nil || len(ids) == 0 {
		return err
	}
	return jobRepo{w}.Schedule(account.NoticeTask, strconv.FormatInt(ids[0], 10), jobs.Queue(account.NoticeQueue), e.At)
}

// isFirstLogin reports whether the account was created in the hour before the event and has at most the given number of
// logins.
func isFirstLogin(w *writeTx, e account.Event, logins int) (bool, error) {
	return txQueryOne(w, scanValue[bool], account.ErrLoginRequired, `SELECT created_at > $2 AND $3 >= (
			SELECT count(*) FROM account_events WHERE user_id = $1
			AND kind IN ('login_code', 'login_app', 'login_link', 'login_device'))
		FROM users WHERE id = $1`, e.UserID, e.At.Add(-time.Hour).Unix(), logins)
}

// Notice returns a notice that must still be sent.
func (a *Accounts) Notice(ctx context.Context, id int64) (n account.Notice, found bool, err error) {
	scan := func(row scanner) (n account.Notice, err error) {
		var at int64
		err = row.Scan(&n.ID, &n.Kind, &n.Phone, &at)
		n.At = time.Unix(at, 0)
		return n, err
	}
	list, err := queryAll(ctx, a.db, scan, `SELECT id, kind, phone, at FROM account_notices
		WHERE id = $1 AND ended = FALSE`, id)
	if err != nil || len(list) == 0 {
		return n, false, err
	}
	return list[0], true, nil
}

// EndNotice records that a notice need not be sent any longer.
func (a *Accounts) EndNotice(ctx context.Context, id int64) error {
	return a.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`UPDATE account_notices SET ended = TRUE WHERE id = $1`, id)
		return err
	})
}

package sqlite

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"marquee/server/jobs"
	"marquee/server/order"
	"slices"
	"time"

	"marquee/server/fault"
)

// Schedule implements the interface of the jobRepo.
func (w jobRepo) Schedule(kind jobs.Kind, subject string, lane jobs.Queue, due time.Time) error {
	_, err := w.exec(`INSERT INTO outbox (kind, subject, lane, due_at) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (kind, subject) DO UPDATE SET lane = ?3, due_at = ?4, tries = 0, lease = '', lease_until = 0`, string(kind), subject, string(lane), seconds(due))
	return err
}

// Ensure implements the interface of the jobRepo.
func (w jobRepo) Ensure(kind jobs.Kind, subject string, lane jobs.Queue, due time.Time) error {
	_, err := w.exec(`INSERT INTO outbox (kind, subject, lane, due_at) VALUES (?, ?, ?, ?) ON CONFLICT (kind, subject) DO NOTHING`,
		string(kind), subject, string(lane), seconds(due))
	return err
}

// Unschedule implements the interface of the jobRepo.
func (w jobRepo) Unschedule(kind jobs.Kind, subject string) error {
	_, err := w.exec(`DELETE FROM outbox WHERE kind = ? AND subject = ?`, string(kind), subject)
	return err
}

// Reschedule implements the interface of the jobRepo.
func (w jobRepo) Reschedule(t jobs.Task, due time.Time) error {
	_, err := w.exec(`UPDATE outbox SET due_at = ?, tries = tries + 1, lease = '', lease_until = 0 WHERE kind = ? AND subject = ? AND lease = ?`,
		seconds(due), string(t.Kind), t.Subject, t.Lease)
	return err
}

// Finish implements the interface of the jobRepo.
func (w jobRepo) Finish(t jobs.Task) error {
	_, err := w.exec(`DELETE FROM outbox WHERE kind = ? AND subject = ? AND lease = ?`, string(t.Kind), t.Subject, t.Lease)
	return err
}

// lanesDue leaps from lane to lane, and looks in each for one task that is due: what waits in one lane does not cost
// the others' time.
const lanesDue = `WITH RECURSIVE lanes (lane) AS (SELECT min(lane) FROM outbox UNION ALL
	SELECT (SELECT min(o.lane) FROM outbox o WHERE o.lane > lanes.lane) FROM lanes WHERE lanes.lane IS NOT NULL)
	SELECT lane FROM lanes WHERE lane IS NOT NULL AND EXISTS (SELECT 1 FROM outbox o WHERE o.lane = lanes.lane AND o.due_at <= ?1 AND o.lease_until <= ?1)`

// UpdateTasks implements jobs.Store.
func (s *Orders) UpdateTasks(ctx context.Context, fn func(jobs.Scheduler) error) error {
	return s.db.write(ctx, func(w *writeTx) error { return fn(jobRepo{w}) })
}

const claimed = ` RETURNING kind, subject, lane, tries`

// Claim implements order.Store.
func (s *Orders) Claim(ctx context.Context, now, until time.Time, most int, busy map[jobs.Queue]int) ([]jobs.Task, error) {
	due, err := all(ctx, s.from, func(row scanner) (l jobs.Queue, err error) { return l, row.Scan(&l) }, lanesDue, seconds(now))
	due = slices.DeleteFunc(due, func(l jobs.Queue) bool { return busy[l] >= most })
	if err != nil || len(due) == 0 {
		return nil, err // looking costs no write
	}
	var tasks []jobs.Task
	err = s.db.write(ctx, func(w *writeTx) error {
		tasks = nil
		for _, l := range due {
			got, err := w.claim(`UPDATE outbox SET lease = ?3, lease_until = ?4 WHERE id IN (
				SELECT id FROM outbox WHERE lane = ?5 AND due_at <= ?1 AND lease_until <= ?1 ORDER BY due_at, id LIMIT ?2)`+claimed,
				seconds(now), most-busy[l], rand.Text(), seconds(until), string(l))
			if err != nil {
				return err
			}
			tasks = append(tasks, got...)
		}
		return nil
	})
	return tasks, err
}

// ClaimOne implements order.Store.
func (s *Orders) ClaimOne(ctx context.Context, kind jobs.Kind, subject string, now, until time.Time) (t jobs.Task, found bool, err error) {
	err = s.db.write(ctx, func(w *writeTx) error {
		tasks, err := w.claim(`UPDATE outbox SET lease = ?3, lease_until = ?4 WHERE kind = ?5 AND subject = ?2 AND lease_until <= ?1`+claimed,
			seconds(now), subject, rand.Text(), seconds(until), string(kind))
		if found = len(tasks) > 0; found {
			t = tasks[0]
		}
		return err
	})
	return t, found, err
}

// claim runs an UPDATE whose third argument is the lease.
func (w *writeTx) claim(query string, args ...any) ([]jobs.Task, error) {
	return list(w, func(row scanner) (jobs.Task, error) {
		t := jobs.Task{Lease: args[2].(string)}
		return t, row.Scan(&t.Kind, &t.Subject, &t.Queue, &t.Tries)
	}, query, args...)
}

// Begin implements the interface of the callRepo.
func (w callRepo) Begin(c order.Call) error {
	res, err := w.exec(`INSERT INTO provider_calls (key, order_no, request_hash, sent_at) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (key) DO UPDATE SET tries = tries + 1, outcome = 'sent', sent_at = ?4 WHERE request_hash = ?3`,
		c.Key, c.OrderNo, c.RequestHash, seconds(c.At))
	if err != nil {
		return fmt.Errorf("sqlite: call %s: %w", c.Key, err)
	}
	return one(res, order.ErrKeyReused)
}

// End implements the interface of the callRepo.
func (w callRepo) End(key string, outcome order.Outcome, answer string, when time.Time) error {
	_, err := w.exec(`UPDATE provider_calls SET outcome = ?, answer = ?, answered_at = ? WHERE key = ?`, string(outcome), answer, seconds(when), key)
	return err
}

// State implements the interface of the callRepo.
func (w callRepo) State(key string) (order.CallState, error) {
	found, err := list(w.writeTx, func(row scanner) (c order.CallState, err error) {
		var sent int64
		err = row.Scan(&c.Outcome, &c.Times, &sent)
		c.SentAt = at(sent)
		return c, err
	}, `SELECT outcome, tries, sent_at FROM provider_calls WHERE key = ?`, key)
	if err != nil || len(found) == 0 {
		return order.CallState{}, err
	}
	return found[0], nil
}

// Save implements the interface of the keyRepo.
func (w keyRepo) Save(i order.IdempotencyKey) error {
	var failure []byte
	if i.Fault != nil {
		var err error
		if failure, err = json.Marshal(i.Fault); err != nil {
			return err
		}
	}
	res, err := w.exec(`INSERT INTO idempotency (user_id, route, key, body_hash, order_no, fault, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
		ON CONFLICT (user_id, route, key) DO UPDATE SET fault = ?6, at = ?7 WHERE body_hash = ?4 AND order_no = ?5`,
		i.UserID, i.Route, i.Key, i.BodyHash, i.OrderNo, string(failure), seconds(i.At))
	if err != nil {
		return fmt.Errorf("sqlite: idempotency key: %w", err)
	}
	return one(res, order.ErrKeyReused)
}

var errNoKey = errors.New("sqlite: no such idempotency key")

// IdempotencyKey implements order.Store.
func (s *Orders) IdempotencyKey(ctx context.Context, userID int64, route, key string) (order.IdempotencyKey, bool, error) {
	i, err := first(ctx, s.from, func(row scanner) (order.IdempotencyKey, error) {
		i := order.IdempotencyKey{UserID: userID, Route: route, Key: key}
		var failure string
		var when int64
		if err := row.Scan(&i.BodyHash, &i.OrderNo, &failure, &when); err != nil {
			return i, err
		}
		i.At = at(when)
		if failure != "" {
			i.Fault = new(fault.Fault)
			return i, json.Unmarshal([]byte(failure), i.Fault)
		}
		return i, nil
	}, errNoKey, `SELECT body_hash, order_no, fault, at FROM idempotency WHERE user_id = ? AND route = ? AND key = ?`, userID, route, key)
	if errors.Is(err, errNoKey) {
		return i, false, nil
	}
	return i, err == nil, err
}

// Purge implements order.Store.
func (s *Orders) Purge(ctx context.Context, before time.Time) (int, error) {
	var total int
	err := s.db.write(ctx, func(w *writeTx) error {
		total = 0
		for _, query := range []string{
			`DELETE FROM idempotency WHERE at < ?`,
			`DELETE FROM provider_calls WHERE sent_at < ? AND (outcome IN ('ok', 'refused') OR EXISTS (SELECT 1 FROM orders
				WHERE orders.order_no = provider_calls.order_no AND state IN ('ISSUED', 'REFUNDED', 'CANCELLED', 'EXPIRED', 'ABANDONED')))`,
			`DELETE FROM merge_codes WHERE expires_at < ?`,
		} {
			res, err := w.exec(query, seconds(before))
			if err != nil {
				return fmt.Errorf("sqlite: purge: %w", err)
			}
			n, err := res.RowsAffected()
			if err != nil {
				return err
			}
			total += int(n)
		}
		return nil
	})
	return total, err
}

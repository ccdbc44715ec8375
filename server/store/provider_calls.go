package store

import (
	"time"

	"marquee/server/order"
)

// Begin records the intent of a call, or counts a repetition of the same request. It returns order.ErrKeyReused if the
// key was used with another request.
func (w callRepo) Begin(c order.Call) error {
	return w.run(mustChange(order.ErrKeyReused, "begin provider call %s", c.Key),
		`INSERT INTO provider_calls (key, order_no, request_hash, sent_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (key) DO UPDATE SET tries = provider_calls.tries + 1, outcome = $5, sent_at = $4
		WHERE provider_calls.request_hash = $3`,
		c.Key, c.OrderNo, c.RequestHash, toEpoch(c.At), string(order.OutcomeSent))
}

// End records the outcome of a call.
func (w callRepo) End(key string, outcome order.Outcome, answer string, at time.Time) error {
	return w.run(mustRun("end provider call %s", key),
		`UPDATE provider_calls SET outcome = $1, answer = $2, answered_at = $3 WHERE key = $4`,
		string(outcome), answer, toEpoch(at), key)
}

// State returns the state of a call, or the zero state if the call was never begun.
func (w callRepo) State(key string) (order.CallState, error) {
	found, err := txQueryAll(w.writeTx, func(row scanner) (c order.CallState, err error) {
		var sent int64
		err = row.Scan(&c.Outcome, &c.Tries, &sent)
		c.SentAt = fromEpoch(sent)
		return c, err
	}, `SELECT outcome, tries, sent_at FROM provider_calls WHERE key = $1`, key)
	if err != nil || len(found) == 0 {
		return order.CallState{}, err
	}
	return found[0], nil
}

package store

import (
	"context"
	"encoding/json"
	"errors"

	"marquee/server/fault"
	"marquee/server/order"
)

// Save inserts a key or updates its outcome. It returns order.ErrKeyReused if the key belongs to another request or
// order.
func (w keyRepo) Save(k order.IdempotencyKey) error {
	var failure []byte
	if k.Fault != nil {
		var err error
		if failure, err = json.Marshal(k.Fault); err != nil {
			return err
		}
	}
	return w.run(mustChange(order.ErrKeyReused, "save idempotency key"),
		`INSERT INTO idempotency (user_id, route, key, body_hash, order_no, fault, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (user_id, route, key) DO UPDATE SET fault = $6, at = $7
		WHERE idempotency.body_hash = $4 AND idempotency.order_no = $5`,
		k.UserID, k.Route, k.Key, k.BodyHash, k.OrderNo, string(failure), toEpoch(k.At))
}

// errNoKey is not returned to callers: IdempotencyKey returns false for a missing key.
var errNoKey = errors.New("store: idempotency key does not exist")

// IdempotencyKey implements order.Store.
func (s *Orders) IdempotencyKey(
	ctx context.Context, userID int64, route, key string,
) (order.IdempotencyKey, bool, error) {
	k, err := queryOne(ctx, s.from, func(row scanner) (order.IdempotencyKey, error) {
		k := order.IdempotencyKey{UserID: userID, Route: route, Key: key}
		var failure string
		var at int64
		if err := row.Scan(&k.BodyHash, &k.OrderNo, &failure, &at); err != nil {
			return k, err
		}
		k.At = fromEpoch(at)
		if failure != "" {
			k.Fault = new(fault.Fault)
			return k, json.Unmarshal([]byte(failure), k.Fault)
		}
		return k, nil
	}, errNoKey, `SELECT body_hash, order_no, fault, at FROM idempotency WHERE user_id = $1 AND route = $2
		AND key = $3`,
		userID, route, key)
	if errors.Is(err, errNoKey) {
		return k, false, nil
	}
	return k, err == nil, err
}

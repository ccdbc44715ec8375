-- +goose Up
-- A task waits with those that ask the same party, and for nobody else.
ALTER TABLE outbox ADD COLUMN lane TEXT NOT NULL DEFAULT '';
UPDATE outbox SET lane = CASE
  WHEN kind IN ('trade', 'reconcile', 'refund') THEN 'gateway'
  WHEN kind = 'house' THEN 'house'
  ELSE coalesce((SELECT CASE o.kind WHEN 'ticket' THEN 'tickets-' || o.source WHEN 'goods' THEN 'topup' ELSE 'house' END
    FROM orders o WHERE o.order_no = outbox.subject), 'house') END;
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (lane, due_at);

-- +goose Down
DROP INDEX outbox_due;
ALTER TABLE outbox DROP COLUMN lane;
CREATE INDEX outbox_due ON outbox (due_at);

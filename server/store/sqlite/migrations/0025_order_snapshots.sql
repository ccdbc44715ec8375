-- +goose Up
-- What was bought is written once, apart from the row that each step of a purchase rewrites: a step then dirties a
-- narrow row, and a page of orders holds many of them.
CREATE TABLE order_snapshots (
  order_id INTEGER PRIMARY KEY REFERENCES orders (id),
  snapshot TEXT NOT NULL CHECK (json_valid(snapshot))
) STRICT;
INSERT INTO order_snapshots (order_id, snapshot) SELECT id, snapshot FROM orders ORDER BY id;
ALTER TABLE orders DROP COLUMN snapshot;
-- +goose StatementBegin
CREATE TRIGGER order_snapshots_no_delete BEFORE DELETE ON order_snapshots BEGIN SELECT RAISE(ABORT, 'orders are never deleted'); END;
-- +goose StatementEnd

-- +goose Down
ALTER TABLE orders ADD COLUMN snapshot TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(snapshot));
UPDATE orders SET snapshot = (SELECT s.snapshot FROM order_snapshots s WHERE s.order_id = orders.id);
DROP TABLE order_snapshots;

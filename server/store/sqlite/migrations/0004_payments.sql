-- +goose Up
CREATE TABLE payments (
  id         INTEGER PRIMARY KEY,
  order_no   TEXT NOT NULL REFERENCES orders (order_no),
  attempt    INTEGER NOT NULL CHECK (attempt > 0),
  state      TEXT NOT NULL CHECK (state IN ('open', 'paid', 'closed', 'late', 'disputed')),
  total      INTEGER NOT NULL CHECK (total > 0),
  created_at INTEGER NOT NULL,
  UNIQUE (order_no, attempt)
) STRICT;
CREATE UNIQUE INDEX payments_one_active ON payments (order_no) WHERE state IN ('open', 'paid');

CREATE TABLE legs (
  id             INTEGER PRIMARY KEY,
  payment_id     INTEGER NOT NULL REFERENCES payments (id),
  order_no       TEXT NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('card', 'wx')),
  title          TEXT NOT NULL,
  card_id        INTEGER REFERENCES cards (id),
  amount         INTEGER NOT NULL CHECK (amount > 0),
  captured       INTEGER NOT NULL DEFAULT 0 CHECK (captured IN (0, amount)),
  captured_at    INTEGER NOT NULL DEFAULT 0,
  out_trade_no   TEXT UNIQUE,
  transaction_id TEXT UNIQUE,
  openid         TEXT NOT NULL DEFAULT '',
  expires_at     INTEGER NOT NULL DEFAULT 0,
  CHECK ((kind = 'card') = (card_id IS NOT NULL)),
  CHECK ((kind = 'wx') = (out_trade_no IS NOT NULL))
) STRICT;
CREATE INDEX legs_of_payment ON legs (payment_id);

CREATE TABLE refunds (
  id            INTEGER PRIMARY KEY,
  leg_id        INTEGER NOT NULL REFERENCES legs (id),
  order_no      TEXT NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('card', 'wx')),
  title         TEXT NOT NULL,
  generation    INTEGER NOT NULL CHECK (generation > 0),
  amount        INTEGER NOT NULL CHECK (amount > 0),
  state         TEXT NOT NULL CHECK (state IN ('ready', 'sending', 'unknown', 'done', 'manual')),
  out_refund_no TEXT UNIQUE,
  refund_id     TEXT NOT NULL DEFAULT '',
  reason        TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  sent_at       INTEGER NOT NULL DEFAULT 0,
  done_at       INTEGER NOT NULL DEFAULT 0,
  UNIQUE (leg_id, generation)
) STRICT;
CREATE INDEX refunds_of_order ON refunds (order_no);
-- +goose StatementBegin
CREATE TRIGGER refunds_within_capture BEFORE INSERT ON refunds
WHEN NEW.amount + (SELECT coalesce(sum(amount), 0) FROM refunds WHERE leg_id = NEW.leg_id) > (SELECT captured FROM legs WHERE id = NEW.leg_id)
BEGIN SELECT RAISE(ABORT, 'refunds exceed what was captured'); END;
-- +goose StatementEnd

-- +goose Down
DROP TABLE refunds;
DROP TABLE legs;
DROP TABLE payments;

-- +goose Up
-- Times are UTC epoch seconds, amounts are fen, points are 1/100 point.

CREATE TABLE showings (
  source      INTEGER NOT NULL,
  external_id TEXT NOT NULL CHECK (external_id <> ''),
  starts_at   INTEGER NOT NULL,
  closes_at   INTEGER NOT NULL,
  price       INTEGER NOT NULL CHECK (price >= 0),
  PRIMARY KEY (source, external_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE orders (
  id          INTEGER PRIMARY KEY,
  order_no    TEXT NOT NULL UNIQUE,
  kind        TEXT NOT NULL CHECK (kind IN ('ticket', 'goods', 'recharge')),
  source      INTEGER NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('LOCKING', 'PENDING', 'PAID', 'ISSUING', 'ISSUED', 'ISSUE_FAILED', 'REFUNDED', 'CANCELLED', 'EXPIRED', 'ABANDONED')),
  version     INTEGER NOT NULL CHECK (version > 0),
  user_id     INTEGER NOT NULL,
  total       INTEGER NOT NULL CHECK (total > 0),
  snapshot    TEXT NOT NULL CHECK (json_valid(snapshot)),
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL DEFAULT 0,
  ends_at     INTEGER NOT NULL DEFAULT 0, -- when what was bought is over
  seats       INTEGER NOT NULL DEFAULT 0,
  provider_no TEXT,
  tickets     TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tickets)),
  sms         TEXT NOT NULL DEFAULT '',
  fail_reason TEXT NOT NULL DEFAULT '',
  stuck       INTEGER NOT NULL DEFAULT 0 CHECK (stuck IN (0, 1)),
  CHECK (state IN ('LOCKING', 'ABANDONED') OR kind <> 'ticket' OR expires_at > 0)
) STRICT;
CREATE UNIQUE INDEX orders_one_open ON orders (user_id) WHERE kind = 'ticket' AND state IN ('LOCKING', 'PENDING');
CREATE UNIQUE INDEX orders_provider_no ON orders (source, provider_no) WHERE provider_no IS NOT NULL;
CREATE INDEX orders_of_user ON orders (user_id, id);
-- +goose StatementBegin
CREATE TRIGGER orders_no_delete BEFORE DELETE ON orders BEGIN SELECT RAISE(ABORT, 'orders are never deleted'); END;
-- +goose StatementEnd

CREATE TABLE seat_holds (
  id         INTEGER PRIMARY KEY,
  source     INTEGER NOT NULL,
  show_id    TEXT NOT NULL,
  seat_id    TEXT NOT NULL CHECK (seat_id <> ''),
  order_no   TEXT NOT NULL REFERENCES orders (order_no),
  state      TEXT NOT NULL CHECK (state IN ('held', 'sold', 'released')),
  changed_at INTEGER NOT NULL,
  FOREIGN KEY (source, show_id) REFERENCES showings (source, external_id)
) STRICT;
CREATE UNIQUE INDEX seat_holds_one_active ON seat_holds (source, show_id, seat_id) WHERE state IN ('held', 'sold');
CREATE INDEX seat_holds_of_order ON seat_holds (order_no);

-- +goose Down
DROP TABLE seat_holds;
DROP TABLE orders;
DROP TABLE showings;

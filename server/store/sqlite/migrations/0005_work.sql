-- +goose Up
-- What is to be done after a commit. A lease leaves a row to one server until it ends.
CREATE TABLE outbox (
  id          INTEGER PRIMARY KEY,
  kind        TEXT NOT NULL,
  subject     TEXT NOT NULL,
  due_at      INTEGER NOT NULL,
  tries       INTEGER NOT NULL DEFAULT 0,
  lease       TEXT NOT NULL DEFAULT '',
  lease_until INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, subject)
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at);

CREATE TABLE provider_calls (
  key          TEXT PRIMARY KEY,
  order_no     TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  tries        INTEGER NOT NULL DEFAULT 1,
  outcome      TEXT NOT NULL DEFAULT 'sent' CHECK (outcome IN ('sent', 'ok', 'refused', 'unknown')),
  answer       TEXT NOT NULL DEFAULT '',
  sent_at      INTEGER NOT NULL,
  answered_at  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  user_id   INTEGER NOT NULL,
  route     TEXT NOT NULL,
  key       TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  order_no  TEXT NOT NULL,
  fault     TEXT NOT NULL DEFAULT '' CHECK (fault = '' OR json_valid(fault)),
  at        INTEGER NOT NULL,
  PRIMARY KEY (user_id, route, key)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE idempotency;
DROP TABLE provider_calls;
DROP TABLE outbox;

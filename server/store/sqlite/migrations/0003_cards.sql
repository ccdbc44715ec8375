-- +goose Up
CREATE TABLE cards (
  id         INTEGER PRIMARY KEY,
  pid        INTEGER NOT NULL CHECK (pid BETWEEN 1 AND 11),
  number     TEXT NOT NULL UNIQUE CHECK (number <> ''),
  password   BLOB NOT NULL,
  user_id    INTEGER,
  status     TEXT NOT NULL CHECK (status IN ('active', 'frozen', 'deleted')),
  version    INTEGER NOT NULL CHECK (version > 0),
  bound_at   INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX cards_of_user ON cards (user_id, id) WHERE user_id IS NOT NULL;

CREATE TABLE lots (
  id         INTEGER PRIMARY KEY,
  card_id    INTEGER NOT NULL REFERENCES cards (id),
  expires_at INTEGER NOT NULL,
  avail      INTEGER NOT NULL DEFAULT 0 CHECK (avail >= 0),
  held       INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  origin     TEXT NOT NULL
) STRICT;
CREATE INDEX lots_of_card ON lots (card_id, id);
CREATE INDEX lots_to_lapse ON lots (expires_at) WHERE avail > 0;

CREATE TABLE ledger_txs (
  id       INTEGER PRIMARY KEY,
  key      TEXT NOT NULL UNIQUE CHECK (key <> ''),
  event    TEXT NOT NULL,
  order_no TEXT NOT NULL DEFAULT '',
  actor    TEXT NOT NULL,
  remark   TEXT NOT NULL DEFAULT '',
  at       INTEGER NOT NULL
) STRICT;

CREATE TABLE ledger_entries (
  id      INTEGER PRIMARY KEY,
  tx_id   INTEGER NOT NULL REFERENCES ledger_txs (id),
  account TEXT NOT NULL CHECK (account IN ('avail', 'held', 'issued', 'revenue', 'wx_clearing', 'expired', 'adjust')),
  lot_id  INTEGER REFERENCES lots (id),
  cp      INTEGER NOT NULL CHECK (cp <> 0),
  CHECK ((account IN ('avail', 'held')) = (lot_id IS NOT NULL))
) STRICT;
CREATE INDEX ledger_entries_of_tx ON ledger_entries (tx_id);
CREATE INDEX ledger_entries_of_lot ON ledger_entries (lot_id) WHERE lot_id IS NOT NULL;

-- +goose StatementBegin
CREATE TRIGGER ledger_txs_no_update BEFORE UPDATE ON ledger_txs BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_txs_no_delete BEFORE DELETE ON ledger_txs BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER cards_no_delete BEFORE DELETE ON cards BEGIN SELECT RAISE(ABORT, 'cards are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER cards_keep_points BEFORE UPDATE OF status ON cards
WHEN NEW.status = 'deleted' AND EXISTS (SELECT 1 FROM lots WHERE card_id = NEW.id AND avail + held <> 0)
BEGIN SELECT RAISE(ABORT, 'a card with points cannot be deleted'); END;
-- +goose StatementEnd

CREATE TABLE card_tries (
  scope        TEXT PRIMARY KEY,
  wrong        INTEGER NOT NULL,
  locked_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE card_tries;
DROP TABLE ledger_entries;
DROP TABLE ledger_txs;
DROP TABLE lots;
DROP TABLE cards;

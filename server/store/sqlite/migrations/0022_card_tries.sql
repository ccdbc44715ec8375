-- +goose Up
-- A count of wrong passwords stands until a time of its own, whether it has locked anything or not. Earlier counts,
-- which had no such time, are let go.
DROP TABLE card_tries;
CREATE TABLE card_tries (
  scope        TEXT PRIMARY KEY,
  wrong        INTEGER NOT NULL CHECK (wrong > 0),
  stands_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX card_tries_over ON card_tries (stands_until);

-- +goose Down
DROP TABLE card_tries;
CREATE TABLE card_tries (
  scope        TEXT PRIMARY KEY,
  wrong        INTEGER NOT NULL,
  locked_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

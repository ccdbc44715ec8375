-- +goose Up
-- A coupon code binds a card by itself; kept as a keyed hash like the password. A merged card points at the one
-- that holds its points now, and each of its lots at the lot that took its place, so that a refund finds its way.
ALTER TABLE cards ADD COLUMN coupon BLOB;
ALTER TABLE cards ADD COLUMN merged_into INTEGER REFERENCES cards (id);
CREATE UNIQUE INDEX cards_coupon ON cards (coupon) WHERE coupon IS NOT NULL;
ALTER TABLE lots ADD COLUMN merged_into INTEGER REFERENCES lots (id);

CREATE TABLE merge_codes (
  code_hash  BLOB PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  pid        INTEGER NOT NULL,
  cards      TEXT NOT NULL, -- what was shown when the code was given: ids and balances
  expires_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE card_packages (
  id       INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  points   INTEGER NOT NULL CHECK (points > 0),
  price    INTEGER NOT NULL CHECK (price > 0)
) STRICT;

-- +goose Down
DROP TABLE card_packages;
DROP TABLE merge_codes;
ALTER TABLE lots DROP COLUMN merged_into;
DROP INDEX cards_coupon;
ALTER TABLE cards DROP COLUMN merged_into;
ALTER TABLE cards DROP COLUMN coupon;

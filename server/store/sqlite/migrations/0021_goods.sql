-- +goose Up
CREATE TABLE goods_categories (
  id        INTEGER PRIMARY KEY,
  code      TEXT NOT NULL UNIQUE CHECK (code <> ''),
  name      TEXT NOT NULL,
  image_url TEXT NOT NULL,
  position  INTEGER NOT NULL
) STRICT;

CREATE TABLE goods (
  id          INTEGER PRIMARY KEY,
  code        TEXT NOT NULL UNIQUE CHECK (code <> ''),
  category_id INTEGER NOT NULL REFERENCES goods_categories (id),
  shelf       TEXT NOT NULL CHECK (shelf IN ('music', 'reading', 'tools', 'recharge', 'other')),
  type        INTEGER NOT NULL CHECK (type IN (1, 2)),
  scope       TEXT NOT NULL CHECK (scope IN ('any', 'movie', 'cake', 'book')),
  title       TEXT NOT NULL,
  image_url   TEXT NOT NULL,
  product     TEXT NOT NULL,
  spec        TEXT NOT NULL,
  html        TEXT NOT NULL,
  position    INTEGER NOT NULL,
  on_sale     INTEGER NOT NULL CHECK (on_sale IN (0, 1))
) STRICT;
CREATE INDEX goods_of_category ON goods (category_id, position);

-- stock is what can still be sold; of goods with codes, the number of free codes.
CREATE TABLE goods_skus (
  id         INTEGER PRIMARY KEY,
  code       TEXT NOT NULL UNIQUE CHECK (code <> ''),
  goods_id   INTEGER NOT NULL REFERENCES goods (id),
  name       TEXT NOT NULL,
  spec       TEXT NOT NULL,
  image_url  TEXT NOT NULL,
  price      INTEGER NOT NULL CHECK (price > 0),
  stock      INTEGER NOT NULL DEFAULT 0 CHECK (stock >= 0),
  valid_days INTEGER NOT NULL DEFAULT 0 CHECK (valid_days >= 0),
  position   INTEGER NOT NULL,
  on_sale    INTEGER NOT NULL CHECK (on_sale IN (0, 1))
) STRICT;
CREATE INDEX goods_skus_of_goods ON goods_skus (goods_id, position);

CREATE TABLE stock_holds (
  order_no   TEXT PRIMARY KEY REFERENCES orders (order_no),
  sku_id     INTEGER NOT NULL REFERENCES goods_skus (id),
  pieces     INTEGER NOT NULL CHECK (pieces > 0),
  state      TEXT NOT NULL CHECK (state IN ('held', 'sold', 'released')),
  changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE goods_codes (
  id         INTEGER PRIMARY KEY,
  sku_id     INTEGER NOT NULL REFERENCES goods_skus (id),
  sealed     BLOB NOT NULL,
  hash       BLOB NOT NULL UNIQUE,
  state      TEXT NOT NULL CHECK (state IN ('free', 'held', 'given', 'withdrawn')),
  order_no   TEXT REFERENCES orders (order_no),
  changed_at INTEGER NOT NULL,
  CHECK ((state IN ('held', 'given')) = (order_no IS NOT NULL))
) STRICT;
CREATE INDEX goods_codes_free ON goods_codes (sku_id, id) WHERE state = 'free';
CREATE INDEX goods_codes_of_order ON goods_codes (order_no) WHERE order_no IS NOT NULL;
-- +goose StatementBegin
CREATE TRIGGER goods_codes_given_stay BEFORE UPDATE ON goods_codes WHEN OLD.state = 'given'
BEGIN SELECT RAISE(ABORT, 'a code is given once'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER goods_codes_no_delete BEFORE DELETE ON goods_codes BEGIN SELECT RAISE(ABORT, 'codes are never deleted'); END;
-- +goose StatementEnd

-- +goose Down
DROP TABLE goods_codes;
DROP TABLE stock_holds;
DROP TABLE goods_skus;
DROP TABLE goods;
DROP TABLE goods_categories;

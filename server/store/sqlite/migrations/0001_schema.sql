-- +goose Up
-- A CHECK compares (a = 'x' OR a = 'y' …) in tables that a purchase writes: SQLite builds a table of a list of three or
-- more values at every statement that writes the column.

-- SHA-256 of the file of each migration that was applied. A build refuses a schema that another build has made.
CREATE TABLE schema_checksums (
  version  INTEGER PRIMARY KEY,
  checksum TEXT    NOT NULL
) STRICT;

-- Append-only record of who changed what.
CREATE TABLE audit (
  id      INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  actor   TEXT NOT NULL,
  what    TEXT NOT NULL,
  subject TEXT NOT NULL,
  before  TEXT NOT NULL DEFAULT '',
  after   TEXT NOT NULL DEFAULT '',
  request_id TEXT NOT NULL DEFAULT '' -- of the HTTP request or the job
) STRICT;
CREATE INDEX audit_subject ON audit (subject, id);
-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd

-- Buyers and how they prove who they are.
CREATE TABLE users (
  id              INTEGER PRIMARY KEY,
  phone           TEXT    UNIQUE,              -- NULL after it was removed or the account was closed
  phone_proven_at INTEGER NOT NULL DEFAULT 0,  -- when the owner last entered a code sent to the phone
  phone_entered_at INTEGER NOT NULL DEFAULT 0, -- when such a code last opened a session, also for an unknown holder
  unproven_since  INTEGER NOT NULL DEFAULT 0,  -- since when an unknown holder of the phone logs in; 0: none does
  avatar_url      TEXT    NOT NULL DEFAULT '',
  password_hash   TEXT    NOT NULL DEFAULT '', -- argon2id of the payment password; '' until one is set
  password_wrong  INTEGER NOT NULL DEFAULT 0,  -- wrong tries since the last right one
  password_locked INTEGER NOT NULL DEFAULT 0,  -- until, epoch seconds
  password_week   INTEGER NOT NULL DEFAULT 0,  -- when the week of password_week_wrong began
  password_week_wrong INTEGER NOT NULL DEFAULT 0, -- wrong tries in that week, also before a right one
  created_at      INTEGER NOT NULL,
  closed_at       INTEGER NOT NULL DEFAULT 0,
  CHECK (closed_at = 0 OR (phone IS NULL AND avatar_url = '' AND password_hash = ''))
) STRICT;

-- Payment passwords that are being compared.
CREATE TABLE password_tries (
  id         INTEGER PRIMARY KEY,
  user_id    INTEGER NOT NULL REFERENCES users (id),
  started_at INTEGER NOT NULL
) STRICT;
CREATE INDEX password_tries_of_user ON password_tries (user_id);

CREATE TABLE wx_identities (
  openid   TEXT    NOT NULL PRIMARY KEY,
  user_id  INTEGER NOT NULL REFERENCES users (id),
  bound_at INTEGER NOT NULL, -- when the account got it
  used_at  INTEGER NOT NULL, -- when a session of the account last proved it
  confirmed_at INTEGER NOT NULL DEFAULT 0 -- when a code was entered to bind it; 0: never
) STRICT;
CREATE INDEX wx_identities_user ON wx_identities (user_id, used_at);

CREATE TABLE sessions (
  token_hash BLOB    NOT NULL PRIMARY KEY,
  user_id    INTEGER NOT NULL REFERENCES users (id),
  method     TEXT    NOT NULL CHECK (method = 'code' OR method = 'app' OR method = 'link' OR method = 'device'),
  openid     TEXT    NOT NULL DEFAULT '', -- that a session with limited access pays with
  limited    INTEGER NOT NULL DEFAULT FALSE, -- opened with limited access, and not confirmed since
  opened_by  BLOB, -- the session whose token opened this one by a link, which ends with it; NULL after a code
  created_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL, -- to the hour
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER NOT NULL DEFAULT 0,
  device     TEXT    NOT NULL, -- as the client named itself at the login
  network    TEXT    NOT NULL  -- a part of the client's address, at used_at
) STRICT;
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_by_link ON sessions (opened_by) WHERE opened_by IS NOT NULL;

CREATE TABLE sms_codes (
  id         INTEGER PRIMARY KEY,
  phone      TEXT    NOT NULL,
  purpose    TEXT    NOT NULL,
  network    TEXT    NOT NULL, -- of the client that asked for it
  owner      INTEGER NOT NULL, -- 1: asked for with a session, or on a known device of the phone's owner
  asker      TEXT    NOT NULL DEFAULT '', -- the client that asked for it, '' if it cannot be told
  code_hash  BLOB    NOT NULL,
  tries      INTEGER NOT NULL DEFAULT 0, -- wrong ones of the asker
  other_tries INTEGER NOT NULL DEFAULT 0, -- wrong ones of all other clients
  usable     INTEGER NOT NULL DEFAULT 1,
  sent_at    INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sms_codes_phone ON sms_codes (phone, sent_at);
CREATE INDEX sms_codes_network ON sms_codes (network, sent_at);
CREATE INDEX sms_codes_sent ON sms_codes (sent_at);

-- Logins and what is limited like them, by network and minute.
CREATE TABLE network_logins (
  network  TEXT    NOT NULL,
  began_at INTEGER NOT NULL, -- of the minute
  logins   INTEGER NOT NULL,
  PRIMARY KEY (network, began_at)
) STRICT;
CREATE INDEX network_logins_began ON network_logins (began_at);

-- The devices on which buyers have logged in.
CREATE TABLE known_devices (
  token_hash BLOB    NOT NULL,
  user_id    INTEGER NOT NULL REFERENCES users (id),
  seen_at    INTEGER NOT NULL, -- of the last login by code or through the messaging app
  logs_in    INTEGER NOT NULL, -- 1: quick login is possible; at most one row of a device
  PRIMARY KEY (token_hash, user_id)
) STRICT;
CREATE INDEX known_devices_of_user ON known_devices (user_id);
CREATE INDEX known_devices_seen ON known_devices (seen_at);

-- One-use proofs (account.Proof). A proof counts for its kind and in the browser that made it.
CREATE TABLE proofs (
  proof_hash BLOB    NOT NULL PRIMARY KEY,
  kind       TEXT    NOT NULL CHECK (kind = 'identity'),
  subject    TEXT    NOT NULL, -- an openid
  browser    BLOB    NOT NULL, -- hash of the browser's cookie
  used       INTEGER NOT NULL DEFAULT 0,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX proofs_expiry ON proofs (expires_at);

-- Append-only journal of logins, refusals and changes of accounts. A row is deleted no sooner than 184 days before the
-- latest one (durations.KeepEvents).
CREATE TABLE account_events (
  id      INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  user_id INTEGER NOT NULL,
  phone   TEXT NOT NULL,    -- masked
  address TEXT NOT NULL,
  actor   TEXT NOT NULL,
  detail  TEXT NOT NULL
) STRICT;
CREATE INDEX account_events_of_user ON account_events (user_id, at);
CREATE INDEX account_events_at ON account_events (at);
-- +goose StatementBegin
CREATE TRIGGER account_events_no_update BEFORE UPDATE ON account_events
BEGIN SELECT RAISE(ABORT, 'the journal of accounts is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER account_events_kept BEFORE DELETE ON account_events
WHEN OLD.at > (SELECT max(at) FROM account_events) - 15897600
BEGIN SELECT RAISE(ABORT, 'the journal of accounts is kept for 184 days'); END;
-- +goose StatementEnd

-- Notices by SMS to the owners of accounts. They are kept for two days, because limits count those of a day.
CREATE TABLE account_notices (
  id      INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  kind    TEXT    NOT NULL CHECK (kind = 'identity' OR kind = 'phone' OR kind = 'password' OR kind = 'device'),
  phone   TEXT    NOT NULL,
  at      INTEGER NOT NULL, -- of the change that it tells of
  ended   INTEGER NOT NULL DEFAULT 0 -- 1: sent, or not to be sent any more
) STRICT;
CREATE INDEX account_notices_of_phone ON account_notices (phone, kind, at);
CREATE INDEX account_notices_of_user ON account_notices (user_id);
CREATE INDEX account_notices_at ON account_notices (at);

-- The pictures of buyers, by their address. A picture never changes: a new one has another address.
CREATE TABLE avatars (
  url     TEXT PRIMARY KEY,
  picture BLOB NOT NULL
) STRICT;

-- Orders: orders holds what moves, order_snapshots what was bought. Times are epoch seconds, 0 for none; money is fen.
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
  kind        TEXT NOT NULL CHECK (kind = 'ticket' OR kind = 'goods' OR kind = 'recharge'),
  source      INTEGER NOT NULL,
  state       TEXT NOT NULL CHECK (state = 'LOCKING' OR state = 'PENDING' OR state = 'PAID'
    OR state = 'ISSUING' OR state = 'ISSUED'
  OR state = 'ISSUE_FAILED' OR state = 'REFUNDED' OR state = 'CANCELLED' OR state = 'EXPIRED' OR state = 'ABANDONED'),
  version     INTEGER NOT NULL CHECK (version > 0),
  user_id     INTEGER NOT NULL,
  total       INTEGER NOT NULL CHECK (total > 0),
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL DEFAULT 0,
  ends_at     INTEGER NOT NULL DEFAULT 0, -- when what was bought is over; 0: a voucher without an end
  seats       INTEGER NOT NULL DEFAULT 0,
  cinema_address TEXT NOT NULL DEFAULT '', -- added later if it is not known at the purchase
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
CREATE INDEX orders_ended_unpaid ON orders (user_id, updated_at)
  WHERE state IN ('CANCELLED', 'EXPIRED');
CREATE INDEX orders_stuck ON orders (order_no) WHERE stuck = TRUE;
CREATE INDEX orders_to_deliver ON orders (order_no) WHERE kind = 'goods' AND state = 'ISSUING';
CREATE INDEX orders_undelivered ON orders (order_no) WHERE kind = 'goods' AND state IN ('PAID', 'ISSUING');
CREATE INDEX orders_issued ON orders (source, created_at) WHERE kind = 'ticket' AND state = 'ISSUED';
-- +goose StatementBegin
CREATE TRIGGER orders_of_open_accounts BEFORE INSERT ON orders
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at <> 0)
BEGIN SELECT RAISE(ABORT, 'the account is closed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER orders_no_delete BEFORE DELETE ON orders BEGIN SELECT RAISE(ABORT, 'orders are never deleted'); END;
-- +goose StatementEnd

CREATE TABLE order_snapshots (
  order_id INTEGER PRIMARY KEY REFERENCES orders (id),
  snapshot TEXT NOT NULL CHECK (json_valid(snapshot))
) STRICT;
-- +goose StatementBegin
CREATE TRIGGER order_snapshots_no_delete BEFORE DELETE ON order_snapshots
BEGIN SELECT RAISE(ABORT, 'orders are never deleted'); END;
-- +goose StatementEnd

CREATE TABLE seat_holds (
  id         INTEGER PRIMARY KEY,
  source     INTEGER NOT NULL,
  show_id    TEXT NOT NULL,
  seat_id    TEXT NOT NULL CHECK (seat_id <> ''),
  order_no   TEXT NOT NULL REFERENCES orders (order_no),
  state      TEXT NOT NULL CHECK (state = 'held' OR state = 'sold' OR state = 'released'),
  changed_at INTEGER NOT NULL,
  FOREIGN KEY (source, show_id) REFERENCES showings (source, external_id)
) STRICT;
CREATE UNIQUE INDEX seat_holds_one_active ON seat_holds (source, show_id, seat_id) WHERE state IN ('held', 'sold');
CREATE INDEX seat_holds_of_order ON seat_holds (order_no);

-- Welfare cards. The ledger is double entry: the entries of a transaction add up to 0, in 1/100 point (cp).
CREATE TABLE cards (
  id         INTEGER PRIMARY KEY,
  pid        INTEGER NOT NULL CHECK (pid BETWEEN 1 AND 11),
  number     TEXT NOT NULL UNIQUE CHECK (number <> ''),
  password   BLOB NOT NULL,
  user_id    INTEGER,
  status     TEXT NOT NULL CHECK (status = 'active' OR status = 'frozen'),
  deleted    INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
  version    INTEGER NOT NULL CHECK (version > 0),
  bound_at   INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  coupon     BLOB, -- keyed hash of the coupon code
  merged_into INTEGER REFERENCES cards (id)
) STRICT;
CREATE INDEX cards_of_user ON cards (user_id, id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX cards_coupon ON cards (coupon) WHERE coupon IS NOT NULL;
-- +goose StatementBegin
CREATE TRIGGER cards_of_open_accounts BEFORE UPDATE OF user_id ON cards
WHEN NEW.user_id IS NOT OLD.user_id AND EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND closed_at <> 0)
BEGIN SELECT RAISE(ABORT, 'the account is closed'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER cards_no_delete BEFORE DELETE ON cards BEGIN SELECT RAISE(ABORT, 'cards are never deleted'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER cards_keep_points BEFORE UPDATE OF deleted ON cards
WHEN NEW.deleted = 1 AND EXISTS (SELECT 1 FROM lots WHERE card_id = NEW.id AND avail + held <> 0)
BEGIN SELECT RAISE(ABORT, 'a card with points cannot be deleted'); END;
-- +goose StatementEnd

CREATE TABLE lots (
  id         INTEGER PRIMARY KEY,
  card_id    INTEGER NOT NULL REFERENCES cards (id),
  expires_at INTEGER NOT NULL,
  avail      INTEGER NOT NULL DEFAULT 0 CHECK (avail >= 0),
  held       INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  origin     TEXT NOT NULL,
  merged_into INTEGER REFERENCES lots (id)
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
-- +goose StatementBegin
CREATE TRIGGER ledger_txs_no_update BEFORE UPDATE ON ledger_txs
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_txs_no_delete BEFORE DELETE ON ledger_txs
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- +goose StatementEnd

CREATE TABLE ledger_entries (
  id      INTEGER PRIMARY KEY,
  tx_id   INTEGER NOT NULL REFERENCES ledger_txs (id),
  account TEXT NOT NULL CHECK (account = 'avail' OR account = 'held' OR account = 'issued' OR account = 'revenue'
  OR account = 'wx_clearing' OR account = 'expired' OR account = 'adjust'),
  lot_id  INTEGER REFERENCES lots (id),
  cp      INTEGER NOT NULL CHECK (cp <> 0),
  CHECK ((account IN ('avail', 'held')) = (lot_id IS NOT NULL))
) STRICT;
CREATE INDEX ledger_entries_of_tx ON ledger_entries (tx_id);
CREATE INDEX ledger_entries_of_lot ON ledger_entries (lot_id) WHERE lot_id IS NOT NULL;
-- +goose StatementBegin
CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
-- +goose StatementEnd

CREATE TABLE card_tries (
  scope        TEXT PRIMARY KEY,
  wrong        INTEGER NOT NULL CHECK (wrong > 0),
  stands_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX card_tries_over ON card_tries (stands_until);

CREATE TABLE merge_codes (
  code_hash  BLOB PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  pid        INTEGER NOT NULL,
  cards      TEXT NOT NULL, -- what was shown when the code was given: ids and balances
  expires_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX merge_codes_age ON merge_codes (expires_at);

CREATE TABLE card_packages (
  id       INTEGER PRIMARY KEY,
  position INTEGER NOT NULL,
  points   INTEGER NOT NULL CHECK (points > 0),
  price    INTEGER NOT NULL CHECK (price > 0)
) STRICT;

-- Payments with their legs, and refunds.
CREATE TABLE payments (
  id         INTEGER PRIMARY KEY,
  order_no   TEXT NOT NULL REFERENCES orders (order_no),
  attempt    INTEGER NOT NULL CHECK (attempt > 0),
  state      TEXT NOT NULL CHECK (state = 'open' OR state = 'paid' OR state = 'closed'
  OR state = 'late' OR state = 'unknown' OR state = 'disputed' OR state = 'settled'),
  total      INTEGER NOT NULL CHECK (total > 0),
  created_at INTEGER NOT NULL,
  UNIQUE (order_no, attempt)
) STRICT;
CREATE UNIQUE INDEX payments_one_active ON payments (order_no) WHERE state IN ('open', 'paid');
CREATE INDEX payments_to_review ON payments (state, order_no) WHERE state IN ('unknown', 'disputed');

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
  h5             INTEGER NOT NULL DEFAULT FALSE CHECK (h5 IN (FALSE, TRUE)),
  expires_at     INTEGER NOT NULL DEFAULT 0,
  CHECK ((kind = 'card') = (card_id IS NOT NULL)),
  CHECK ((kind = 'wx') = (out_trade_no IS NOT NULL))
) STRICT;
-- The identity of the payer is removed only when the account is closed. A trade that is opened in a browser names none.
-- +goose StatementBegin
CREATE TRIGGER legs_name_the_payer BEFORE INSERT ON legs
WHEN NEW.kind = 'wx' AND NEW.openid = '' AND NOT NEW.h5
BEGIN SELECT RAISE(ABORT, 'a leg of the messaging app needs the payer'); END;
-- +goose StatementEnd
CREATE INDEX legs_of_payment ON legs (payment_id);
CREATE INDEX legs_captured ON legs (captured_at) WHERE captured > 0 AND kind = 'wx';
CREATE INDEX legs_of_card ON legs (card_id, payment_id) WHERE card_id IS NOT NULL;

CREATE TABLE refunds (
  id            INTEGER PRIMARY KEY,
  leg_id        INTEGER NOT NULL REFERENCES legs (id),
  order_no      TEXT NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('card', 'wx')),
  title         TEXT NOT NULL,
  generation    INTEGER NOT NULL CHECK (generation > 0),
  amount        INTEGER NOT NULL CHECK (amount > 0),
  state         TEXT NOT NULL CHECK (state = 'ready' OR state = 'sending' OR state = 'unknown'
  OR state = 'done' OR state = 'manual' OR state = 'by_hand' OR state = 'doubled'),
  out_refund_no TEXT UNIQUE,
  refund_id     TEXT NOT NULL DEFAULT '',
  reason        TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  sent_at       INTEGER NOT NULL DEFAULT 0,
  done_at       INTEGER NOT NULL DEFAULT 0,
  UNIQUE (leg_id, generation)
) STRICT;
CREATE INDEX refunds_of_order ON refunds (order_no);
CREATE INDEX refunds_to_review ON refunds (state, order_no) WHERE state IN ('manual', 'doubled');
CREATE INDEX refunds_at_gateway ON refunds (refund_id) WHERE refund_id <> '';
CREATE INDEX refunds_done ON refunds (done_at) WHERE state = 'done' AND kind = 'wx';
-- +goose StatementBegin
CREATE TRIGGER refunds_within_capture BEFORE INSERT ON refunds
WHEN NEW.amount + (SELECT coalesce(sum(amount), 0) FROM refunds WHERE leg_id = NEW.leg_id)
  > (SELECT captured FROM legs WHERE id = NEW.leg_id)
BEGIN SELECT RAISE(ABORT, 'refunds exceed what was captured'); END;
-- +goose StatementEnd

-- Goods, their stock and their voucher codes.
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
  account_format TEXT NOT NULL CHECK (account_format IN ('', 'phone', 'qq', 'member', 'mail')), -- '': codes
  title       TEXT NOT NULL,
  image_url   TEXT NOT NULL,
  product     TEXT NOT NULL,
  spec        TEXT NOT NULL,
  html        TEXT NOT NULL,
  position    INTEGER NOT NULL,
  on_sale     INTEGER NOT NULL CHECK (on_sale IN (0, 1)),
  CHECK ((type = 1) = (account_format <> ''))
) STRICT;
CREATE INDEX goods_of_category ON goods (category_id, position);

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
  state      TEXT NOT NULL CHECK (state = 'held' OR state = 'sold' OR state = 'released'),
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX stock_holds_held ON stock_holds (sku_id) WHERE state = 'held';

CREATE TABLE goods_codes (
  id         INTEGER PRIMARY KEY,
  sku_id     INTEGER NOT NULL REFERENCES goods_skus (id),
  sealed     BLOB NOT NULL,
  hash       BLOB NOT NULL UNIQUE,
  import     TEXT NOT NULL DEFAULT '', -- the list that the code was added with
  state      TEXT NOT NULL CHECK (state = 'free' OR state = 'held' OR state = 'given' OR state = 'withdrawn'),
  order_no   TEXT REFERENCES orders (order_no),
  changed_at INTEGER NOT NULL,
  CHECK ((state IN ('held', 'given')) = (order_no IS NOT NULL))
) STRICT;
CREATE INDEX goods_codes_free ON goods_codes (sku_id, id) WHERE state = 'free';
CREATE INDEX goods_codes_of_pepper ON goods_codes (substr(sealed, 1, 4), id);
CREATE INDEX goods_codes_of_order ON goods_codes (order_no) WHERE order_no IS NOT NULL;
-- +goose StatementBegin
CREATE TRIGGER goods_codes_given_stay BEFORE UPDATE OF id, sku_id, import, state, order_no, changed_at ON goods_codes
WHEN OLD.state = 'given' -- only sealed and hash change, when the pepper does
BEGIN SELECT RAISE(ABORT, 'a code is given once'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER goods_codes_no_delete BEFORE DELETE ON goods_codes
BEGIN SELECT RAISE(ABORT, 'codes are never deleted'); END;
-- +goose StatementEnd

-- Reconciliation: the rows of other parties' statements (the gateway's bills, the ticket sources' order lists), and what
-- differs from our records. A load becomes the statement of its book and day when it is current.
CREATE TABLE statements (
  id         INTEGER PRIMARY KEY,
  book       TEXT NOT NULL,
  day        TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  is_current INTEGER NOT NULL DEFAULT 0 CHECK (is_current IN (0, 1)),
  line_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX statements_one_current ON statements (book, day) WHERE is_current = TRUE;

CREATE TABLE statement_rows (
  statement_id INTEGER NOT NULL REFERENCES statements (id),
  line         INTEGER NOT NULL,
  kind         TEXT NOT NULL,
  number       TEXT NOT NULL,
  ref          TEXT NOT NULL,
  state        TEXT NOT NULL,
  amount       INTEGER NOT NULL,
  PRIMARY KEY (statement_id, line)
) STRICT;
CREATE INDEX statement_rows_number ON statement_rows (number, kind, statement_id, line);
CREATE INDEX statement_rows_ref ON statement_rows (ref, kind, statement_id);

CREATE TABLE reconciliations (
  book       TEXT NOT NULL,
  day        TEXT NOT NULL,
  tries      INTEGER NOT NULL,
  fault      TEXT NOT NULL DEFAULT '', -- stable code of the last try's failure
  tried_at   INTEGER NOT NULL,
  done_at    INTEGER NOT NULL DEFAULT 0,
  line_count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, book)
) STRICT, WITHOUT ROWID;

CREATE TABLE differences (
  id       INTEGER PRIMARY KEY,
  day      TEXT NOT NULL,
  book     TEXT NOT NULL,
  kind     TEXT NOT NULL,
  subject  TEXT NOT NULL,
  order_no TEXT NOT NULL,
  ours     INTEGER NOT NULL,
  theirs   INTEGER NOT NULL,
  detail   TEXT NOT NULL,
  found_at INTEGER NOT NULL,
  seen_at  INTEGER NOT NULL,
  ended_at INTEGER NOT NULL DEFAULT 0,
  ended_by TEXT NOT NULL DEFAULT '',
  note     TEXT NOT NULL DEFAULT '',
  UNIQUE (day, book, kind, subject)
) STRICT;
CREATE INDEX differences_open ON differences (day) WHERE ended_at = 0;
-- +goose StatementBegin
CREATE TRIGGER differences_no_delete BEFORE DELETE ON differences
BEGIN SELECT RAISE(ABORT, 'differences are never deleted'); END;
-- +goose StatementEnd

-- The job queue, the calls to providers, and the idempotency keys of callers.
CREATE TABLE tasks (
  id          INTEGER PRIMARY KEY,
  kind        TEXT NOT NULL,
  subject     TEXT NOT NULL,
  queue       TEXT NOT NULL,
  due_at      INTEGER NOT NULL,
  tries       INTEGER NOT NULL DEFAULT 0,
  lease       TEXT NOT NULL DEFAULT '',
  lease_until INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, subject)
) STRICT;
CREATE INDEX tasks_due ON tasks (queue, due_at);

CREATE TABLE provider_calls (
  key          TEXT PRIMARY KEY,
  order_no     TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  tries        INTEGER NOT NULL DEFAULT 1,
  outcome      TEXT NOT NULL DEFAULT 'sent' CHECK (outcome = 'sent' OR outcome = 'ok'
  OR outcome = 'refused' OR outcome = 'unknown'),
  answer       TEXT NOT NULL DEFAULT '',
  sent_at      INTEGER NOT NULL,
  answered_at  INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX provider_calls_age ON provider_calls (sent_at);

-- The tokens that provider accounts issue to the shop, which replicas share. One replica at a time renews a token.
CREATE TABLE provider_tokens (
  name         TEXT    PRIMARY KEY,
  sealed       BLOB,             -- NULL until the first renewal has ended
  renew_at     INTEGER NOT NULL,
  holder       TEXT    NOT NULL, -- of the lease; empty: no replica renews it
  leased_until INTEGER NOT NULL
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
CREATE INDEX idempotency_age ON idempotency (at);

-- How far the verification of all records has come, and how the last one ended: one row.
CREATE TABLE verification (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  at_group     TEXT NOT NULL,    -- group of checks; '' between two verifications
  at_row       INTEGER NOT NULL, -- rows of its table up to this one are checked
  started_at   INTEGER NOT NULL,
  found_so_far INTEGER NOT NULL, -- discrepancies
  found        INTEGER NOT NULL, -- by the last complete verification
  clean_at     INTEGER NOT NULL  -- end of the last complete verification that found nothing
) STRICT;

-- Backups of this database. A restored copy does not know the backup that it came from.
CREATE TABLE backups (
  id      INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  name    TEXT    NOT NULL, -- of the file, or what an operator says about a backup by other means
  release TEXT    NOT NULL, -- of the shop
  bytes   INTEGER NOT NULL
) STRICT;
CREATE INDEX backups_age ON backups (at);

-- What the pages show around the goods.
CREATE TABLE banners (
  id        INTEGER PRIMARY KEY,
  place     TEXT    NOT NULL, -- home | cinemas
  position  INTEGER NOT NULL,
  image_url TEXT    NOT NULL,
  link_url  TEXT    NOT NULL,
  title     TEXT    NOT NULL
) STRICT;
CREATE INDEX banners_place ON banners (place, position);

CREATE TABLE tiles (
  id        INTEGER PRIMARY KEY,
  place     TEXT    NOT NULL, -- first | second
  position  INTEGER NOT NULL,
  image_url TEXT    NOT NULL,
  title     TEXT    NOT NULL,
  price     TEXT    NOT NULL,
  url       TEXT    NOT NULL
) STRICT;
CREATE INDEX tiles_place ON tiles (place, position);

CREATE TABLE texts (
  key   TEXT NOT NULL PRIMARY KEY,
  title TEXT NOT NULL,
  html  TEXT NOT NULL
) STRICT;

-- +goose Down
DROP TABLE texts;
DROP TABLE tiles;
DROP TABLE banners;
DROP TABLE backups;
DROP TABLE verification;
DROP TABLE idempotency;
DROP TABLE provider_tokens;
DROP TABLE provider_calls;
DROP TABLE tasks;
DROP TABLE differences;
DROP TABLE reconciliations;
DROP TABLE statement_rows;
DROP TABLE statements;
DROP TABLE goods_codes;
DROP TABLE stock_holds;
DROP TABLE goods_skus;
DROP TABLE goods;
DROP TABLE goods_categories;
DROP TABLE refunds;
DROP TABLE legs;
DROP TABLE payments;
DROP TABLE card_packages;
DROP TABLE merge_codes;
DROP TABLE card_tries;
DROP TABLE ledger_entries;
DROP TABLE ledger_txs;
DROP TABLE lots;
DROP TABLE cards;
DROP TABLE seat_holds;
DROP TABLE order_snapshots;
DROP TABLE orders;
DROP TABLE showings;
DROP TABLE avatars;
DROP TABLE account_notices;
DROP TABLE account_events;
DROP TABLE proofs;
DROP TABLE known_devices;
DROP TABLE network_logins;
DROP TABLE sms_codes;
DROP TABLE sessions;
DROP TABLE wx_identities;
DROP TABLE password_tries;
DROP TABLE users;
DROP TABLE audit;
DROP TABLE schema_checksums;

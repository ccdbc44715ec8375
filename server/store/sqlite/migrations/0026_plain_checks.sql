-- +goose Up
-- A CHECK that looks a value up in a list of three or more has SQLite build a table of the list, at every statement
-- that writes the column. The same rule as comparisons costs nothing of the kind. No row changes by it, so the rules'
-- texts are replaced where they stand, as https://www.sqlite.org/lang_altertable.html#otheralter describes.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'kind IN (''ticket'', ''goods'', ''recharge'')',
  'kind = ''ticket'' OR kind = ''goods'' OR kind = ''recharge''') WHERE type = 'table' AND name = 'orders';
UPDATE sqlite_schema SET sql = replace(sql, 'state IN (''LOCKING'', ''PENDING'', ''PAID'', ''ISSUING'', ''ISSUED'', ''ISSUE_FAILED'', ''REFUNDED'', ''CANCELLED'', ''EXPIRED'', ''ABANDONED'')',
  'state = ''LOCKING'' OR state = ''PENDING'' OR state = ''PAID'' OR state = ''ISSUING'' OR state = ''ISSUED'' OR state = ''ISSUE_FAILED'' OR state = ''REFUNDED'' OR state = ''CANCELLED'' OR state = ''EXPIRED'' OR state = ''ABANDONED''') WHERE type = 'table' AND name = 'orders';
UPDATE sqlite_schema SET sql = replace(sql, 'state IN (''held'', ''sold'', ''released'')',
  'state = ''held'' OR state = ''sold'' OR state = ''released''') WHERE type = 'table' AND name = 'seat_holds';
UPDATE sqlite_schema SET sql = replace(sql, 'account IN (''avail'', ''held'', ''issued'', ''revenue'', ''wx_clearing'', ''expired'', ''adjust'')',
  'account = ''avail'' OR account = ''held'' OR account = ''issued'' OR account = ''revenue'' OR account = ''wx_clearing'' OR account = ''expired'' OR account = ''adjust''') WHERE type = 'table' AND name = 'ledger_entries';
UPDATE sqlite_schema SET sql = replace(sql, 'state IN (''open'', ''paid'', ''closed'', ''late'', ''disputed'')',
  'state = ''open'' OR state = ''paid'' OR state = ''closed'' OR state = ''late'' OR state = ''disputed''') WHERE type = 'table' AND name = 'payments';
UPDATE sqlite_schema SET sql = replace(sql, 'state IN (''ready'', ''sending'', ''unknown'', ''done'', ''manual'')',
  'state = ''ready'' OR state = ''sending'' OR state = ''unknown'' OR state = ''done'' OR state = ''manual''') WHERE type = 'table' AND name = 'refunds';
UPDATE sqlite_schema SET sql = replace(sql, 'outcome IN (''sent'', ''ok'', ''refused'', ''unknown'')',
  'outcome = ''sent'' OR outcome = ''ok'' OR outcome = ''refused'' OR outcome = ''unknown''') WHERE type = 'table' AND name = 'provider_calls';
UPDATE sqlite_schema SET sql = replace(sql, 'state IN (''held'', ''sold'', ''released'')',
  'state = ''held'' OR state = ''sold'' OR state = ''released''') WHERE type = 'table' AND name = 'stock_holds';
UPDATE sqlite_schema SET sql = replace(sql, 'state IN (''free'', ''held'', ''given'', ''withdrawn'')',
  'state = ''free'' OR state = ''held'' OR state = ''given'' OR state = ''withdrawn''') WHERE type = 'table' AND name = 'goods_codes';
PRAGMA writable_schema = RESET;
-- Another connection learns of it from a change of the schema that SQLite itself makes.
CREATE TABLE schema_changed (x INTEGER) STRICT;
DROP TABLE schema_changed;

-- +goose Down
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, 'kind = ''ticket'' OR kind = ''goods'' OR kind = ''recharge''',
  'kind IN (''ticket'', ''goods'', ''recharge'')') WHERE type = 'table' AND name = 'orders';
UPDATE sqlite_schema SET sql = replace(sql, 'state = ''LOCKING'' OR state = ''PENDING'' OR state = ''PAID'' OR state = ''ISSUING'' OR state = ''ISSUED'' OR state = ''ISSUE_FAILED'' OR state = ''REFUNDED'' OR state = ''CANCELLED'' OR state = ''EXPIRED'' OR state = ''ABANDONED''',
  'state IN (''LOCKING'', ''PENDING'', ''PAID'', ''ISSUING'', ''ISSUED'', ''ISSUE_FAILED'', ''REFUNDED'', ''CANCELLED'', ''EXPIRED'', ''ABANDONED'')') WHERE type = 'table' AND name = 'orders';
UPDATE sqlite_schema SET sql = replace(sql, 'state = ''held'' OR state = ''sold'' OR state = ''released''',
  'state IN (''held'', ''sold'', ''released'')') WHERE type = 'table' AND name = 'seat_holds';
UPDATE sqlite_schema SET sql = replace(sql, 'account = ''avail'' OR account = ''held'' OR account = ''issued'' OR account = ''revenue'' OR account = ''wx_clearing'' OR account = ''expired'' OR account = ''adjust''',
  'account IN (''avail'', ''held'', ''issued'', ''revenue'', ''wx_clearing'', ''expired'', ''adjust'')') WHERE type = 'table' AND name = 'ledger_entries';
UPDATE sqlite_schema SET sql = replace(sql, 'state = ''open'' OR state = ''paid'' OR state = ''closed'' OR state = ''late'' OR state = ''disputed''',
  'state IN (''open'', ''paid'', ''closed'', ''late'', ''disputed'')') WHERE type = 'table' AND name = 'payments';
UPDATE sqlite_schema SET sql = replace(sql, 'state = ''ready'' OR state = ''sending'' OR state = ''unknown'' OR state = ''done'' OR state = ''manual''',
  'state IN (''ready'', ''sending'', ''unknown'', ''done'', ''manual'')') WHERE type = 'table' AND name = 'refunds';
UPDATE sqlite_schema SET sql = replace(sql, 'outcome = ''sent'' OR outcome = ''ok'' OR outcome = ''refused'' OR outcome = ''unknown''',
  'outcome IN (''sent'', ''ok'', ''refused'', ''unknown'')') WHERE type = 'table' AND name = 'provider_calls';
UPDATE sqlite_schema SET sql = replace(sql, 'state = ''held'' OR state = ''sold'' OR state = ''released''',
  'state IN (''held'', ''sold'', ''released'')') WHERE type = 'table' AND name = 'stock_holds';
UPDATE sqlite_schema SET sql = replace(sql, 'state = ''free'' OR state = ''held'' OR state = ''given'' OR state = ''withdrawn''',
  'state IN (''free'', ''held'', ''given'', ''withdrawn'')') WHERE type = 'table' AND name = 'goods_codes';
PRAGMA writable_schema = RESET;
-- Another connection learns of it from a change of the schema that SQLite itself makes.
CREATE TABLE schema_changed (x INTEGER) STRICT;
DROP TABLE schema_changed;

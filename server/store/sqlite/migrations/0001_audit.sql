-- +goose Up
-- Who changed what that a customer or a court may ask about. Append-only.
CREATE TABLE audit (
  id      INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  actor   TEXT NOT NULL,
  what    TEXT NOT NULL,
  subject TEXT NOT NULL,
  before  TEXT NOT NULL DEFAULT '',
  after   TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX audit_subject ON audit (subject, id);
-- +goose StatementBegin
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'audit is append-only'); END;
-- +goose StatementEnd

-- +goose Down
DROP TABLE audit;

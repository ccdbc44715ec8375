-- +goose Up
-- Uploaded pictures that no buyer shows: about to be written, or replaced, until their files are gone.
CREATE TABLE idle_avatars (
  url   TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idle_avatars_since ON idle_avatars (since);

-- +goose Down
DROP TABLE idle_avatars;

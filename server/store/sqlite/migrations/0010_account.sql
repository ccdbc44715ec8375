-- +goose Up
CREATE TABLE users (
    id              INTEGER PRIMARY KEY,
    phone           TEXT    NOT NULL UNIQUE,
    avatar_url      TEXT    NOT NULL DEFAULT '',
    password_hash   TEXT    NOT NULL DEFAULT '', -- argon2id of the payment password; '' until one is set
    password_tries  INTEGER NOT NULL DEFAULT 0,
    password_locked INTEGER NOT NULL DEFAULT 0,  -- until, epoch seconds
    created_at      INTEGER NOT NULL
) STRICT;

CREATE TABLE wx_identities (
    openid   TEXT    NOT NULL PRIMARY KEY,
    user_id  INTEGER NOT NULL REFERENCES users (id),
    bound_at INTEGER NOT NULL
) STRICT;
CREATE INDEX wx_identities_user ON wx_identities (user_id, bound_at);

CREATE TABLE sessions (
    token_hash BLOB    NOT NULL PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    revoked_at INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE sms_codes (
    id         INTEGER PRIMARY KEY,
    phone      TEXT    NOT NULL,
    purpose    TEXT    NOT NULL,
    ip         TEXT    NOT NULL,
    code_hash  BLOB    NOT NULL,
    tries      INTEGER NOT NULL DEFAULT 0,
    usable     INTEGER NOT NULL DEFAULT 1,
    sent_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sms_codes_phone ON sms_codes (phone, sent_at);
CREATE INDEX sms_codes_ip ON sms_codes (ip, sent_at);

CREATE TABLE bind_proofs (
    proof_hash BLOB    NOT NULL PRIMARY KEY,
    openid     TEXT    NOT NULL,
    used       INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bind_proofs_expiry ON bind_proofs (expires_at);

-- +goose Down
DROP TABLE bind_proofs;
DROP TABLE sms_codes;
DROP TABLE sessions;
DROP TABLE wx_identities;
DROP TABLE users;

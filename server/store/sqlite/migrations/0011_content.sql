-- +goose Up
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

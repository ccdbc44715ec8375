package store

import (
	"database/sql"
	"reflect"
	"strings"
	"unicode/utf8"
)

// replacement is stored for each part of a text that is not a character.
const replacement = "\uFFFD"

// storable returns the arguments of a statement with every text in the form that both engines store: valid UTF-8
// without NUL. PostgreSQL accepts no other text, and SQLite would store what could never be copied into PostgreSQL.
// Callers check or repair texts where they enter the shop. This is the last guard: a text of another party that was
// missed must not end the transaction that records a payment.
func storable(args []any) []any {
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			args[i] = storableText(v)
		case sql.NullString:
			args[i] = sql.NullString{String: storableText(v.String), Valid: v.Valid}
		case int64, int, bool, []byte, nil, sql.NullInt64:
		default:
			if text := reflect.ValueOf(arg); text.Kind() == reflect.String {
				args[i] = storableText(text.String())
			}
		}
	}
	return args
}

// storableText replaces NUL and bytes that are not UTF-8 by U+FFFD.
func storableText(text string) string {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, replacement), "\x00", replacement)
}

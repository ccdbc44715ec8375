package store

import (
	"database/sql"
	"reflect"
	"strings"
	"unicode/utf8"
)

// replacement is stored in place of NUL and invalid UTF-8.
const replacement = "\uFFFD"

// storable returns the arguments of a statement with all texts in the form that both engines store: valid UTF-8 without
// NUL. PostgreSQL accepts no other text, and SQLite would store texts that could never be copied into PostgreSQL. Texts
// are checked or repaired when they enter the shop. storable also repairs a text of another party that was missed
// there, because such a text must not fail the transaction that records a payment.
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

// storableText replaces NUL and invalid UTF-8 by U+FFFD.
func storableText(text string) string {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, replacement), "\x00", replacement)
}

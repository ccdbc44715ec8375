package upkeep

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
)

// A bundle may be sent because a shop does not start with a malformed address. It must not contain any part of that
// address.
func TestDescribe_NoPartOfAMalformedAddress(t *testing.T) {
	t.Parallel()
	for _, dsn := range []string{
		"postgres://u:hunter2#secret@db.example/x", "postgres://u:hun%secret@db.example/x",
		"postgres://u:hunter2/secret@db.example/x", "postgres://u:123#hunter2@db.example/x",
		"postgres://u:hunter2@db.example:port/x", "postgres://u:hunter2?secret@db.example/x",
		"postgres:u:hunter2@db.example/x", "postgres:/u:hunter2@db.example/x", "u:hunter2@db.example:5432/x",
		"jdbc:postgresql://u:hunter2@db.example/x", " postgres://u:hunter2@db.example/x", "//u:hunter2/x@db.example",
	} {
		text := describe(map[string]string{"MARQUEE_DB": dsn, "MARQUEE_GATEWAY_URL": dsn})
		require.NotContains(t, text, "hunter2", dsn)
		require.NotContains(t, text, "secret@", dsn)
		require.Contains(t, secretsOf(map[string]string{"MARQUEE_DB": dsn}), dsn, "other texts may quote it")
		require.Error(t, app.MakeFolder(dsn), dsn)
	}
	text := describe(map[string]string{"MARQUEE_DB": "postgres://u:hunter2@db.example/x"})
	require.Contains(t, text, "postgres://u:xxxxx@db.example/x")
}

package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An index that lacks an entry gives wrong answers although all rules about rows hold. The test makes one as a bug of
// SQLite would: it declares an index partial, writes to it, and declares it complete again.
func TestDiscrepancies_FindAnEntryMissingInAnIndex(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	for _, statement := range []string{
		`INSERT INTO users (id, phone, created_at) VALUES (1, '13800138000', 1), (2, '13800138001', 2)`,
		`INSERT INTO sessions (token_hash, user_id, method, created_at, used_at, expires_at, device, network)
			VALUES (x'01', 1, 'code', 1, 1, 9, '', ''), (x'02', 2, 'code', 1, 1, 9, '', '')`,
	} {
		_, err := db.raw.Exec(statement)
		require.NoError(t, err)
	}
	found, err := db.Orders().Discrepancies(t.Context())
	require.NoError(t, err)
	require.Empty(t, found)
	for _, statement := range []string{
		`DROP INDEX sessions_of_user`,
		`CREATE INDEX sessions_of_user ON sessions (user_id) WHERE user_id = 1`,
		`PRAGMA writable_schema = 1`,
		`UPDATE sqlite_schema SET sql = 'CREATE INDEX sessions_of_user ON sessions (user_id)'
			WHERE name = 'sessions_of_user'`,
		`PRAGMA writable_schema = RESET`,
	} {
		_, err := db.raw.Exec(statement)
		require.NoError(t, err, statement)
	}
	again := openAt(t, pathOf(t, db))
	found, err = again.Orders().Discrepancies(t.Context())
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "index_has_row", found[0].Check)
	assert.Contains(t, found[0].Detail, "sessions_of_user")
}

// pathOf returns the file of a database.
func pathOf(t *testing.T, db testDB) (path string) {
	t.Helper()
	require.NoError(t, db.raw.QueryRow(`SELECT file FROM pragma_database_list WHERE name = 'main'`).Scan(&path))
	return path
}

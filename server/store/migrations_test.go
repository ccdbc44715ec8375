package store_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/postgres/pgtest"
)

func TestMigrations_ASchemaOfAnotherBuildIsRejected(t *testing.T) {
	t.Parallel()
	own, err := store.ReadMigrations(fstest.MapFS{
		"0001_schema.sql": {Data: []byte("first")}, "0002_next.sql": {Data: []byte("second")},
	})
	require.NoError(t, err)
	require.EqualValues(t, 2, own.Latest())
	require.Len(t, own[1], 64)
	assert.NotEqual(t, own[1], own[2])
	for name, c := range map[string]struct {
		version  int64
		recorded map[int64]string
		want     store.FailureCode
	}{
		"empty database":                     {0, nil, ""},
		"before the last migration":          {1, map[int64]string{1: own[1]}, ""},
		"up to date":                         {2, own, ""},
		"of a later release that went ahead": {3, map[int64]string{1: own[1], 2: own[2], 3: "unknown here"}, ""},
		"another text":                       {2, map[int64]string{1: "other", 2: own[2]}, store.OtherSchema},
		"another text of the last":           {2, map[int64]string{1: own[1], 2: "other"}, store.OtherSchema},
		"no checksum":                        {1, nil, store.OtherSchema},
		"no checksum of the last":            {2, map[int64]string{1: own[1]}, store.OtherSchema},
	} {
		err := own.Check(c.version, c.recorded)
		assert.Equal(t, c.want, store.CodeOf(err), "%s: %v", name, err)
		if c.want != "" {
			assert.ErrorContains(t, err, "make sim-reset", name)
		}
	}
	_, err = store.ReadMigrations(fstest.MapFS{"schema.sql": {}})
	require.ErrorContains(t, err, "has no number")
}

func TestMigrations_ChecksumsAreRecorded(t *testing.T) {
	t.Parallel()
	file, server := openTest(t), pgtest.OpenShop(t)
	for name, engine := range map[string]store.Engine{"sqlite": file, "postgres": server} {
		recorded := checksums(t, engine)
		require.Len(t, recorded, 3, name)
		require.Len(t, recorded[1], 64, name)
	}
}

// checksums returns the recorded checksums of a database.
func checksums(t *testing.T, engine store.Engine) map[int64]string {
	t.Helper()
	rows, err := engine.Query(t.Context(), store.ListChecksums)
	require.NoError(t, err)
	recorded := map[int64]string{}
	for rows.Next() {
		var version int64
		var sum string
		require.NoError(t, rows.Scan(&version, &sum))
		recorded[version] = sum
	}
	require.NoError(t, rows.Close())
	return recorded
}

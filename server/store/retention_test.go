package store_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/durations"
	"marquee/server/store"
)

// retentionRow matches a row of the operators' table: the tables in backticks, and how long their rows are kept.
var retentionRow = regexp.MustCompile("(?m)^\\| ((?:`[a-z_]+` ?)+)\\| ([^|]+) \\|$")

// retention returns how long the rows of each table are kept, according to the operators' README.
func retention(t *testing.T) map[string]string {
	t.Helper()
	readme, err := os.ReadFile("../ops/README.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(readme), "## How long rows are kept")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	kept := map[string]string{}
	for _, row := range retentionRow.FindAllStringSubmatch(section, -1) {
		for table := range strings.FieldsSeq(row[1]) {
			table = strings.Trim(table, "`")
			require.NotContains(t, kept, table, "twice")
			kept[table] = row[2]
		}
	}
	return kept
}

// inWords writes a duration as the table does.
func inWords(d time.Duration) string {
	switch {
	case d%durations.Day == 0:
		return fmt.Sprintf("%d days", d/durations.Day)
	case d == time.Hour:
		return "1 hour"
	}
	return d.String()
}

// The operators' README lists for each table how long its rows are kept, and the code keeps them that long.
func TestRetention_MatchesTheReadme(t *testing.T) {
	t.Parallel()
	kept := retention(t)
	assert.ElementsMatch(t, tablesOf(t, openTest(t)), slices.Collect(maps.Keys(kept)))

	ages := store.Purged()
	ages["statements"], ages["statement_rows"] = durations.KeepStatements, durations.KeepStatements
	for table, age := range ages {
		assert.Regexp(t, `^`+inWords(age)+`\b`, kept[table], table)
	}
	deleted := deletedTables(t)
	for table, how := range kept {
		_, purged := ages[table]
		always := strings.HasPrefix(how, "always")
		assert.NotEqual(t, purged || deleted[table], always, "%s: %s", table, how)
		if !purged && !always {
			assert.Regexp(t, `^until `, how, table)
		}
	}
}

// tablesOf lists the tables of the schema, without those of the engine and of the migrations.
func tablesOf(t *testing.T, db testDB) (names []string) {
	t.Helper()
	rows, err := db.raw.QueryContext(t.Context(), `SELECT name FROM sqlite_master WHERE type = 'table'
		AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		require.NoError(t, rows.Scan(&name))
		names = append(names, name)
	}
	require.NoError(t, rows.Err())
	return names
}

// deletedTables returns the tables from which a statement of the store deletes rows.
func deletedTables(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	deleted := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`DELETE FROM ([a-z_]+)`).FindAllStringSubmatch(string(text), -1) {
			deleted[m[1]] = true
		}
	}
	require.NotEmpty(t, deleted)
	return deleted
}

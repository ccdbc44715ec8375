package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"marquee/server/store"
)

// settings holds the server settings of every connection, by name. A setting that the URL contains has the value from
// there. The settings are applied after connecting, when the version of the server is known. A pooler in transaction
// mode does not keep settings between transactions, so each transaction applies them.
type settings map[string]string

var defaults = settings{
	// Anything that takes longer than this counts as failed.
	"statement_timeout":                   "10s",
	"lock_timeout":                        "5s",
	"idle_in_transaction_session_timeout": "10s",
	// Without its synchronous standby, a commit hangs holding its locks, and statement_timeout does not fire. Before
	// PostgreSQL 17, which introduced this setting, the process cancels such a commit after writeTimeout.
	"transaction_timeout": "15s",
	// By default PostgreSQL assumes that a page found by an index costs four times as much as the next one of its
	// table, which is wrong for SSDs and memory: a step of a verification scanned entire tables, up to a few million
	// rows, to check 500.
	"random_page_cost": "1.1",
}

// takeSettings returns the settings: those that the URL has among its parameters, which it removes from there, and the
// defaults for the others.
func takeSettings(parameters map[string]string) settings {
	taken := maps.Clone(defaults)
	for name := range taken {
		if value, given := parameters[name]; given {
			taken[name] = value
			delete(parameters, name)
		}
	}
	return taken
}

// statement returns the SELECT that applies the settings on a server of a version, to the connection or only to the
// transaction.
func (s settings) statement(version int, transaction bool) string {
	var calls []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if name == "transaction_timeout" && version < 17_00_00 {
			continue
		}
		calls = append(calls, fmt.Sprintf("set_config('%s', '%s', %t)", name, strings.ReplaceAll(s[name], "'", "''"),
			transaction))
	}
	return "SELECT " + strings.Join(calls, ", ")
}

// server holds what Open inspects before it opens the pool.
type server struct {
	version    int  // server_version_num
	standby    bool // it cannot be written
	unfinished bool // store.TransferMark exists
	pooled     bool // a pooler is between this process and the server
}

// inspect inspects the server on a temporary connection. It fails with store.TooOldServer if the version is below
// OldestServer.
//
// A pooler is detected by its process ids, which are not those of the server. Its connections are used without prepared
// statements, because the next transaction may run on another connection of the server, which does not have them.
func inspect(ctx context.Context, cfg *pgx.ConnConfig) (found server, err error) {
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return server{}, connectFailure(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var process uint32
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, pg_is_in_recovery(),
		to_regclass('`+store.TransferMark+`') IS NOT NULL, pg_backend_pid()`, pgx.QueryExecModeExec).
		Scan(&found.version, &found.standby, &found.unfinished, &process)
	if err != nil {
		return server{}, connectFailure(err)
	}
	found.pooled = process != conn.PgConn().PID()
	return found, checkVersion(found.version)
}

// checkVersion fails with store.TooOldServer if the suites do not run on a version of PostgreSQL.
func checkVersion(version int) error {
	if version < OldestServer*1_00_00 {
		return store.Fail(store.TooOldServer, fmt.Errorf("server_version_num is %d", version))
	}
	return nil
}

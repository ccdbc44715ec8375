package app

import (
	"fmt"
	"runtime"
	"runtime/debug"

	sqlite3 "modernc.org/sqlite/lib"

	"marquee/server/store/postgres"
)

// Version describes a build for a report: its version, its commit, and the versions of Go and of the database engines,
// one in each line.
func Version(version string) string {
	commit := "unknown"
	if build, ok := debug.ReadBuildInfo(); ok {
		settings := map[string]string{}
		for _, s := range build.Settings {
			settings[s.Key] = s.Value
		}
		if revision := settings["vcs.revision"]; revision != "" {
			commit = revision + " " + settings["vcs.time"]
		}
		if settings["vcs.modified"] == "true" {
			commit += " with uncommitted changes"
		}
	}
	return fmt.Sprintf("version    %s\ncommit     %s\nGo         %s %s/%s\nSQLite     %s\nPostgreSQL %d and later\n",
		version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, sqlite3.SQLITE_VERSION, postgres.OldestServer)
}

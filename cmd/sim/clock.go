package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"marquee/server/app"
	"marquee/simulators/testclock"
)

// clockFile returns the file for the clock of a run with a database. For a SQLite file it is next to that file, for
// PostgreSQL in the folder of the default SQLite file.
func clockFile(db string) string {
	dir := filepath.Dir(defaultDB)
	switch {
	case db == managedPostgres:
		return filepath.Join(dir, "postgres.clock")
	case app.IsPostgres(db):
		name := db
		if u, err := url.Parse(db); err == nil { // without user and password, which may change
			name = u.Host + u.Path
		}
		sum := sha256.Sum256([]byte(name))
		return filepath.Join(dir, hex.EncodeToString(sum[:4])+".clock")
	}
	return db + ".clock"
}

// savedClock is a clock in its file: the time that it showed at a real time, and whether it was stopped.
type savedClock struct {
	Real     time.Time `json:"real"`
	Business time.Time `json:"business"`
	Frozen   bool      `json:"frozen"`
}

// readClock returns the present state of the clock of an earlier run. If the file is missing, the clock was never moved
// and shows real time.
func readClock(file string) (testclock.State, error) {
	now := time.Now()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return testclock.State{Now: now}, nil
	}
	var saved savedClock
	if err == nil {
		err = json.Unmarshal(text, &saved)
	}
	if err != nil {
		return testclock.State{Now: now}, fmt.Errorf("read the clock of the last run: %w", err)
	}
	if saved.Frozen {
		return testclock.State{Now: saved.Business, Frozen: true}, nil
	}
	return testclock.State{Now: now.Add(saved.Business.Sub(saved.Real))}, nil
}

// keepClock arranges that the clock is written into its file whenever it is moved, before the call that moves it
// returns.
func keepClock(clock *testclock.Clock, file string, log *slog.Logger) {
	clock.OnAdvance(func() {
		if err := writeClock(file, clock.State()); err != nil {
			log.Warn("the moved clock could not be saved for the next run", "file", file, "error", err)
		}
	})
}

// writeClock replaces the file of a clock.
func writeClock(file string, state testclock.State) error {
	text, err := json.Marshal(savedClock{time.Now().Round(0), state.Now.Round(0), state.Frozen})
	if err != nil {
		return fmt.Errorf("encode the clock: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make the folder of the clock: %w", err)
	}
	if err := os.WriteFile(file+".new", text, 0o600); err != nil {
		return fmt.Errorf("write the clock: %w", err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		return fmt.Errorf("replace the clock: %w", err)
	}
	return nil
}

// resumedClock returns the clock for a database, which continues the clock of the last run. If orders, cards or
// sessions in the database have later times, it continues from the latest of them.
func resumedClock(ctx context.Context, db, file string, log *slog.Logger) (*testclock.Clock, error) {
	latest, err := app.LatestTime(ctx, db)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(db); !app.IsPostgres(db) && errors.Is(err, fs.ErrNotExist) {
		_ = os.Remove(file) // the file belongs to a database that was deleted
	}
	state, err := readClock(file)
	if err != nil {
		log.Warn("clock file not read: the clock continues from the latest time in the database", "error", err)
	}
	if latest.After(state.Now) {
		state.Now = latest
	}
	if !state.Frozen && time.Until(state.Now) <= 0 {
		return testclock.New(), nil
	}
	clock := testclock.NewAt(state.Now)
	if state.Frozen {
		clock.Set(state)
	}
	return clock, nil
}

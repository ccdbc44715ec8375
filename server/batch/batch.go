// Package batch writes many rows in short transactions with pauses between them, so that the transactions of buyers do
// not wait for all of them.
package batch

import (
	"context"
	"time"
)

// shortestPause is the minimum time between two transactions. SQLite lets one process write at a time, and a process
// that waits retries after a few milliseconds: without the pause it would never find the database free.
const shortestPause = 15 * time.Millisecond

// Run calls write for consecutive ranges of n rows, each of at most size rows: from is the index of its first row, to
// the index after its last. Between two calls it pauses in real time, at least as long as the last call took. It returns
// the first error of write, and ctx.Err() if ctx ends during a pause.
func Run(ctx context.Context, n, size int, write func(from, to int) error) error {
	for from := 0; from < n; from += size {
		began := time.Now()
		if err := write(from, min(from+size, n)); err != nil {
			return err
		}
		if from+size >= n {
			return nil
		}
		if err := Pause(ctx, time.Since(began)); err != nil {
			return err
		}
	}
	return nil
}

// Pause waits in real time after a transaction that took as long as given. It returns ctx.Err() if ctx ends first.
func Pause(ctx context.Context, took time.Duration) error {
	timer := time.NewTimer(max(took, shortestPause))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Package batch writes many rows in several short transactions with pauses between them, so that the transactions of
// buyers need not wait until all rows are written.
package batch

import (
	"context"
	"time"
)

// shortestPause is the minimum time between two transactions. SQLite lets one process write at a time, and a waiting
// process tries again only every few milliseconds: without the pause it would never find the database free.
const shortestPause = 15 * time.Millisecond

// Run calls write for consecutive ranges of n rows, each of at most size rows: from is the index of the first row of a
// range, to the index after its last row. Between two calls it pauses in real time, at least as long as the last call
// took. It returns the first error of write, and ctx.Err() if ctx ends during a pause.
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

// Pause waits in real time for as long as the last transaction took, but at least shortestPause. It returns ctx.Err()
// if ctx ends first.
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

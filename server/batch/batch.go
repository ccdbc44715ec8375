// Package batch runs long writes in short transactions, between which purchases are written.
package batch

import (
	"context"
	"time"
)

// shortestPause is the minimum time between two transactions. Another process that waits for the database finds it free
// then.
const shortestPause = 15 * time.Millisecond

// Run calls write for n rows in parts of at most most rows, from the row from up to and without the row to. Between two
// calls it pauses in real time, at least as long as the last call took. It returns the first error of write, and
// ctx.Err() if ctx ends in a pause.
func Run(ctx context.Context, n, most int, write func(from, to int) error) error {
	for from := 0; from < n; from += most {
		began := time.Now()
		if err := write(from, min(from+most, n)); err != nil {
			return err
		}
		if from+most >= n {
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

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"marquee/server/store"
)

const (
	queueLength = 1024 // capacity of the queue; further callers block in enqueue
	batchLength = 128  // maximum number of writes in one commit
	maxYields   = 3    // how often in a row gather yields the processor without receiving a request before it stops

	longestWait = 10 * time.Second // for another process that is writing
)

// request is the write of one caller. Its state is first "waiting" and changes only once: to "taken", by the writer
// goroutine that runs it, or to "withdrawn", by the caller when its context ends.
type request struct {
	fn    func(store.Conn) error
	state atomic.Int32
	done  chan error // receives one result, after the commit
	err   error      // what fn returned
}

// States of a request.
const (
	waiting int32 = iota
	taken
	withdrawn
)

// Write runs fn in a transaction and returns after its commit: nil means that the writes are on disk. If fn returns an
// error or panics, its writes are rolled back and the error is returned; writes of other callers in the same commit are
// kept. If ctx ends while the write is queued, the write is withdrawn and ctx.Err() is returned; after fn has started,
// ctx is ignored. Write returns errClosed after Close.
//
// fn must only use its connection, because every other writer waits for it. It may run a second time if the write of
// another caller ended the shared transaction.
func (db *DB) Write(ctx context.Context, fn func(store.Conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := &request{fn: fn, done: make(chan error, 1)}
	if err := db.enqueue(ctx, r); err != nil {
		return err
	}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		if r.state.CompareAndSwap(waiting, withdrawn) {
			return ctx.Err()
		}
		return <-r.done
	}
}

// enqueue adds a request to the queue. It returns errClosed after Close, and ctx.Err() if ctx ends while the queue is
// full.
func (db *DB) enqueue(ctx context.Context, r *request) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.down {
		return errClosed
	}
	select {
	case db.queue <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// loop is the writer goroutine. A write that calls runtime.Goexit, as a failed assertion in a test does, ends the
// goroutine; loop then fails the batch and starts a new goroutine.
func (db *DB) loop() {
	var batch []*request
	finished := false
	defer func() {
		if !finished {
			answerAll(batch, errors.New("sqlite: a write ended the writer goroutine"))
			go db.loop()
		}
	}()
	for first := range db.queue {
		batch = db.gather(first)
		if db.endCheckpoint.Swap(false) {
			db.runCheckpoint(context.Background(), db.writer, "PASSIVE")
		}
		for len(batch) > 0 {
			batch = db.commit(batch)
		}
	}
	finished = true
	close(db.closed)
}

// gather returns a batch of the first request and the requests that are queued now. It yields the processor a few
// times, so that callers that are ready to run can add theirs: a larger batch needs fewer syncs. It does not wait for
// a timer.
func (db *DB) gather(first *request) []*request {
	batch := make([]*request, 0, 16)
	take := func(r *request) {
		if r.state.CompareAndSwap(waiting, taken) {
			batch = append(batch, r)
		}
	}
	take(first)
	for yields := 0; len(batch) < batchLength; {
		select {
		case r, ok := <-db.queue:
			if !ok {
				return batch
			}
			take(r)
			yields = 0
		default:
			if yields == maxYields {
				return batch
			}
			yields++
			runtime.Gosched()
		}
	}
	return batch
}

// commit writes the batch in one transaction and sends the results to its callers. If one request ends the shared
// transaction, commit fails that request and returns the others, which must run again.
func (db *DB) commit(batch []*request) (again []*request) {
	ctx, begun := context.Background(), time.Now()
	tx, err := db.begin(ctx)
	if err != nil {
		db.writeFault.Store(&err)
		answerAll(batch, failure(fmt.Errorf("sqlite: begin: %w", err)))
		return nil
	}
	ended := false
	defer func() {
		if !ended {
			_ = tx.Rollback() // the first error has been reported
		}
	}()
	w := sharedTx{tx}
	run := w.run
	if len(batch) == 1 {
		run = w.runOnly
	}
	for i, r := range batch {
		if lost := run(r); lost != nil {
			ended = true
			_ = tx.Rollback() // SQLite may have rolled back before
			if isDiskFault(lost) {
				db.writeFault.Store(&lost)
			}
			r.done <- lost
			again = append(append(again, batch[:i]...), batch[i+1:]...)
			return again
		}
	}
	ended = true
	if db.beforeCommit != nil {
		db.beforeCommit(len(batch))
	}
	if err := tx.Commit(); err != nil {
		_ = tx.Rollback()
		db.writeFault.Store(&err)
		answerAll(batch, failure(fmt.Errorf("sqlite: commit: %w", err)))
		return nil
	}
	db.writeFault.Store(diskFaultOf(batch))
	if db.onCommit != nil {
		db.onCommit(len(batch))
	}
	db.committed.Store(true)
	took := time.Since(begun)
	for _, r := range batch {
		r.done <- r.err
	}
	if db.observeCommit != nil {
		db.observeCommit(len(batch), took)
	}
	return nil
}

// begin begins a write transaction. Another process may be writing, such as an import of the back office: begin then
// tries again every millisecond, for longestWait. SQLite's own handler waits up to 100 ms between tries, so that it
// misses the pauses of an import.
func (db *DB) begin(ctx context.Context) (*sql.Tx, error) {
	for deadline := time.Now().Add(longestWait); ; {
		tx, err := db.writer.BeginTx(ctx, nil)
		if err == nil || !isBusy(err) || time.Now().After(deadline) {
			return tx, err
		}
	}
}

// diskFaultOf returns the error of the first request of a batch that failed because of the disk, or nil.
func diskFaultOf(batch []*request) *error {
	for _, r := range batch {
		if isDiskFault(r.err) {
			return &r.err
		}
	}
	return nil
}

// answerAll sends err to the callers that have not got a result yet.
func answerAll(batch []*request, err error) {
	for _, r := range batch {
		select {
		case r.done <- err:
		default: // answered before
		}
	}
}

// run runs one request inside a savepoint. It returns an error only if the entire transaction is lost.
func (w sharedTx) run(r *request) (lost error) {
	if _, err := w.Exec(`SAVEPOINT caller`); err != nil {
		return fmt.Errorf("sqlite: savepoint: %w", err)
	}
	r.err = recoverPanic(r.fn, w)
	if r.err != nil {
		if _, err := w.Exec(`ROLLBACK TO caller`); err != nil {
			return errors.Join(r.err, fmt.Errorf("sqlite: roll back savepoint: %w", err))
		}
	}
	if _, err := w.Exec(`RELEASE caller`); err != nil {
		return errors.Join(r.err, fmt.Errorf("sqlite: release savepoint: %w", err))
	}
	return nil
}

// runOnly runs the only request of a batch. Its error ends the transaction, so it needs no savepoint.
func (w sharedTx) runOnly(r *request) (lost error) {
	r.err = recoverPanic(r.fn, w)
	return r.err
}

// recoverPanic runs fn and returns a panic as an error with its stack.
func recoverPanic(fn func(store.Conn) error, w sharedTx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("sqlite: write panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(w)
}

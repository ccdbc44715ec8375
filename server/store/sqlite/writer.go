package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

const (
	queueLength = 1024 // callers that may wait without blocking on the channel itself
	batchLength = 128  // most writes in one commit
	mostYields  = 3    // how often a batch lets others run before it stops waiting for more
)

// A request is one caller's write. Whoever moves its state away from waiting owns it: the writer goroutine
// runs it, or the caller, whose context ended, withdraws it.
type request struct {
	fn    func(*writeTx) error
	state atomic.Int32
	done  chan error // one answer, after the commit
	err   error      // what fn returned
}

const (
	waiting int32 = iota
	taken
	withdrawn
)

// Write runs fn in a transaction and returns after its commit: nil means that the writes are on the disk.
// When fn fails, its own writes are undone and its error is returned; other callers' writes in the same
// commit stay. A context that ends while the call still waits withdraws it; once begun, it is carried through.
//
// fn must do nothing but use tx: it holds up every other writer. It may be run a second time when another
// caller's write broke the shared transaction, and it must not pass a context that can end to tx, because
// SQLite answers an interrupted write by rolling the whole transaction back.
func (db *DB) Write(ctx context.Context, fn func(tx *sql.Tx) error) error {
	return db.write(ctx, func(w *writeTx) error { return fn(w.tx) })
}

func (db *DB) write(ctx context.Context, fn func(*writeTx) error) error {
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

func (db *DB) enqueue(ctx context.Context, r *request) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.down {
		return ErrClosed
	}
	select {
	case db.queue <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// loop is the writer goroutine. A write that calls runtime.Goexit (a failed assertion in a test, say) takes
// the goroutine with it; the next one carries on.
func (db *DB) loop() {
	var batch []*request
	finished := false
	defer func() {
		if !finished {
			answerAll(batch, errors.New("sqlite: the writer was stopped by a write"))
			go db.loop()
		}
	}()
	for first := range db.queue {
		batch = db.gather(first)
		for len(batch) > 0 {
			batch = db.commit(batch)
		}
	}
	finished = true
	for _, s := range db.prepared {
		_ = s.Close() // the connection is closed right after
	}
	close(db.closed)
}

// gather takes what is waiting right now, and what callers that are ready to run put there at once: a larger batch
// shares its sync among more of them, and nobody waits for a clock.
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
			if yields == mostYields {
				return batch
			}
			yields++
			runtime.Gosched()
		}
	}
	return batch
}

// commit writes the batch in one transaction and answers it. It returns the requests to run again, because
// one of them lost the transaction for all: that one has been answered.
func (db *DB) commit(batch []*request) (again []*request) {
	ctx := context.Background()
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		answerAll(batch, fmt.Errorf("sqlite: begin: %w", err))
		return nil
	}
	ended := false
	defer func() {
		if !ended {
			_ = tx.Rollback() // the error that led here is the one to report
		}
	}()
	w := &writeTx{db: db, tx: tx, stmts: map[string]*sql.Stmt{}}
	for i, r := range batch {
		if lost := w.run(r); lost != nil {
			ended = true
			_ = tx.Rollback() // SQLite may have rolled back already
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
		answerAll(batch, fmt.Errorf("sqlite: commit: %w", err))
		return nil
	}
	if db.onCommit != nil {
		db.onCommit(len(batch))
	}
	for _, r := range batch {
		r.done <- r.err
	}
	w.keepStatements(ctx)
	return nil
}

func answerAll(batch []*request, err error) {
	for _, r := range batch {
		select {
		case r.done <- err:
		default: // answered already
		}
	}
}

// run runs one request inside its own savepoint. It fails only when the whole transaction is lost.
func (w *writeTx) run(r *request) (lost error) {
	if _, err := w.exec(`SAVEPOINT caller`); err != nil {
		return fmt.Errorf("sqlite: savepoint: %w", err)
	}
	r.err = contain(r.fn, w)
	if r.err != nil {
		if _, err := w.exec(`ROLLBACK TO caller`); err != nil {
			return errors.Join(r.err, fmt.Errorf("sqlite: undo: %w", err))
		}
	}
	if _, err := w.exec(`RELEASE caller`); err != nil {
		return errors.Join(r.err, fmt.Errorf("sqlite: release: %w", err))
	}
	return nil
}

// contain turns a panic in one caller's write into that caller's error.
func contain(fn func(*writeTx) error, w *writeTx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("sqlite: write panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(w)
}

package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is what the processes of a shop tell one another that tasks were scheduled on.
const channel = "marquee_tasks"

const (
	firstReconnect = 100 * time.Millisecond
	lastReconnect  = 5 * time.Second
	notifyTimeout  = 5 * time.Second
)

// waker tells the other processes, on a connection of its own, that tasks were scheduled. Calls during one notification
// become one further notification. A notification that fails is lost: the workers look for due tasks every second too.
type waker struct {
	cfg    *pgx.ConnConfig
	wanted chan struct{} // of capacity 1
	stop   context.CancelFunc
	once   sync.Once
	done   chan struct{}
}

func newWaker(cfg *pgx.ConnConfig) *waker {
	ctx, stop := context.WithCancel(context.Background())
	w := &waker{cfg: sessionConfig(cfg), wanted: make(chan struct{}, 1), stop: stop, done: make(chan struct{})}
	go w.run(ctx)
	return w
}

// sessionConfig returns the configuration of a connection that is not of the pool and may be idle.
func sessionConfig(cfg *pgx.ConnConfig) *pgx.ConnConfig {
	own := cfg.Copy()
	own.RuntimeParams["idle_session_timeout"] = "0"
	return own
}

// notify asks for a notification, without waiting for it.
func (w *waker) notify() {
	select {
	case w.wanted <- struct{}{}:
	default: // one is wanted already
	}
}

func (w *waker) close() {
	w.once.Do(w.stop)
	<-w.done
}

// run notifies until ctx ends.
func (w *waker) run(ctx context.Context) {
	defer close(w.done)
	var conn *pgx.Conn
	defer func() {
		if conn != nil {
			_ = conn.Close(context.Background())
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.wanted:
		}
		limited, cancel := context.WithTimeout(ctx, notifyTimeout)
		if conn == nil || conn.IsClosed() {
			conn, _ = pgx.ConnectConfig(limited, w.cfg) // nil after a failure
		}
		if conn != nil {
			if _, err := conn.Exec(limited, `SELECT pg_notify($1, '')`, channel); err != nil {
				_ = conn.Close(limited)
			}
		}
		cancel()
	}
}

// Scheduled implements store.Engine: it wakes the job workers of all processes.
func (db *DB) Scheduled() { db.wake.notify() }

// Listen calls wake whenever a process of the shop has scheduled tasks, until ctx ends. It connects again when its
// connection is lost, and then calls wake, because notifications may have been missed.
func (db *DB) Listen(ctx context.Context, wake func()) {
	for pauseFor := firstReconnect; ctx.Err() == nil; pauseFor = min(2*pauseFor, lastReconnect) {
		if listened := db.listen(ctx, wake); listened {
			pauseFor = firstReconnect
		}
		if pause(ctx, pauseFor) != nil {
			return
		}
	}
}

// listen returns when the connection is lost. It reports whether there was one.
func (db *DB) listen(ctx context.Context, wake func()) (listened bool) {
	conn, err := pgx.ConnectConfig(ctx, db.wake.cfg)
	if err != nil {
		return false
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `LISTEN `+channel); err != nil {
		return false
	}
	for {
		wake()
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return true
		}
	}
}

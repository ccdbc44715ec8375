package postgres

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

// channel is the channel on which the processes of a shop notify each other of scheduled tasks.
const channel = "marquee_tasks"

const (
	firstReconnect = 100 * time.Millisecond
	lastReconnect  = 5 * time.Second
	notifyTimeout  = 5 * time.Second
	nextLook       = time.Second // longer than the polling interval of the workers
)

// waker notifies the other processes of scheduled tasks, on a separate connection. Calls during one notification become
// one further notification. A notification that fails is lost, which is acceptable because the workers also poll.
type waker struct {
	url            string
	cfg            *pgx.ConnConfig
	pooled         bool          // LISTEN needs a connection of the server, so nothing is sent
	wanted         chan struct{} // of capacity 1
	stop           context.CancelFunc
	once           sync.Once
	done           chan struct{}
	notify, listen wakeState
}

func newWaker(url string, cfg *pgx.ConnConfig, pooled bool, logger *slog.Logger) *waker {
	ctx, stop := context.WithCancel(context.Background())
	w := &waker{
		url: url, cfg: sessionConfig(cfg), pooled: pooled, wanted: make(chan struct{}, 1), stop: stop,
		done:   make(chan struct{}),
		notify: wakeState{operation: "notify", logger: logger}, listen: wakeState{operation: "listen", logger: logger},
	}
	go w.run(ctx)
	return w
}

// wakeState counts the failures of NOTIFY or LISTEN and logs the first one of a series, and its end. One goroutine
// records.
type wakeState struct {
	operation string
	logger    *slog.Logger
	failing   bool
	failures  atomic.Int64
}

// record records the outcome of a try. The end of ctx does not count as a failure.
func (s *wakeState) record(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.failures.Add(1)
	}
	failing := err != nil
	switch {
	case failing && !s.failing:
		s.logger.WarnContext(ctx, "wake-ups between processes fail: tasks wait until a worker polls",
			"operation", s.operation, "error", err)
	case !failing && s.failing:
		s.logger.InfoContext(ctx, "wake-ups between processes work again", "operation", s.operation)
	}
	s.failing = failing
}

// sessionConfig returns the configuration of a connection outside the pool that may be idle.
func sessionConfig(cfg *pgx.ConnConfig) *pgx.ConnConfig {
	own := cfg.Copy()
	own.RuntimeParams["idle_session_timeout"] = "0"
	return own
}

// connect opens a connection with the present password.
func (w *waker) connect(ctx context.Context) (*pgx.Conn, error) {
	next := w.cfg.Copy()
	if err := renew(w.url, next); err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, next)
}

// want requests a notification without waiting for it.
func (w *waker) want() {
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
		var err error
		conn, err = w.send(ctx, conn)
		w.notify.record(ctx, err)
	}
}

// send sends one notification over conn, or over a new connection if conn is nil or closed. It returns the connection
// for the next notification, which may be nil.
func (w *waker) send(ctx context.Context, conn *pgx.Conn) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, notifyTimeout)
	defer cancel()
	if conn == nil || conn.IsClosed() {
		var err error
		if conn, err = w.connect(ctx); err != nil {
			return nil, err
		}
	}
	if _, err := conn.Exec(ctx, `SELECT pg_notify($1, '')`, channel); err != nil {
		_ = conn.Close(ctx) // the failure of Exec is reported
		return nil, err
	}
	return conn, nil
}

// Scheduled implements store.Engine: it wakes the job workers of all processes. It does nothing for a task that is due
// later than nextLook: most tasks of a purchase are timers, and each notification costs a transaction and a query in
// every process. It does nothing behind a pooler either, where no process can listen.
func (db *DB) Scheduled(due time.Time) {
	if !db.wake.pooled && due.Sub(db.options.now()) < nextLook {
		db.wake.want()
	}
}

// WakeFailures returns how often notifying other processes and listening to them failed.
func (db *DB) WakeFailures() (notify, listen int64) {
	return db.wake.notify.failures.Load(), db.wake.listen.failures.Load()
}

// Listen calls wake whenever a process of the shop has scheduled tasks, until ctx ends. It connects again when its
// connection is lost, and then calls wake, because notifications may have been missed. One call at a time is allowed.
// Behind a pooler it receives nothing, and the workers find new tasks when they poll.
func (db *DB) Listen(ctx context.Context, wake func()) {
	if db.wake.pooled {
		db.options.logger.WarnContext(ctx, "a pooler between shop and PostgreSQL does not forward wake-ups: "+
			"tasks wait until a worker polls")
		<-ctx.Done()
		return
	}
	for pauseFor := firstReconnect; ctx.Err() == nil; pauseFor = min(2*pauseFor, lastReconnect) {
		listened, err := db.listen(ctx, wake)
		if listened {
			pauseFor = firstReconnect
		}
		db.wake.listen.record(ctx, err)
		if pause(ctx, pauseFor) != nil {
			return
		}
	}
}

// listen returns an error when it cannot connect or has lost the connection. It reports whether it was connected.
func (db *DB) listen(ctx context.Context, wake func()) (listened bool, err error) {
	conn, err := db.wake.connect(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `LISTEN `+channel); err != nil {
		return false, err
	}
	db.wake.listen.record(ctx, nil)
	for {
		wake()
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return true, err
		}
	}
}

package pgserver

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// restartPause is how long a server that has ended stays down: its other processes must end before a new one starts.
const restartPause = 500 * time.Millisecond

// Kept is a server that is started again whenever it ends, as systemd or an operator of a cluster would.
type Kept struct {
	options Options
	log     *slog.Logger
	stop    context.CancelFunc
	ended   chan struct{} // closed when the server is not started again

	mu     sync.Mutex
	server *Server // the latest one
}

// Keep starts a server and keeps it running until Stop. Its data folder must be named in the options.
func Keep(ctx context.Context, o Options, log *slog.Logger) (*Kept, error) {
	if o.Dir == "" {
		return nil, errors.New("postgres: a server that is kept needs a data folder")
	}
	first, err := Start(ctx, o)
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.Background())
	k := &Kept{options: o, log: log, stop: stop, ended: make(chan struct{}), server: first}
	go k.keep(running)
	return k, nil
}

// Server returns the running server. While it is down, it is the one that has ended.
func (k *Kept) Server() *Server {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.server
}

// Stop ends the server for good.
func (k *Kept) Stop() error {
	k.stop()
	<-k.ended
	return k.Server().Stop()
}

func (k *Kept) keep(ctx context.Context) {
	defer close(k.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.Server().Exited():
			k.log.WarnContext(ctx, "PostgreSQL has ended and is started again", "process", k.Server().PID())
		}
		k.restart(ctx)
	}
}

// restart starts a new server on the same folder, as often as it takes.
func (k *Kept) restart(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(restartPause):
		}
		next, err := Start(ctx, k.options)
		if err != nil {
			k.log.WarnContext(ctx, "PostgreSQL does not start", "error", err)
			continue
		}
		k.mu.Lock()
		k.server = next
		k.mu.Unlock()
		k.log.InfoContext(ctx, "PostgreSQL started", "process", next.PID())
		return
	}
}

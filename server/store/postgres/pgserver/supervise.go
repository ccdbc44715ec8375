package pgserver

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// restartPause is the pause before a server that has ended is started again, because its other processes must end
// first.
const restartPause = 500 * time.Millisecond

// Supervised is a server that is restarted whenever it ends, as systemd or a cluster operator would do.
type Supervised struct {
	options Options
	log     *slog.Logger
	stop    context.CancelFunc
	ended   chan struct{} // closed when the server is not restarted any longer

	mu     sync.Mutex
	server *Server // the latest one
}

// Supervise starts a server and keeps it running until Stop. Options.Dir is required.
func Supervise(ctx context.Context, o Options, log *slog.Logger) (*Supervised, error) {
	if o.Dir == "" {
		return nil, errors.New("postgres: a supervised server needs a data folder")
	}
	first, err := Start(ctx, o)
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.Background())
	s := &Supervised{options: o, log: log, stop: stop, ended: make(chan struct{}), server: first}
	go s.watch(running)
	return s, nil
}

// Server returns the running server, or while it is down the one that has ended.
func (s *Supervised) Server() *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server
}

// Stop ends the server without a restart.
func (s *Supervised) Stop() error {
	s.stop()
	<-s.ended
	return s.Server().Stop()
}

func (s *Supervised) watch(ctx context.Context) {
	defer close(s.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.Server().Exited():
			s.log.WarnContext(ctx, "PostgreSQL has ended and is being restarted", "process", s.Server().PID())
		}
		s.restart(ctx)
	}
}

// restart starts a new server on the same folder, and tries until it succeeds.
func (s *Supervised) restart(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(restartPause):
		}
		next, err := Start(ctx, s.options)
		if err != nil {
			s.log.WarnContext(ctx, "restart of PostgreSQL failed", "error", err)
			continue
		}
		s.mu.Lock()
		s.server = next
		s.mu.Unlock()
		s.log.InfoContext(ctx, "PostgreSQL started", "process", next.PID())
		return
	}
}

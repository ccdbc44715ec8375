package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/web"
)

// stack is a shop with its simulators in this process.
type stack struct {
	*harness.Running
	dir string // on the disk that is measured
}

// startStack starts a shop with demo goods and texts.
func startStack(ctx context.Context) (*stack, error) {
	dir, err := benchFolder()
	if err != nil {
		return nil, err
	}
	running, err := harness.Start(ctx, harness.Options{
		Web: web.Dist(), DB: filepath.Join(dir, "shop.db"), Configure: func(cfg *app.Config) {
			cfg.Logger = slog.New(slog.DiscardHandler)
		},
	})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s := &stack{running, dir}
	if err := s.Shop.SeedDemo(ctx, nil); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// benchFolder makes a folder in the project and not in a memory file system, because synchronous writes must reach a
// disk.
func benchFolder() (string, error) { return os.MkdirTemp(".", ".bench-") }

func (s *stack) close() error { return errors.Join(s.Close(), os.RemoveAll(s.dir)) }

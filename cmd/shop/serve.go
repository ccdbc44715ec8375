package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/coreos/go-systemd/v22/daemon"
	"golang.org/x/sync/errgroup"

	"marquee/server/app"
	"marquee/server/upkeep"
)

type serveCommand struct{}

// Run serves the shop until ctx ends. The configuration is checked before a file or folder is created.
func (serveCommand) Run(ctx context.Context, p *process) (err error) {
	variables, err := environment()
	if err != nil {
		return err
	}
	cfg, err := readConfig(ctx, p.log)
	if err != nil {
		return err
	}
	p.level.Set(cfg.LogLevel)
	if err := cfg.Check(); err != nil {
		return err
	}
	claim, err := app.TakeClaim(cfg.DB, "shop on http://"+cfg.Addr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, claim.Release()) }()
	shop, err := app.New(ctx, cfg)
	if err != nil {
		return err
	}
	listener, err := listen(ctx, cfg.Addr)
	if err != nil {
		return errors.Join(err, shop.Close())
	}
	admin, err := app.ListenAdmin(ctx, cfg.AdminAddr)
	if err != nil {
		return errors.Join(fmt.Errorf("%w: MARQUEE_ADMIN_ADDR: %w", errAddress, err), listener.Close(), shop.Close())
	}
	adminURL := ""
	if admin != nil {
		adminURL = "http://" + admin.Addr().String()
	}
	p.log.InfoContext(ctx, "shop started", "url", "http://"+listener.Addr().String(), "admin", adminURL,
		"version", version, "engine", cfg.Engine(), "configuration", upkeep.Shown(variables))
	notifyManager(p.log, daemon.SdNotifyReady)
	defer context.AfterFunc(ctx, func() { notifyManager(p.log, daemon.SdNotifyStopping) })()
	// The admin address is closed last, so that probes and metrics answer while requests are finished.
	adminCtx, stopAdmin := context.WithCancel(context.WithoutCancel(ctx))
	defer stopAdmin()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return shop.ServeAdmin(adminCtx, admin) })
	group.Go(func() error {
		defer stopAdmin()
		work, ctx := errgroup.WithContext(ctx)
		work.Go(func() error { shop.Run(ctx); return nil })
		work.Go(func() error { return shop.Serve(ctx, listener) })
		return work.Wait()
	})
	return errors.Join(group.Wait(), shop.Close())
}

// listen returns the socket that systemd has opened for the shop (marquee.socket), or else listens on MARQUEE_ADDR.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	passed, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("use the socket of systemd: %w", err)
	}
	switch len(passed) {
	case 0:
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
		if err != nil {
			return nil, fmt.Errorf("%w: MARQUEE_ADDR: %w", errAddress, err)
		}
		return listener, nil
	case 1:
		if passed[0] != nil {
			return passed[0], nil
		}
	}
	return nil, fmt.Errorf("systemd passed %d sockets: one stream socket is expected", len(passed))
}

// notifyManager sends the state of the service to systemd. Without systemd it does nothing.
func notifyManager(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("notify systemd failed", "state", state, "error", err)
	}
}

type verifyCommand struct{}

// Run prints each contradiction in a database and returns an error if there are any. It uses databaseVariable, so that
// an error in another variable does not prevent the check.
func (verifyCommand) Run(ctx context.Context, p *process) error {
	variable, err := databaseVariable()
	if err != nil {
		return err
	}
	db, end, err := upkeep.CopyOfBackup(variable)
	if err != nil {
		return err
	}
	found, err := app.Verify(ctx, db)
	if err = errors.Join(err, end()); err != nil {
		return err
	}
	for _, d := range found {
		fmt.Fprintf(p.stdout, "%s\t%s\t%s\n", d.Check, d.Subject, d.Detail)
	}
	if len(found) > 0 {
		return fmt.Errorf("%w: %d", errContradictions, len(found))
	}
	return p.printf(nil, "ledger, seats, goods and orders agree")
}

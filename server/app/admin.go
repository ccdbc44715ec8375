package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"marquee/server/ops"
)

// noAdmin is the value of MARQUEE_ADMIN_ADDR that switches the admin address off.
const noAdmin = "none"

// carrierNetwork is the shared address space of RFC 6598, which clusters use for their own networks.
var carrierNetwork = netip.MustParsePrefix("100.64.0.0/10")

// checkAdminAddr returns an error unless addr is "none", empty, or host:port with a loopback or private address. The
// admin address has no access control, so it must not be reachable by the public.
func checkAdminAddr(addr string) error {
	if addr == "" || addr == noAdmin {
		return nil
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("app: MARQUEE_ADMIN_ADDR %q is not host:port", addr)
	}
	if host == "localhost" {
		return nil
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() && !ip.IsPrivate() && !carrierNetwork.Contains(ip) {
		return fmt.Errorf("app: MARQUEE_ADMIN_ADDR %q must be a loopback or private address: it has no access control",
			addr)
	}
	return nil
}

// ListenAdmin listens on the admin address. It returns a nil listener if the address is empty or "none".
func ListenAdmin(ctx context.Context, addr string) (net.Listener, error) {
	if addr == "" || addr == noAdmin {
		return nil, nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on MARQUEE_ADMIN_ADDR: %w", err)
	}
	return listener, nil
}

// ServeAdmin serves metrics, probes and profiles until ctx ends. It returns at once if the listener is nil.
func (a *App) ServeAdmin(ctx context.Context, listener net.Listener) error {
	if listener == nil {
		return nil
	}
	server := &http.Server{
		Handler: a.AdminHandler(), ReadHeaderTimeout: 5 * time.Second,
		ErrorLog: slog.NewLogLogger(a.cfg.Logger.Handler(), slog.LevelWarn),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // Serve then returns
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the admin address: %w", err)
	}
	return nil
}

// AdminHandler returns the handler of the admin address: metrics, probes and profiles.
func (a *App) AdminHandler() http.Handler {
	return ops.NewAdmin(ops.AdminConfig{Metrics: a.metrics, Readiness: a.probe})
}

// Metrics returns the metrics of the shop.
func (a *App) Metrics() *ops.Metrics { return a.metrics }

// ProbeURL returns the URL at which this machine reaches the probes of a shop with this configuration: the admin
// address, or the public one if the admin address is off. For an address without a host it is 127.0.0.1.
func (c Config) ProbeURL() string {
	addr := c.AdminAddr
	if addr == "" || addr == noAdmin {
		addr = c.Addr
	}
	host, port, err := net.SplitHostPort(addr)
	if ip, parseErr := netip.ParseAddr(host); err == nil && (host == "" || parseErr == nil && ip.IsUnspecified()) {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	return "http://" + addr
}

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"marquee/server/app"
)

// healthcheckLimit bounds the probe, in real time. Readiness itself takes up to 3 s.
const healthcheckLimit = 5 * time.Second

type healthcheckCommand struct {
	Live bool `help:"Check only whether the process runs, not whether it can serve buyers."`
}

// Help explains the exit codes.
func (healthcheckCommand) Help() string {
	return "Calls the shop of the same environment at MARQUEE_ADMIN_ADDR, or at MARQUEE_ADDR if that is off. It " +
		"needs no other variable.\n\nExit codes: 0 ready, 1 not ready (one line for each reason) or not reachable, " +
		"9 a variable is invalid."
}

// Run queries /readyz, or /healthz with Live, of a running shop. Container images without a shell use it as their
// probe.
func (c healthcheckCommand) Run(ctx context.Context, p *process) error {
	cfg, err := app.FromEnvironment(map[string]string{
		"MARQUEE_ADDR": os.Getenv("MARQUEE_ADDR"), "MARQUEE_ADMIN_ADDR": os.Getenv("MARQUEE_ADMIN_ADDR"),
	})
	if err != nil {
		return err
	}
	path := "/readyz"
	if c.Live {
		path = "/healthz"
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, cfg.ProbeURL()+path, nil)
	if err != nil {
		return fmt.Errorf("probe the shop: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err != nil {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	text := strings.TrimSpace(string(answer))
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: %s", errNotReady, text)
	}
	return p.printf(nil, "%s", text)
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// healthCommand is a readiness check for containers and CI jobs without curl.
type healthCommand struct {
	Addr string        `default:"${simAddr}" help:"Where the simulators listen (MARQUEE_SIM_ADDR)."`
	Wait time.Duration `default:"0s" help:"How long to wait for them, such as 30s."`
}

// Help implements kong.HelpProvider.
func (healthCommand) Help() string {
	return "Exit status: 0 if simulators serve, 1 if not, 2 if a flag is wrong."
}

// Run polls the simulators until they serve, for at most Wait.
func (c healthCommand) Run(ctx context.Context, p *process) error {
	ctx, cancel := context.WithTimeout(ctx, c.Wait+5*time.Second)
	defer cancel()
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return withFailureStatus(fmt.Errorf("health: -addr: %w", err))
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	address := "http://" + net.JoinHostPort(host, port) + "/sim/v1/health"
	for end := time.Now().Add(c.Wait); ; {
		err := askHealth(ctx, address)
		if err == nil {
			_, err := fmt.Fprintln(p.stdout, "ok")
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("health: %w", err)
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}

func askHealth(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // and no proxy
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var health struct {
		Status string `json:"status"`
	}
	err = json.NewDecoder(io.LimitReader(response.Body, 4096)).Decode(&health)
	if err != nil || response.StatusCode != http.StatusOK || health.Status != "ok" {
		return fmt.Errorf("%s answered %s", address, response.Status)
	}
	return nil
}

// getCommand is for scripts on machines without curl.
type getCommand struct {
	Address string `arg:"" help:"The address, such as http://127.0.0.1:9090/sim/v1/health."`
}

// Help implements kong.HelpProvider.
func (getCommand) Help() string {
	return "It uses no proxy. Exit status: 0 if the answer's status is below 400, else 1; 2 if the address is wrong."
}

// Run prints the answer of an address of the simulators.
func (c getCommand) Run(ctx context.Context, p *process) error {
	if at, err := url.Parse(c.Address); err != nil || at.Scheme == "" || at.Host == "" {
		return withFailureStatus(
			fmt.Errorf("sim get needs one address such as http://127.0.0.1:9090/sim/v1/health, not %q", c.Address))
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.Address, http.NoBody)
	if err != nil {
		return withFailureStatus(err)
	}
	client := http.Client{Transport: &http.Transport{}} // and no proxy
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(p.stdout, response.Body); err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s answered %s", c.Address, response.Status)
	}
	return nil
}

// addresses is the content of the file of -ports-file: where a run serves the simulators and the shop. A missing
// address is not served.
type addresses struct {
	Simulators string `json:"simulators"`
	HTTPS      string `json:"https,omitempty"`
	Shop       string `json:"shop,omitempty"`
	Admin      string `json:"admin,omitempty"`
	PID        int    `json:"pid"`
}

// write creates the file atomically, so that a script that waits for it never reads a part of it.
func (a addresses) write(file string) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), ".ports-*")
	if err != nil {
		return coded("ports_file_unwritable", fmt.Errorf("-ports-file: %w", err))
	}
	_, err = temporary.Write(append(text, '\n'))
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return coded("ports_file_unwritable", fmt.Errorf("-ports-file: %w", err))
	}
	return nil
}

package main

import (
	"cmp"
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

// runHealth asks the simulators whether they serve, for as long as -wait says. A container and a CI job use it as their
// readiness check; it needs no curl.
func runHealth(ctx context.Context, args []string, stdout, _ io.Writer) error {
	flags := newFlags("health")
	addr := flags.String("addr", cmp.Or(os.Getenv("MARQUEE_SIM_ADDR"), "127.0.0.1:9090"),
		"where the simulators listen (MARQUEE_SIM_ADDR)")
	wait := flags.Duration("wait", 0, "how long to wait for them")
	if err := parse(flags, stdout, args, "addr"); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, *wait+5*time.Second)
	defer cancel()
	host, port, err := net.SplitHostPort(*addr)
	if err != nil {
		return withFailureStatus(fmt.Errorf("health: -addr: %w", err))
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	address := "http://" + net.JoinHostPort(host, port) + "/sim/v1/health"
	for end := time.Now().Add(*wait); ; {
		err := askHealth(ctx, address)
		if err == nil {
			_, err := fmt.Fprintln(stdout, "ok")
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

// runGet prints what an address of the simulators answers, for scripts on machines without curl.
func runGet(ctx context.Context, args []string, stdout, _ io.Writer) error {
	flags := newFlags("get")
	if err := parseFlags(flags, stdout, args); err != nil {
		return err
	}
	address := flags.Arg(0)
	if at, err := url.Parse(address); flags.NArg() != 1 || err != nil || at.Scheme == "" || at.Host == "" {
		return withFailureStatus(fmt.Errorf("sim get needs one address such as http://127.0.0.1:9090/sim/v1/health, not %q",
			flags.Args()))
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return withFailureStatus(err)
	}
	client := http.Client{Transport: &http.Transport{}} // and no proxy
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(stdout, response.Body); err != nil {
		return err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s answered %s", address, response.Status)
	}
	return nil
}

// ports are the addresses of a run, as -ports-file writes them. A missing one is not served.
type ports struct {
	Simulators string `json:"simulators"`
	HTTPS      string `json:"https,omitempty"`
	Shop       string `json:"shop,omitempty"`
	Admin      string `json:"admin,omitempty"`
	PID        int    `json:"pid"`
}

// write creates the file as a whole, so that a script that waits for it never reads half of it.
func (p ports) write(file string) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(p, "", "  ")
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

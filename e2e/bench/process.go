package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"marquee/cmd/sim/cluster"
	"marquee/simulators"
)

// measureStart times the simulators' process from its start to its first answer.
func measureStart(ctx context.Context, s settings) ([]figure, error) {
	var took []float64
	for range max(s.rounds, 5) {
		began := time.Now()
		_, _, stop, err := runSim(ctx, s.sim)
		if err != nil {
			return nil, err
		}
		took = append(took, milliseconds(time.Since(began)))
		if err := stop(); err != nil {
			return nil, err
		}
	}
	return []figure{{
		"simulators: process start to first answer", fmt.Sprintf("%.0f ms", median(took)), "≤ 30 ms", "20 ms",
		"bin/sim -providers-only",
	}}, nil
}

// measureMemory puts load on the simulators' process for ten seconds and reads its memory usage.
func measureMemory(ctx context.Context, s settings) ([]figure, error) {
	address, pid, stop, err := runSim(ctx, s.sim)
	if err != nil {
		return nil, err
	}
	// These simulators are never called. They have the seed of the measured ones, and therefore the credentials and
	// films with which the calls are made.
	inProcess, err := simulators.Start(simulators.Options{})
	if err != nil {
		return nil, err
	}
	defer inProcess.Close()
	films := inProcess.Default().Country().Films()
	load := drive(ctx, callers, 10*time.Second, func(ctx context.Context, c int) error {
		form := url.Values{"method": {"film.hot"}, "pageNo": {"1"}, "pageSize": {"20"}}
		if c%2 == 0 {
			form = url.Values{"method": {"film.detail"}, "movieid": {films[c%len(films)].ID}}
		}
		_, err := post(ctx, address+"/gateway", stamped(inProcess, form))
		return err
	})
	resident, err := residentMB(pid)
	if err := errors.Join(err, stop()); err != nil {
		return nil, err
	}
	if load.failures > 0 {
		return nil, fmt.Errorf("%d calls failed", load.failures)
	}
	return []figure{
		{
			"simulators: memory after a 10 s load",
			fmt.Sprintf("%.0f MB", resident),
			"≤ 40 MB",
			"30 MB",
			fmt.Sprintf("%.0f signed calls/s", load.rate),
		},
	}, nil
}

// runSim starts only the simulators and waits for their first answer.
func runSim(ctx context.Context, binary string) (address string, pid int, stop func() error, err error) {
	port, err := cluster.ReservePort()
	if err != nil {
		return "", 0, nil, err
	}
	cmd := exec.CommandContext(ctx, binary, "-providers-only", "-sim-addr", port.Address)
	cmd.Env = os.Environ()
	if err := cmd.Start(); err != nil {
		return "", 0, nil, fmt.Errorf("start %s (make build): %w", binary, err)
	}
	stop = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return err
		}
		return errors.Join(cmd.Wait(), port.Release())
	}
	address = "http://" + port.Address
	return address, cmd.Process.Pid, stop, answered(ctx, address+"/sim/v1/health")
}

// answered polls an address until the status is 200, for at most ten seconds.
func answered(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s does not answer: %w", address, errors.Join(err, ctx.Err()))
		}
	}
}

func residentMB(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			return float64(kb) / 1000, err
		}
	}
	return 0, errors.New("no VmRSS")
}

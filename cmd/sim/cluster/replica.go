package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"marquee/server/platform"
)

// restartPause is how long a replica that has ended stays down.
const restartPause = 200 * time.Millisecond

// Replica is one process of the shop. Its addresses stay the same when it is started again.
type Replica struct {
	Name          string // "replica 1"
	URL, AdminURL string
	LogFile       string

	ports       []Port
	log         *slog.Logger
	environment []string
	closing     chan struct{} // closed by stop

	mu      sync.Mutex
	binary  string      // path of the program, from the next start on
	process *os.Process // nil while the replica is down
	starts  int         // how often it was started
	failure error       // why it could not be started
}

// keepRunning starts the process again whenever it ends, until stop. The kernel kills the process when this thread
// ends, so that no replica outlives its cluster.
func (r *Replica) keepRunning() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for {
		process, err := r.start()
		r.set(process, err)
		if err != nil {
			return err
		}
		r.log.Info("replica started", "replica", r.Name, "process", process.Pid)
		select {
		case <-r.closing: // stop may have been called before the process existed
			err = r.Signal(syscall.SIGTERM)
		default:
		}
		state, waitErr := process.Wait()
		r.set(nil, nil)
		select {
		case <-r.closing:
			return errors.Join(err, waitErr)
		case <-time.After(restartPause):
			r.log.Info("replica ended", "replica", r.Name, "process", process.Pid, "state", fmt.Sprint(state))
		}
	}
}

func (r *Replica) start() (*os.Process, error) {
	log, err := os.OpenFile(r.LogFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cluster: log of %s: %w", r.Name, err)
	}
	defer log.Close()
	cmd := exec.Command(r.program())
	cmd.Env, cmd.Stdout, cmd.Stderr = r.environment, log, log
	platform.Child(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cluster: start %s (make build): %w", r.Name, err)
	}
	return cmd.Process, nil
}

func (r *Replica) set(p *os.Process, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.process, r.failure = p, err
	if p != nil {
		r.starts++
	}
}

func (r *Replica) program() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.binary
}

func (r *Replica) setBinary(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.binary = path
}

func (r *Replica) get() (starts int, failure error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.starts, r.failure
}

// PID returns the process id, or 0 while the replica is down.
func (r *Replica) PID() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.process == nil {
		return 0
	}
	return r.process.Pid
}

// Signal sends a signal to the process. It does nothing while the replica is down.
func (r *Replica) Signal(s syscall.Signal) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.process == nil {
		return nil
	}
	if err := r.process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("cluster: signal %s: %w", r.Name, err)
	}
	return nil
}

// Kill ends the process as a crash does. The replica is started again.
func (r *Replica) Kill() error { return r.Signal(syscall.SIGKILL) }

// Restart ends the process with SIGTERM, after which it finishes its requests, and returns when the replica is ready
// again.
func (r *Replica) Restart(ctx context.Context) error {
	before, _ := r.get()
	if err := r.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return r.awaitReady(ctx, before+1, math.MaxInt)
}

// awaitReady returns when the replica was started at least atLeast times and answers /readyz with 200. It returns an
// error with the last lines of its log if this takes longer than startTimeout or more than atMost starts.
func (r *Replica) awaitReady(ctx context.Context, atLeast, atMost int) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	var starts int
	var failure error
	err := poll(ctx, func() bool {
		starts, failure = r.get()
		return failure != nil || starts > atMost || starts >= atLeast && r.answersReady(ctx)
	})
	switch {
	case failure != nil:
		return failure
	case starts > atMost:
		return fmt.Errorf("cluster: %s ended while it started: %s", r.Name, r.lastLog())
	case err != nil:
		return fmt.Errorf("cluster: %s did not become ready: %w: %s", r.Name, err, r.lastLog())
	}
	return nil
}

func (r *Replica) answersReady(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL+"/readyz", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	return resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
}

// lastLog returns the end of the replica's log, on one line.
func (r *Replica) lastLog() string {
	text, err := os.ReadFile(r.LogFile)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], " | ")
}

// stop ends the process with SIGTERM. It is not started again.
func (r *Replica) stop() error {
	close(r.closing)
	return r.Signal(syscall.SIGTERM)
}

package pgserver

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// frozen keeps processes that were stopped with SIGSTOP from outliving this process. The kernel kills the first process
// of a server with this one, but its other processes notice that only when they run. A shell waits on a pipe: when this
// process dies, the pipe ends and the shell kills them.
type frozen struct {
	mu      sync.Mutex
	watcher *exec.Cmd
	pipe    io.Closer
	pids    []string
}

// watch adds stopped processes to those that are killed with this process.
func (f *frozen) watch(pids ...int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, pid := range pids {
		f.pids = append(f.pids, strconv.Itoa(pid))
	}
	before, beforePipe := f.watcher, f.pipe
	// A line on the pipe ends the shell, the end of the pipe makes it kill.
	f.watcher = exec.Command("sh", "-c", "read line || kill -9 "+strings.Join(f.pids, " "))
	detach(f.watcher)
	pipe, err := f.watcher.StdinPipe()
	if err == nil {
		err = f.watcher.Start()
	}
	if err != nil {
		return fmt.Errorf("postgres: watch over frozen processes: %w", err)
	}
	f.pipe = pipe
	return end(before, beforePipe)
}

// release forgets the processes: they run again, or are gone.
func (f *frozen) release() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	watcher, pipe := f.watcher, f.pipe
	f.watcher, f.pipe, f.pids = nil, nil, nil
	return end(watcher, pipe)
}

// end ends a shell without a kill.
func end(watcher *exec.Cmd, pipe io.Closer) error {
	if watcher == nil {
		return nil
	}
	_, err := io.WriteString(pipe.(io.Writer), "\n")
	return errors.Join(err, pipe.Close(), watcher.Wait())
}

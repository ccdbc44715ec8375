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

// frozen prevents processes that were stopped with SIGSTOP from outliving this process. When this process dies, the
// kernel kills the first process of a server, but a stopped child process does not notice. A shell therefore waits on a
// pipe: when this process dies, the pipe is closed and the shell kills them.
type frozen struct {
	mu      sync.Mutex
	watcher *exec.Cmd
	pipe    io.Closer
	pids    []string
}

// watch adds stopped processes to those that are killed when this process dies.
func (f *frozen) watch(pids ...int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, pid := range pids {
		f.pids = append(f.pids, strconv.Itoa(pid))
	}
	before, beforePipe := f.watcher, f.pipe
	// The shell exits if it reads a line, and kills the processes if the pipe is closed.
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

// any reports whether there are stopped processes.
func (f *frozen) any() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.pids) > 0
}

// release forgets the processes: they are running again, or have ended.
func (f *frozen) release() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	watcher, pipe := f.watcher, f.pipe
	f.watcher, f.pipe, f.pids = nil, nil, nil
	return end(watcher, pipe)
}

// end ends a shell without killing the processes that it watches.
func end(watcher *exec.Cmd, pipe io.Closer) error {
	if watcher == nil {
		return nil
	}
	_, err := io.WriteString(pipe.(io.Writer), "\n")
	return errors.Join(err, pipe.Close(), watcher.Wait())
}

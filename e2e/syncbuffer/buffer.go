// Package syncbuffer has a buffer that a test reads while the code under test writes to it.
package syncbuffer

import (
	"bytes"
	"sync"
)

// Buffer is a bytes.Buffer that several goroutines may use at once. The zero value is empty.
type Buffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

// Write appends p. It never returns an error.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

// String returns what has been written up to now.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

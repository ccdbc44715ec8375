package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

const (
	fileFormat  = "marquee-recording"
	fileVersion = 1
)

// Header is the first line of a recording.
type Header struct {
	Format   string    `json:"format"`
	Version  int       `json:"version"`
	Provider string    `json:"provider"`
	Target   string    `json:"target"` // the provider's address, without user and password
	Began    time.Time `json:"began"`
}

// Recording is a complete recording.
type Recording struct {
	Header
	Calls []Call

	provider *provider
}

// Read decodes a recording: the header in the first line, then one call in each line, numbered from 1. The error is an
// *Error with the number of the invalid line.
func Read(from io.Reader) (*Recording, error) {
	lines := bufio.NewReaderSize(from, 64<<10)
	var rec Recording
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		whole := err == nil
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fail("bad_recording", "line %d cannot be read: %s", n, err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			if whole {
				return nil, fail("bad_recording", "line %d is empty", n)
			}
			break
		}
		if n == 1 {
			err = rec.readHeader(line)
		} else {
			err = rec.readCall(n, line)
		}
		if err != nil && !whole {
			return nil, fail("bad_recording", "line %d is incomplete: delete it to use the %d calls before it", n,
				len(rec.Calls))
		}
		if err != nil {
			return nil, err
		}
	}
	if rec.Format == "" {
		return nil, fail("bad_recording", "the recording is empty")
	}
	return &rec, nil
}

// readHeader decodes the first line.
func (rec *Recording) readHeader(line []byte) error {
	if err := json.Unmarshal(line, &rec.Header); err != nil {
		return fail("bad_recording", "line 1 is not the header of a recording: %s", err)
	}
	switch {
	case rec.Format != fileFormat:
		return fail("bad_recording", "line 1: the format is %q and not %q", rec.Format, fileFormat)
	case rec.Version != fileVersion:
		return fail("recording_version", "the recording is of version %d; version %d can be read", rec.Version,
			fileVersion)
	}
	var err error
	rec.provider, err = providerOf(rec.Provider)
	return err
}

// readCall decodes line n. Unknown fields are an error, because they would be lost in a replay.
func (rec *Recording) readCall(n int, line []byte) error {
	var c Call
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return fail("bad_recording", "line %d is not a call: %s", n, err)
	}
	switch {
	case c.ID != len(rec.Calls)+1:
		return fail("bad_recording", "line %d has id %d; %d was expected", n, c.ID, len(rec.Calls)+1)
	case c.Request.Method == "" || c.Request.Path == "" || c.Request.Path[0] != '/':
		return fail("bad_recording", "line %d has no request with a method and a path", n)
	case (c.Answer == nil) == (c.Failure == ""):
		return fail("bad_recording", "line %d must have either an answer or a failure", n)
	}
	rec.Calls = append(rec.Calls, c)
	return nil
}

// ReadFile reads a recording from a file. The error is an *Error.
func ReadFile(name string) (*Recording, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fail("bad_recording", "the recording cannot be opened: %s", err)
	}
	defer file.Close()
	return Read(file)
}

// writer appends calls to a recording, each as one line.
type writer struct {
	mu   sync.Mutex
	out  io.Writer
	last int
}

// newWriter writes the header of a recording.
func newWriter(out io.Writer, h Header) (*writer, error) {
	h.Format, h.Version = fileFormat, fileVersion
	w := &writer{out: out}
	return w, w.line(h)
}

// add gives the call its id and writes it.
func (w *writer) add(c Call) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	c.ID = w.last + 1
	if err := w.line(c); err != nil {
		return err
	}
	w.last++
	return nil
}

// line writes a JSON value and its line feed in one call of Write, so that an interrupted process leaves no line
// without its line feed.
func (w *writer) line(v any) error {
	encoded, err := encodeJSON(v)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(encoded, '\n'))
	return err
}

// Create creates the file of a recording. The error is an *Error; a file that exists is not overwritten.
func Create(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, fail("out_exists", "%s exists; a recording does not overwrite anything", name)
	}
	if err != nil {
		return nil, fail("bad_out", "the recording cannot be created: %s", err)
	}
	return file, nil
}

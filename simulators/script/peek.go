package script

import (
	"bytes"
	"errors"
	"io"
	"net/http"
)

const maxBody = 1 << 20 // of a provider's call, unless it says otherwise

// Peek reads a call's body, which whoever serves the call can still read. A body that is too large or broken is nil
// here and goes on as it came.
func Peek(r *http.Request) []byte {
	if known, ok := r.Body.(*peeked); ok {
		return known.all
	}
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength > maxBody {
		return nil
	}
	all, err := readAll(r, maxBody)
	if err != nil {
		rest := r.Body
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(all), rest), rest}
		return nil
	}
	p := &peeked{all: all, Closer: r.Body}
	p.Reset(all)
	r.Body = p
	return all
}

// peeked is a body that was read already.
type peeked struct {
	bytes.Reader
	io.Closer
	all []byte
}

var errTooLarge = errors.New("the body is too large")

// readAll reads a body whole; on an error it returns what it has read.
func readAll(r *http.Request, limit int64) ([]byte, error) {
	if n := r.ContentLength; n >= 0 && n <= limit {
		all := make([]byte, n)
		read, err := io.ReadFull(r.Body, all)
		return all[:read], err
	}
	all, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err == nil && int64(len(all)) > limit {
		return all, errTooLarge
	}
	return all, err
}

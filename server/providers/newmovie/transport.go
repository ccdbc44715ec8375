package newmovie

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"marquee/server/fault"
)

// maxAnswer caps how much of an answer is read.
const maxAnswer = 8 << 20

// call says what is being done, which decides how silence is read.
type call bool

const (
	reads call = false // silence means nothing happened
	acts  call = true  // silence means it may have happened
)

// silence is the fault for a call that may have arrived and whose outcome cannot be read.
func (k call) silence(otherwise *fault.Fault) *fault.Fault {
	if k == acts {
		return fault.ErrUnknown
	}
	return otherwise
}

// roundTrip sends one request and returns the body of a 200 answer.
func (c *Client) roundTrip(ctx context.Context, kind call, method, path, token string, body []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("not sent: %w: %w", fault.ErrUnavailable, err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	// Before a connection is there nothing can have been sent. GetConn tells that the transport reports at all.
	var asked, connected atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req, err := http.NewRequestWithContext(traced, method, c.cfg.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/json")
	if token != "" {
		req.Header.Set("Authorization", token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		if asked.Load() && !connected.Load() {
			return nil, fmt.Errorf("not sent: %w: %w", fault.ErrUnavailable, err)
		}
		return nil, fmt.Errorf("no answer: %w: %w", kind.silence(fault.ErrUnavailable), err)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("answer cut short: %w: %w", kind.silence(fault.ErrBadAnswer), err)
	case len(answer) > maxAnswer:
		return nil, fmt.Errorf("answer over %d bytes: %w", maxAnswer, kind.silence(fault.ErrBadAnswer))
	case resp.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("answer with status %d: %w", resp.StatusCode, kind.silence(fault.ErrUnavailable))
	}
	return answer, nil
}

package wechat

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"
)

// maxAnswer caps how much of an answer is read.
const maxAnswer = 1 << 20

var errAnswerTooLarge = fmt.Errorf("answer over %d bytes", maxAnswer)

// httpClient makes the client that all of the messaging app's APIs go through. With a simulatorURL every request
// goes there, whatever its address says; path, query, headers and the vendor's Host stay as they are.
func httpClient(base *http.Client, simulatorURL string, timeout time.Duration) (*http.Client, error) {
	hc := http.Client{}
	if base != nil {
		hc = *base
	}
	next := hc.Transport
	if next == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 64
		next = t
	}
	tr := transport{next: next}
	if simulatorURL != "" {
		u, err := url.Parse(simulatorURL)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return nil, fmt.Errorf("wechat: SimulatorURL %q is not an http address", simulatorURL)
		}
		tr.to = u
	}
	hc.Transport = tr
	hc.Timeout = timeout
	hc.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &hc, nil
}

// transport redirects, caps answers, and says of a failure whether the request can have been sent.
type transport struct {
	to   *url.URL // nil: the address as it is
	next http.RoundTripper
}

// errNotSent marks failures from before there was a connection.
var errNotSent = errors.New("not sent")

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotSent, err)
	}
	var asked, connected atomic.Bool
	r := req.Clone(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	}))
	if t.to != nil {
		if r.Host == "" {
			r.Host = req.URL.Host
		}
		r.URL.Scheme, r.URL.Host = t.to.Scheme, t.to.Host
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		if asked.Load() && !connected.Load() {
			return nil, fmt.Errorf("%w: %w", errNotSent, err)
		}
		return nil, err
	}
	resp.Body = &cappedBody{ReadCloser: resp.Body, left: maxAnswer}
	return resp, nil
}

// cappedBody fails a read past the cap, where a plain limit would look like a short answer.
type cappedBody struct {
	io.ReadCloser
	left int
}

func (b *cappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errAnswerTooLarge
	}
	return n, err
}

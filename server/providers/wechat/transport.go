package wechat

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	shared "marquee/server/providers/transport"
)

// maxAnswer caps how much of an answer is read.
const maxAnswer = 1 << 20

var errAnswerTooLarge = fmt.Errorf("answer over %d bytes", maxAnswer)

// httpClient makes the client that all of the messaging app's APIs go through. With a simulatorURL every request
// goes there, whatever its address says; path, query, headers and the vendor's Host stay as they are.
func httpClient(base *http.Client, simulatorURL string, timeout time.Duration) (*http.Client, error) {
	hc := shared.HTTPClient(base)
	tr := transport{next: hc.Transport}
	if simulatorURL != "" {
		if err := shared.CheckAddress(simulatorURL); err != nil {
			return nil, fmt.Errorf("wechat: SimulatorURL %w", err)
		}
		tr.to, _ = url.Parse(simulatorURL) // it was parsed a moment ago
	}
	hc.Transport = tr
	hc.Timeout = timeout
	return hc, nil
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
	traced, sent := shared.Traced(req.Context())
	r := req.Clone(traced)
	if t.to != nil {
		if r.Host == "" {
			r.Host = req.URL.Host
		}
		r.URL.Scheme, r.URL.Host = t.to.Scheme, t.to.Host
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		if !sent() {
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

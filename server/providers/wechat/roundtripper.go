package wechat

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"marquee/server/providers/transport"
)

// maxAnswer is the maximum size of an answer in bytes.
const maxAnswer = 1 << 20

// httpClient returns the client for all of the messaging app's APIs. With a simulatorURL every request is sent there,
// with its path, query, header and Host unchanged.
func httpClient(base *http.Client, simulatorURL string) (*http.Client, error) {
	hc := transport.HTTPClient(base)
	rt := roundTripper{next: hc.Transport}
	if simulatorURL != "" {
		if err := transport.CheckAddress(simulatorURL); err != nil {
			return nil, fmt.Errorf("wechat: SimulatorURL %w", err)
		}
		rt.simulator, _ = url.Parse(simulatorURL) // no error: CheckAddress has parsed it
	}
	hc.Transport = rt
	return hc, nil
}

// roundTripper sends requests to the host of their context, redirects them to the simulator, caps answers, and marks
// failures of requests that were not sent.
type roundTripper struct {
	simulator *url.URL // nil: the vendor
	next      http.RoundTripper
}

// errNotSent marks an error from before there was a connection.
var errNotSent = errors.New("not sent")

// RoundTrip implements http.RoundTripper.
func (t roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotSent, err)
	}
	ctx, sent := transport.TraceSent(req.Context())
	r := req.Clone(ctx)
	if host := hostOf(ctx); host != "" {
		r.Host, r.URL.Host = host, host
	}
	if t.simulator != nil {
		if r.Host == "" {
			r.Host = req.URL.Host
		}
		r.URL.Scheme, r.URL.Host = t.simulator.Scheme, t.simulator.Host
	}
	resp, err := t.next.RoundTrip(r)
	if err != nil {
		if !sent() {
			return nil, fmt.Errorf("%w: %w", errNotSent, err)
		}
		return nil, err
	}
	if req.URL.Path != billPath { // storeBill limits the size of a bill
		resp.Body = &cappedBody{ReadCloser: resp.Body, left: maxAnswer}
	}
	return resp, nil
}

var errAnswerTooLarge = fmt.Errorf("answer over %d bytes", maxAnswer)

// cappedBody returns errAnswerTooLarge beyond the cap. With io.LimitReader a long answer would look complete.
type cappedBody struct {
	io.ReadCloser
	left int // bytes
}

// Read implements io.Reader.
func (b *cappedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		return 0, errAnswerTooLarge
	}
	return n, err
}

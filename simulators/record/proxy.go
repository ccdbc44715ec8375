package record

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

// ProxyOptions says what is recorded.
type ProxyOptions struct {
	Provider string
	Target   string    // the provider's base URL
	Out      io.Writer // gets the recording, a line for each call as soon as it is over
	// Credentials sign every call anew; nil passes the caller's signature on, which holds when the caller sent the
	// provider's Host or the signature does not cover it.
	Credentials *dataset.Credentials
	Listen      string        // where it is served: its host is a name of the proxy beside those of this machine
	Timeout     time.Duration // 0: DefaultTimeout
	Logger      *slog.Logger  // nil discards
}

// Proxy passes calls on to a real provider and writes them down.
type Proxy struct {
	o        ProxyOptions
	provider *provider
	target   *url.URL
	redactor *redactor
	writer   *writer
	client   *http.Client
}

// NewProxy begins a recording. The error is an *Error.
func NewProxy(o ProxyOptions) (*Proxy, error) {
	p, err := providerOf(o.Provider)
	if err != nil {
		return nil, err
	}
	target, err := parseTarget(o.Target)
	if err != nil {
		return nil, err
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	out, err := newWriter(o.Out, Header{Provider: p.name, Target: plainTarget(target), Began: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return nil, fail("bad_out", "the recording cannot be written: %s", err)
	}
	return &Proxy{o: o, provider: p, target: target, redactor: newRedactor(p), writer: out, client: newClient(o.Timeout)}, nil
}

// parseTarget checks a provider's base URL.
func parseTarget(text string) (*url.URL, error) {
	target, err := url.Parse(text)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Host == "" || target.RawQuery != "" || target.Fragment != "" {
		return nil, fail("bad_target", "the target must be an http or https URL without a query, as https://provider.example/base")
	}
	return target, nil
}

// plainTarget is what may be written down of a target.
func plainTarget(target *url.URL) string {
	return (&url.URL{Scheme: target.Scheme, Host: target.Host, Path: target.Path}).String()
}

// newClient does not follow redirects: they are answers.
func newClient(timeout time.Duration) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // the library's own
	return &http.Client{
		Transport: transport, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// within is the address of a path under a base URL.
func within(target *url.URL, path, rawQuery string) string {
	base := strings.TrimSuffix((&url.URL{Scheme: target.Scheme, User: target.User, Host: target.Host, Path: target.Path}).String(), "/")
	if path != "/" || target.Path == "" {
		base += path
	}
	if rawQuery != "" {
		base += "?" + rawQuery
	}
	return base
}

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if refused := p.refuse(r); refused != nil {
		p.excuse(w, http.StatusForbidden, refused.Code, refused.Message)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		p.excuse(w, http.StatusRequestEntityTooLarge, "body_unreadable", "the request's body cannot be read whole: "+err.Error())
		return
	}
	call := p.describe(r, body)
	began := time.Now()
	answer, raw, failure := p.forward(r, call.Request, body)
	if failure != "" {
		call.Failure = failure
	} else {
		call.Answer = &Answer{Status: answer.StatusCode, Body: readBody(answer.Header.Get("Content-Type"), raw), Millis: time.Since(began).Milliseconds()}
	}
	p.redactor.call(&call)
	if err := p.writer.add(call); err != nil {
		p.o.Logger.Error("a call is not in the recording", "operation", call.Operation, "error", err)
	}
	if failure != "" {
		status := http.StatusBadGateway
		if failure == "timeout" {
			status = http.StatusGatewayTimeout
		}
		p.excuse(w, status, "target_"+failure, failures[failure]+"; the recording goes on")
		return
	}
	copyEndToEnd(w.Header(), answer.Header)
	w.WriteHeader(answer.StatusCode)
	_, _ = w.Write(raw)
}

// describe is the call as it came.
func (p *Proxy) describe(r *http.Request, body []byte) Call {
	q := Request{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.Query(), Headers: map[string]string{}, Body: readBody(r.Header.Get("Content-Type"), body)}
	if q.Path == "" {
		q.Path = "/"
	}
	for _, name := range append([]string{"Content-Type"}, p.provider.headers...) {
		if value := r.Header.Get(name); value != "" {
			q.Headers[name] = value
		}
	}
	c := Call{At: time.Now().UTC().Truncate(time.Millisecond), Request: q}
	if c.Operation, c.Write = p.provider.operation(&q); c.Operation == "" {
		c.Operation = q.Method + " " + q.Path
	}
	return c
}

// forward sends a call to the provider. It is sent to its end also when the caller goes away, because it may act.
func (p *Proxy) forward(r *http.Request, q Request, body []byte) (answer *http.Response, raw []byte, failure string) {
	rawQuery := r.URL.RawQuery
	if p.o.Credentials != nil {
		if err := p.provider.prepare(&q, *p.o.Credentials, time.Now()); err != nil {
			return nil, nil, "unsigned"
		}
		if again, err := q.Body.encode(); err == nil && (q.Body.Kind == bodyForm || q.Body.Kind == bodyJSON) {
			body = again
		}
		rawQuery = url.Values(q.Query).Encode()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), p.o.Timeout)
	defer cancel()
	out, err := http.NewRequestWithContext(ctx, r.Method, within(p.target, q.Path, rawQuery), bytes.NewReader(body))
	if err != nil {
		return nil, nil, "unreachable"
	}
	copyEndToEnd(out.Header, r.Header)
	out.Header.Del("Accept-Encoding") // so that the answer comes in clear
	out.Host = p.target.Host
	if p.o.Credentials != nil {
		if err := p.provider.authorize(out, body, *p.o.Credentials, time.Now()); err != nil {
			return nil, nil, "unsigned"
		}
	}
	return receive(p.client, out)
}

// receive sends a request and reads the whole answer; failure says why there is none.
func receive(client *http.Client, r *http.Request) (answer *http.Response, raw []byte, failure string) {
	answer, err := client.Do(r) //nolint:bodyclose // closed below
	if err != nil {
		return nil, nil, failureOf(err)
	}
	defer answer.Body.Close() //nolint:errcheck // only read
	raw, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, nil, failureOf(err)
	case len(raw) > maxAnswer:
		return nil, nil, "too_big"
	}
	return answer, raw, ""
}

// failures are the words of why no answer came, for people.
var failures = map[string]string{
	"timeout":     "the provider did not answer in time",
	"reset":       "the provider broke the connection",
	"unreachable": "nobody listens at the provider's address",
	"too_big":     fmt.Sprintf("the provider's answer is larger than %d bytes", maxAnswer),
	"unsigned":    "the call cannot be signed with these credentials",
}

// failureOf is a stable word for why no answer came.
func failureOf(err error) string {
	var dial *net.OpError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.As(err, &dial) && dial.Op == "dial":
		return "unreachable"
	}
	return "reset"
}

// hopByHop are headers of one connection, which are not passed on.
var hopByHop = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Content-Length",
}

func copyEndToEnd(to, from http.Header) {
	dropped := slices.Clone(hopByHop)
	for _, line := range from["Connection"] {
		for name := range strings.SplitSeq(line, ",") {
			dropped = append(dropped, textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(name)))
		}
	}
	for name, values := range from {
		if !slices.Contains(dropped, name) {
			to[name] = slices.Clone(values)
		}
	}
}

// excuse is an answer of the proxy's own.
func (p *Proxy) excuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	encoded, _ := encodeJSON(map[string]any{"error": Error{code, message}})
	_, _ = w.Write(append(encoded, '\n'))
}

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
)

// ProxyOptions configure a Proxy.
type ProxyOptions struct {
	Provider string
	Target   string        // the provider's base URL
	Out      io.Writer     // receives the recording, a line for each call as soon as it is over
	Timeout  time.Duration // 0: DefaultTimeout
	Logger   *slog.Logger  // nil discards
}

// Proxy forwards calls to a real provider and records them. It forwards the caller's signature unchanged. That is valid
// at the provider if it does not cover the Host header, or if the caller sent the provider's Host.
type Proxy struct {
	o        ProxyOptions
	provider *provider
	target   *url.URL
	redactor *redactor
	writer   *writer
	client   *http.Client
}

// NewProxy writes the header of a recording and returns its proxy. The error is an *Error.
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
	out, err := newWriter(o.Out, Header{Provider: p.name, Target: plainTarget(target),
		Began: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return nil, fail("bad_out", "the recording cannot be written: %s", err)
	}
	return &Proxy{o: o, provider: p, target: target, redactor: newRedactor(p), writer: out,
		client: newClient(o.Timeout)}, nil
}

// parseTarget parses a provider's base URL. The error is an *Error with the code bad_target.
func parseTarget(text string) (*url.URL, error) {
	target, err := url.Parse(text)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Host == "" ||
		target.RawQuery != "" || target.Fragment != "" {
		return nil, fail("bad_target",
			"the target must be an http or https URL without a query, as https://provider.example/base")
	}
	return target, nil
}

// plainTarget is a target without its user and password.
func plainTarget(target *url.URL) string {
	return (&url.URL{Scheme: target.Scheme, Host: target.Host, Path: target.Path}).String()
}

// newClient returns a client with separate connections. It does not follow redirects, because they are answers.
func newClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: http.DefaultTransport.(*http.Transport).Clone(), Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// within returns the address of a path below a base URL.
func within(target *url.URL, path, rawQuery string) string {
	base := strings.TrimSuffix((&url.URL{Scheme: target.Scheme, User: target.User, Host: target.Host,
		Path: target.Path}).String(), "/")
	if path != "/" || target.Path == "" {
		base += path
	}
	if rawQuery != "" {
		base += "?" + rawQuery
	}
	return base
}

// ServeHTTP forwards a call, records it, and returns the provider's answer unchanged.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if rejected := checkOrigin(r); rejected != nil {
		p.writeError(w, http.StatusForbidden, rejected.Code, rejected.Message)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		p.writeError(w, http.StatusRequestEntityTooLarge, "body_unreadable",
			"the request's body cannot be read completely: "+err.Error())
		return
	}
	call := p.describe(r, body)
	began := time.Now()
	answer, raw, failure := p.forward(r, body)
	if failure != "" {
		call.Failure = failure
	} else {
		call.Answer = newAnswer(answer, raw, time.Since(began))
	}
	p.redactor.call(&call)
	if err := p.writer.add(call); err != nil {
		p.o.Logger.Error("recording a call failed", "operation", call.Operation, "error", err)
	}
	if failure != "" {
		status := http.StatusBadGateway
		if failure == "timeout" {
			status = http.StatusGatewayTimeout
		}
		p.writeError(w, status, "target_"+failure, failures[failure]+"; the recording continues")
		return
	}
	copyEndToEnd(w.Header(), answer.Header)
	w.WriteHeader(answer.StatusCode)
	_, _ = w.Write(raw)
}

// checkOrigin rejects calls from a web page of another origin, such as a form or a picture. Every Host is allowed,
// because the caller signs the one that it needs.
func checkOrigin(r *http.Request) *Error {
	site := r.Header.Get("Sec-Fetch-Site")
	if site == "cross-site" || site == "same-site" || http.NewCrossOriginProtection().Check(r) != nil {
		return fail("cross_origin", "a page of another origin may not call the provider")
	}
	return nil
}

// describe returns the received call as it is recorded, before its secrets are redacted.
func (p *Proxy) describe(r *http.Request, body []byte) Call {
	q := Request{
		Method: r.Method, Path: cmp.Or(r.URL.EscapedPath(), "/"), Query: r.URL.Query(), Headers: map[string]string{},
		Body: readBody(r.Header.Get("Content-Type"), body),
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

// forward sends a call to the provider. It is not cancelled if the caller disconnects, because the provider may act.
func (p *Proxy) forward(r *http.Request, body []byte) (answer *http.Response, raw []byte, failure string) {
	address := within(p.target, cmp.Or(r.URL.EscapedPath(), "/"), r.URL.RawQuery)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), p.o.Timeout)
	defer cancel()
	out, err := http.NewRequestWithContext(ctx, r.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, "unreachable"
	}
	copyEndToEnd(out.Header, r.Header)
	out.Header.Del("Accept-Encoding") // the answer is recorded uncompressed
	out.Host = p.target.Host
	return receive(p.client, out)
}

// receive sends a request and reads the entire answer. If there is no complete answer, failure is a key of failures.
func receive(client *http.Client, r *http.Request) (answer *http.Response, raw []byte, failure string) {
	answer, err := client.Do(r)
	if err != nil {
		return nil, nil, failureOf(err)
	}
	defer answer.Body.Close()
	raw, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, nil, failureOf(err)
	case len(raw) > maxAnswer:
		return nil, nil, "too_big"
	}
	return answer, raw, ""
}

// failures are the possible reasons for a call without an answer, with their texts.
var failures = map[string]string{
	"timeout":     "the provider did not answer in time",
	"reset":       "the provider closed the connection",
	"unreachable": "the provider's address accepts no connection",
	"too_big":     fmt.Sprintf("the provider's answer is larger than %d bytes", maxAnswer),
}

// failureOf returns the key in failures for the error of a call.
func failureOf(err error) string {
	var dial *net.OpError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &timeout) && timeout.Timeout(), errors.Is(err, os.ErrDeadlineExceeded),
		errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.As(err, &dial) && dial.Op == "dial":
		return "unreachable"
	}
	return "reset"
}

// hopByHop are headers of one connection, which are not forwarded.
var hopByHop = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding",
	"Upgrade", "Content-Length",
}

// copyEndToEnd copies all headers except those that apply to one connection only.
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

// writeError answers with an error of the proxy.
func (p *Proxy) writeError(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	encoded, _ := encodeJSON(map[string]any{"error": Error{code, message}})
	_, _ = w.Write(append(encoded, '\n'))
}

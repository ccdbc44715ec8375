package record

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

// ReplayOptions configure a replay.
type ReplayOptions struct {
	Target      string // the base URL at which the provider, or its simulator, is called
	Credentials dataset.Credentials
	WithWrites  bool          // also send calls that may change something
	Timeout     time.Duration // for each answer; 0: DefaultTimeout
}

// maxUnanswered is how many calls in a row a target may leave without an answer.
const maxUnanswered = 3

// Skip is a recorded call that was not sent again.
type Skip struct {
	Call      int    `json:"call"`
	Operation string `json:"operation"`
	Reason    string `json:"reason"`
}

// replay sends the calls of a recording again.
type replay struct {
	rec          *Recording
	o            ReplayOptions
	target       *url.URL
	substitution *substitution
	client       *http.Client
	bearer       string // of newmovie
}

// newReplay prepares a replay. The error is an *Error about the target.
func newReplay(rec *Recording, o ReplayOptions) (*replay, error) {
	target, err := parseTarget(o.Target)
	if err != nil {
		return nil, err
	}
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	return &replay{rec: rec, o: o, target: target, substitution: newSubstitution(rec.provider),
		client: newClient(o.Timeout)}, nil
}

// run sends the calls in order, and calls the function sent or skipped for each. It stops with an *Error when the
// target accepts no connection or leaves three calls in a row without an answer. Otherwise each of a thousand calls
// would wait for its timeout.
func (p *replay) run(ctx context.Context, sent func(recorded, replayed Call), skipped func(Skip)) error {
	if p.rec.provider == newmovie {
		if err := p.login(ctx); err != nil {
			return err
		}
	}
	address := plainTarget(p.target)
	unanswered := 0 // in a row
	for _, c := range p.rec.Calls {
		if reason := p.skipReason(c); reason != "" {
			skipped(Skip{c.ID, c.Operation, reason})
			continue
		}
		replayed, err := p.send(ctx, c)
		switch {
		case err != nil:
			return err
		case replayed.Failure == "unreachable":
			return fail("target_unreachable", "%s: %s (call %d, %s)", address, failures[replayed.Failure], c.ID,
				c.Operation)
		case ctx.Err() != nil:
			return fail("interrupted", "stopped at call %d", c.ID)
		}
		if replayed.Answer != nil {
			unanswered = 0
			p.substitution.learn(c.Answer.Body.JSON, replayed.Answer.Body.JSON)
		} else if unanswered++; unanswered == maxUnanswered {
			return fail("target_"+replayed.Failure, "%s; %s left %d calls in a row without an answer (the last: %d, %s)",
				failures[replayed.Failure], address, unanswered, c.ID, c.Operation)
		}
		sent(c, replayed)
	}
	return nil
}

// skipReason is why a call is not sent again; "" for a call that is.
func (p *replay) skipReason(c Call) string {
	switch {
	case c.Write && !p.o.WithWrites:
		return "it may change something; -with-writes sends it"
	case c.Answer == nil:
		return "the recording has no answer to it"
	case p.rec.provider.rejectsCaller(p.rec.provider.code(c.Answer.Status, c.Answer.Body.JSON)):
		return "its caller was rejected, and its signature is not in the recording"
	case c.Request.Body.Kind == bodyHTML || c.Request.Body.Kind == bodyOther:
		return "its body is not in the recording"
	}
	return ""
}

// send sends a recorded call again, with the replay's values and signed by the replay's account.
func (p *replay) send(ctx context.Context, c Call) (Call, error) {
	replayed := Call{
		ID: c.ID, At: time.Now().UTC().Truncate(time.Millisecond), Operation: c.Operation, Write: c.Write,
		Request: p.substitution.rewriteRequest(c.Request),
	}
	q := &replayed.Request
	shiftDeadline(q.Body.JSON, c.At, replayed.At)
	if err := p.rec.provider.prepare(q, p.o.Credentials, time.Now()); err != nil {
		return replayed, fail("bad_credentials", "call %d cannot be signed: %s", c.ID, err)
	}
	began := time.Now()
	answer, raw, failure, rejected := p.post(ctx, q)
	if rejected != nil {
		return replayed, fail(rejected.Code, "call %d: %s", c.ID, rejected.Message)
	}
	if replayed.Failure = failure; failure == "" {
		replayed.Answer = newAnswer(answer, raw, time.Since(began))
	}
	return replayed, nil
}

// post encodes, signs and sends a request. rejected is why it could not be sent.
func (p *replay) post(
	ctx context.Context, q *Request,
) (answer *http.Response, raw []byte, failure string, rejected *Error) {
	body, err := q.Body.encode()
	if err != nil {
		return nil, nil, "", fail("bad_recording", "%s", err)
	}
	address := within(p.target, q.Path, url.Values(q.Query).Encode())
	r, err := http.NewRequestWithContext(ctx, q.Method, address, bytes.NewReader(body))
	if err != nil {
		return nil, nil, "", fail("bad_recording", "%s %s cannot be sent: %s", q.Method, q.Path, err)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "marquee-replay")
	for name, value := range q.Headers {
		r.Header.Set(name, value)
	}
	if p.bearer != "" {
		r.Header.Set("Authorization", p.bearer)
	}
	if sign := p.rec.provider.authorize; sign != nil {
		if err := sign(r, body, p.o.Credentials, time.Now()); err != nil {
			return nil, nil, "", fail("bad_credentials", "the call cannot be signed: %s", err)
		}
	}
	answer, raw, failure = receive(p.client, r)
	return answer, raw, failure, nil
}

// login gets newmovie's bearer token for the entire replay.
func (p *replay) login(ctx context.Context) error {
	keys := p.o.Credentials.NewMovie
	answer, raw, failure, rejected := p.post(ctx, &Request{
		Method: http.MethodPost, Path: "/api/" + newmovieToken,
		Headers: map[string]string{"Content-Type": "application/json"},
		Body:    Body{Kind: bodyJSON, JSON: map[string]any{"entId": keys.EntID, "appSecret": keys.AppSecret}},
	})
	switch {
	case rejected != nil:
		return rejected
	case failure != "":
		return fail("target_"+failure, "%s returned no token: %s", plainTarget(p.target), failures[failure])
	}
	issued := newAnswer(answer, raw, 0).Body.JSON
	kind, token := scalarText(field(issued, "data", "token_type")), scalarText(field(issued, "data", "access_token"))
	if token == "" {
		return fail("bad_credentials", "%s returned no token for these credentials: HTTP %d, code %s",
			plainTarget(p.target), answer.StatusCode, scalarText(field(issued, "code")))
	}
	p.bearer = kind + " " + token
	return nil
}

// shiftDeadline moves time_expire so that it is as far away as it was when the call was recorded.
func shiftDeadline(body any, recorded, replayed time.Time) {
	object, _ := body.(map[string]any)
	if deadline, err := time.Parse(time.RFC3339, scalarText(object["time_expire"])); err == nil {
		object["time_expire"] = deadline.Add(replayed.Sub(recorded)).Format(time.RFC3339)
	}
}

// Replay sends the calls of a recording again and writes the result of each as a line to progress. It writes the sent
// calls with their answers, redacted, to out as a new recording, unless out is nil. The error is an *Error.
func Replay(ctx context.Context, rec *Recording, o ReplayOptions, progress, out io.Writer) error {
	p, err := newReplay(rec, o)
	if err != nil {
		return err
	}
	if out == nil {
		out = io.Discard
	}
	file, err := newWriter(out, Header{Provider: rec.Provider, Target: plainTarget(p.target),
		Began: time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return fail("bad_out", "the recording cannot be written: %s", err)
	}
	redactor := newRedactor(rec.provider)
	var writeErr error
	err = p.run(ctx, func(recorded, replayed Call) {
		fmt.Fprintf(progress, "%4d %s: recorded %s, answered %s\n",
			recorded.ID, recorded.Operation, rec.provider.result(recorded), rec.provider.result(replayed))
		redactor.call(&replayed)
		if err := file.add(replayed); err != nil && writeErr == nil {
			writeErr = fail("bad_out", "the recording cannot be written: %s", err)
		}
	}, func(s Skip) { fmt.Fprintf(progress, "%4d %s: skipped: %s\n", s.Call, s.Operation, s.Reason) })
	return cmp.Or(err, writeErr)
}

// result is the HTTP status of a call's answer with the provider's result code, or the reason why it has no answer.
func (p *provider) result(c Call) string {
	if c.Answer == nil {
		return c.Failure
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", c.Answer.Status, p.code(c.Answer.Status, c.Answer.Body.JSON)))
}

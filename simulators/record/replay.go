package record

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"time"

	"marquee/simulators/dataset"
)

// ReplayOptions says against what a recording is replayed.
type ReplayOptions struct {
	Target      string // the provider's base URL there
	Credentials dataset.Credentials
	WithWrites  bool          // also send calls that change something
	Timeout     time.Duration // for each answer; 0: DefaultTimeout
	Patience    time.Duration // for a target that has said nothing yet, or nothing since a timeout; 0: DefaultPatience
}

// Skip is a recorded call that was not sent again.
type Skip struct {
	Call      int    `json:"call"`
	Operation string `json:"operation"`
	Reason    string `json:"reason"`
}

// Why a call is not sent again.
const (
	skipWrite    = "it may change something: -with-writes sends it"
	skipNoAnswer = "the recording has no answer to it"
	skipCaller   = "its caller was refused, and what it was signed with is not in the recording"
	skipBody     = "its body is not in the recording"
)

// replay is a recording that is being sent again.
type replay struct {
	rec     *Recording
	o       ReplayOptions
	target  *url.URL
	carrier *carrier
	client  *http.Client
	bearer  string    // of newmovie
	hearBy  time.Time // when a silent target is given up; none for one whose last call did not time out
}

func newReplay(rec *Recording, o ReplayOptions) (*replay, error) {
	target, err := parseTarget(o.Target)
	if err != nil {
		return nil, err
	}
	o.Timeout, o.Patience = cmp.Or(o.Timeout, DefaultTimeout), cmp.Or(o.Patience, DefaultPatience)
	return &replay{rec: rec, o: o, target: target, carrier: newCarrier(rec.provider), client: newClient(o.Timeout)}, nil
}

// run sends every call in order and tells what came of it. An address where nobody listens ends it, and so does one that
// is silent: each of a thousand calls would wait for its timeout.
func (p *replay) run(ctx context.Context, sent func(recorded, now Call), skipped func(Skip)) error {
	p.hearBy = time.Now().Add(p.o.Patience)
	if p.rec.provider == newmovie {
		if err := p.login(ctx); err != nil {
			return err
		}
	}
	answered, lost := 0, 0
	for _, c := range p.rec.Calls {
		if reason := p.skip(c); reason != "" {
			skipped(Skip{c.ID, c.Operation, reason})
			continue
		}
		now, err := p.send(ctx, c)
		if err != nil {
			return err
		}
		if now.Failure == "unreachable" {
			return fail("target_unreachable", "%s: %s (call %d, %s)", plainTarget(p.target), failures[now.Failure], c.ID, c.Operation)
		}
		if err := ctx.Err(); err != nil {
			return fail("interrupted", "stopped at call %d", c.ID)
		}
		if !p.hearBy.IsZero() && !time.Now().Before(p.hearBy) {
			return fail("target_timeout", "%s has been silent for %s (call %d, %s)", plainTarget(p.target), p.o.Patience, c.ID, c.Operation)
		}
		if now.Answer != nil {
			answered++
			p.carrier.learn(c.Answer.Body.JSON, now.Answer.Body.JSON)
		} else if lost++; answered == 0 && lost == patience {
			return fail("target_"+now.Failure, "%s; %s left the first %d calls without an answer", failures[now.Failure], plainTarget(p.target), lost)
		}
		sent(c, now)
	}
	return nil
}

// patience is how many calls a target that has answered none may leave without an answer.
const patience = 3

func (p *replay) skip(c Call) string {
	switch {
	case c.Write && !p.o.WithWrites:
		return skipWrite
	case c.Answer == nil:
		return skipNoAnswer
	case p.rec.provider.refusedCaller(p.rec.provider.code(c.Answer.Status, c.Answer.Body.JSON)):
		return skipCaller
	case c.Request.Body.Kind == bodyHTML || c.Request.Body.Kind == bodyOther:
		return skipBody
	}
	return ""
}

// send asks a recorded call again, signed by the replay's own account.
func (p *replay) send(ctx context.Context, c Call) (Call, error) {
	now := Call{ID: c.ID, At: time.Now().UTC().Truncate(time.Millisecond), Operation: c.Operation, Write: c.Write, Request: p.carrier.request(c.Request)}
	q := &now.Request
	shift(q.Body.JSON, c.At, now.At)
	if p.rec.provider.disarm != nil {
		p.rec.provider.disarm(q)
	}
	if err := p.rec.provider.prepare(q, p.o.Credentials, time.Now()); err != nil {
		return now, fail("bad_credentials", "call %d cannot be signed: %s", c.ID, err)
	}
	body, err := q.Body.encode()
	if err != nil {
		return now, fail("bad_recording", "call %d: %s", c.ID, err)
	}
	began := time.Now()
	answer, raw, failure, err := p.post(ctx, q, body)
	if err != nil {
		return now, err
	}
	if now.Failure = failure; failure == "" {
		now.Answer = &Answer{Status: answer.StatusCode, Body: readBody(answer.Header.Get("Content-Type"), raw), Millis: time.Since(began).Milliseconds()}
	}
	return now, nil
}

func (p *replay) post(ctx context.Context, q *Request, body []byte) (*http.Response, []byte, string, error) {
	r, err := http.NewRequestWithContext(ctx, q.Method, within(p.target, q.Path, url.Values(q.Query).Encode()), bytes.NewReader(body))
	if err != nil {
		return nil, nil, "", fail("bad_recording", "a request cannot be made of %s %s: %s", q.Method, q.Path, err)
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "marquee-replay")
	for name, value := range q.Headers {
		r.Header.Set(name, value)
	}
	if p.bearer != "" {
		r.Header.Set("Authorization", p.bearer)
	}
	if err := p.rec.provider.authorize(r, body, p.o.Credentials, time.Now()); err != nil {
		return nil, nil, "", fail("bad_credentials", "a call cannot be signed: %s", err)
	}
	if !p.hearBy.IsZero() {
		patient, cancel := context.WithDeadline(ctx, p.hearBy)
		defer cancel()
		r = r.WithContext(patient)
	}
	answer, raw, failure := receive(p.client, r)
	switch {
	case failure != "timeout":
		p.hearBy = time.Time{}
	case p.hearBy.IsZero():
		p.hearBy = time.Now().Add(p.o.Patience)
	}
	return answer, raw, failure, nil
}

// login gets newmovie's bearer token for the whole replay.
func (p *replay) login(ctx context.Context) error {
	keys := p.o.Credentials.NewMovie
	q := &Request{
		Method: http.MethodPost, Path: "/api/" + newmovieToken, Headers: map[string]string{"Content-Type": "application/json"},
		Body: Body{Kind: bodyJSON, JSON: map[string]any{"entId": keys.EntID, "appSecret": keys.AppSecret}},
	}
	body, err := q.Body.encode()
	if err != nil {
		return fail("bad_credentials", "the token cannot be asked for: %s", err)
	}
	answer, raw, failure, err := p.post(ctx, q, body)
	switch {
	case err != nil:
		return err
	case failure != "":
		return fail("target_"+failure, "%s gives no token: %s", plainTarget(p.target), failures[failure])
	}
	given := readBody(answer.Header.Get("Content-Type"), raw).JSON
	kind, token := text(at(given, "data", "token_type")), text(at(given, "data", "access_token"))
	if token == "" {
		return fail("bad_credentials", "%s gives no token to these credentials: HTTP %d, code %s", plainTarget(p.target), answer.StatusCode, text(at(given, "code")))
	}
	p.bearer = kind + " " + token
	return nil
}

// shift moves a deadline that was said as a moment, so that it is as far away as it was.
func shift(body any, recorded, now time.Time) {
	object, _ := body.(map[string]any)
	if deadline, err := time.Parse(time.RFC3339, text(object["time_expire"])); err == nil {
		object["time_expire"] = deadline.Add(now.Sub(recorded)).Format(time.RFC3339)
	}
}

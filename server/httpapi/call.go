package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
	"marquee/server/order"
	"marquee/server/requestid"
)

// request is a call whose form has been decoded and whose caller has been identified as far as its route requires.
type request struct {
	*http.Request
	writer http.ResponseWriter // for cookies only: the dispatcher writes the answer
	form   *wire.Form

	backend wire.Backend // whose envelope the answer has

	session account.Session // set on routes with the trait buyer
	user    account.User    // the buyer of the session
}

// call serves a route. It returns the answer in the envelope of the request's backend.
type call func(ctx context.Context, r *request) (*wire.Text, error)

// Sessions finds the buyer of a token.
type Sessions interface {
	// Session returns account.ErrLoginRequired unless the token belongs to a live session.
	Session(ctx context.Context, token string) (account.Session, error)
}

// dispatcher decodes requests, checks what their routes require, makes the calls and writes the answers.
type dispatcher struct {
	channel   wire.Channel
	wireNow   func() time.Time
	sessions  Sessions
	passwords rateLimiter
	reads     rateLimiter // limits what requests without a session read from providers

	undeclared func(path, code string)
}

// handler returns the HTTP handler of a route. A POST has its fields in the form, and a GET in the query.
func (d dispatcher) handler(rt route) http.HandlerFunc {
	return func(w http.ResponseWriter, hr *http.Request) {
		f, err := d.readForm(w, hr, rt)
		if err != nil {
			wire.Fail(w, hr, err)
			return
		}
		ctx, cancel := context.WithTimeout(d.reads.limitReads(w, hr, func() bool {
			_, err := d.sessions.Session(hr.Context(), tokenOf(hr, f))
			return err == nil
		}), durations.Call)
		defer cancel()
		ctx = account.WithClient(ctx, clientIP(hr), hr.UserAgent())
		for _, value := range f.Fields() {
			requestid.NoteOrder(ctx, value)
		}
		r := &request{Request: hr, writer: w, form: f, backend: wire.BackendOf(rt.path)}
		if rt.traits.has(buyer) {
			if err = d.identify(ctx, r, rt); err != nil {
				wire.Fail(w, hr, err)
				return
			}
		}
		if rt.traits.has(passwordRate) && f.Fields()["pass"] != "" && d.passwords.rejects(w, hr) {
			return
		}
		answer, err := rt.call(ctx, r)
		if err == nil {
			err = f.Err() // if the call ignored the error of a field
		}
		if err != nil {
			wire.Fail(w, hr, d.declaredError(rt, err))
			return
		}
		wire.WriteAnswer(w, hr, answer)
	}
}

// declaredError returns an error that the route declares. Any other error, such as an unexpected rejection by a
// provider, becomes fault.ErrUnavailable, or fault.ErrInternal if it is not certain that nothing was done.
func (d dispatcher) declaredError(rt route, err error) error {
	f := fault.Of(err)
	if rt.declares(f) {
		return err
	}
	if d.undeclared != nil {
		d.undeclared(rt.path, f.Code)
	}
	answer := fault.ErrInternal
	if fault.OutcomeKnown(err) && rt.declares(fault.ErrUnavailable) {
		answer = fault.ErrUnavailable
	}
	return fmt.Errorf("%w: the call does not declare: %w", answer, err)
}

// identify finds the session of a request, and checks that it has the access that the route requires.
func (d dispatcher) identify(ctx context.Context, r *request, rt route) (err error) {
	if r.session, err = d.sessions.Session(ctx, r.form.Fields()["token"]); err != nil {
		return err
	}
	r.user = r.session.User
	requestid.NoteAccount(ctx, r.user.ID)
	switch {
	case rt.traits.has(trusted):
		return r.session.Trusted()
	case !rt.traits.has(anyAccess):
		return r.session.Owner()
	}
	return nil
}

// tokenOf returns the token of a call: the field token, or if that is missing the bearer token in the header
// Authorization.
func tokenOf(hr *http.Request, f *wire.Form) string {
	if token := f.Fields()["token"]; token != "" {
		return token
	}
	token, _ := strings.CutPrefix(hr.Header.Get("Authorization"), "Bearer ")
	return token
}

// readForm decodes the fields and checks the channel number, which a GET may omit, and the signature.
func (d dispatcher) readForm(w http.ResponseWriter, hr *http.Request, rt route) (*wire.Form, error) {
	if rt.method == http.MethodGet {
		f, err := wire.ParseForm(hr.URL.RawQuery)
		if err != nil {
			return nil, err
		}
		if no, given := f.Fields()["channel_no"]; given && no != d.channel.No {
			return nil, wire.ErrChannel
		}
		return f, nil
	}
	f, err := wire.ReadForm(w, hr)
	if err != nil {
		return nil, err
	}
	if f.Fields()["channel_no"] != d.channel.No {
		return nil, wire.ErrChannel
	}
	if rt.traits.has(signed) {
		return f, d.channel.Verify(f.Fields(), d.wireNow())
	}
	return f, nil
}

// publicAnswers returns a function that finds, by its path, a call that needs no session. Package pages makes such
// calls inside the server, and sends their answers together with a page.
func publicAnswers(routes []route) func(path string) (pages.Answer, bool) {
	public := map[string]call{}
	for _, rt := range routes {
		if !rt.traits.has(buyer) {
			public[rt.path] = rt.call
		}
	}
	return func(path string) (pages.Answer, bool) {
		do, found := public[path]
		return func(ctx context.Context, fields url.Values) (*wire.Text, error) {
			f := wire.NewForm(fields)
			bare := (&http.Request{Header: http.Header{}}).WithContext(ctx) // nothing of the visitor's request
			answer, err := do(ctx, &request{Request: bare, form: f, backend: wire.BackendOf(path)})
			return answer, errors.Join(err, f.Err())
		}, found
	}
}

// token returns the token of the session.
func (r *request) token() string { return r.form.Fields()["token"] }

// hides reports whether the codes that an order delivered are hidden from the session, because its access is limited
// and the order was not made with that access.
func (r *request) hides(o order.Order) bool {
	return !r.session.ShowsCodes(o.Snapshot.LimitedAccess, o.CreatedAt)
}

// hasLimitedAccess reports whether the session has limited access: the phone with which its holder logged in was not
// proven for a long time, so that the number may have a new owner.
func (r *request) hasLimitedAccess() bool { return r.session.Access == account.LimitedAccess }

// openID returns the identity that the session pays with, "" for none.
func (r *request) openID(ctx context.Context, from Identities) (string, error) {
	if r.hasLimitedAccess() {
		return r.session.OpenID, nil
	}
	return from.OpenID(ctx, r.user.ID)
}

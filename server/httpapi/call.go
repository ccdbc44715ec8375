package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"marquee/server/account"
)

// callLimit bounds one call; the app itself gives up after 15 s.
const callLimit = 20 * time.Second

// request is a call whose form is decoded and whose caller is known as far as the call asks.
type request struct {
	*http.Request
	writer http.ResponseWriter // for cookies only
	form   *form
	user   account.User // set for calls of a logged-in buyer
}

// run does what a call is for; what it returns becomes the envelope's data.
type run func(ctx context.Context, r *request) (any, error)

// need is what a call asks of its caller.
type need int

const (
	anyone need = 0
	signed need = 1 << (iota - 1) // the channel signature over the form
	buyer                         // a live session in the field token
)

// Sessions tells who a token stands for.
type Sessions interface {
	// Session fails with account.ErrLoginRequired.
	Session(ctx context.Context, token string) (account.User, error)
}

// post is a call that takes a form.
func (h *handler) post(b backend, needs need, do run) http.HandlerFunc {
	return func(w http.ResponseWriter, hr *http.Request) {
		f, err := readForm(w, hr)
		if err != nil {
			h.fail(w, hr, b, err)
			return
		}
		if f.fields["channel_no"] != h.Channel.No {
			h.fail(w, hr, b, ErrChannel)
			return
		}
		if needs&signed != 0 {
			if err := h.Channel.verify(f.fields, h.WireNow()); err != nil {
				h.fail(w, hr, b, err)
				return
			}
		}
		h.serve(w, hr, b, needs, f, do)
	}
}

// get is a read whose parameters stand in the query.
func (h *handler) get(b backend, do run) http.HandlerFunc {
	return func(w http.ResponseWriter, hr *http.Request) {
		f, err := parseForm(hr.URL.RawQuery)
		if err != nil {
			h.fail(w, hr, b, err)
			return
		}
		if no, given := f.fields["channel_no"]; given && no != h.Channel.No {
			h.fail(w, hr, b, ErrChannel)
			return
		}
		h.serve(w, hr, b, anyone, f, do)
	}
}

func (h *handler) serve(w http.ResponseWriter, hr *http.Request, b backend, needs need, f *form, do run) {
	ctx, cancel := context.WithTimeout(hr.Context(), callLimit)
	defer cancel()
	r := &request{Request: hr, writer: w, form: f}
	if needs&buyer != 0 {
		user, err := h.Accounts.Session(ctx, f.fields["token"])
		if err != nil {
			h.fail(w, hr, b, err)
			return
		}
		r.user = user
	}
	data, err := do(ctx, r)
	if err == nil {
		err = f.err // a field that was read and found wrong must not pass, even where a call forgot to look
	}
	if err != nil {
		h.fail(w, hr, b, err)
		return
	}
	writeJSON(w, http.StatusOK, b.success(data))
}

// clientIP is the buyer's address as far as it can be trusted, for limits only.
func clientIP(r *http.Request) string { return middleware.GetClientIP(r.Context()) }

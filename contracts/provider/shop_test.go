//go:build pact

package provider_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"marquee/e2e/harness"
	"marquee/server/app"
)

// shop is a running shop. States are set over HTTP, as by buyers.
type shop struct {
	*harness.Stack
	aged  *harness.Stack // another shop, for states that move the clock by months, after which it sells no tickets
	bound values         // what the current state returned
}

// TestShop verifies what the web app expects of the shop.
func TestShop(t *testing.T) {
	s := openShop(t)
	verify(t, subject{
		consumer: "marquee-web", name: "marquee-shop", states: s.states(),
		reset: s.reset, bind: func(v values) { s.bound = v }, front: resign(s.HTTP, s.sign),
	})
}

func openShop(t *testing.T) *shop {
	t.Helper()
	return &shop{
		Stack: harness.New(t, harness.Options{Demo: true, Configure: func(c *app.Config) { c.WeChat.H5 = true }}),
		aged:  harness.New(t, harness.Options{Demo: true}),
	}
}

// reset removes the values and faults of the previous state.
func (s *shop) reset() {
	s.bound = nil
	s.Sims.Default().Faults().Clear()
}

// errStateFailed is the answer to the verifier when a state could not be set. The test's log has the reason.
var errStateFailed = errors.New("the state could not be set")

// state turns a function that sets a state into a state handler. Handlers run in goroutines of the verifier, where a
// failed requirement must not end the goroutine: it becomes an error.
func (s *shop) state(set func() values) state {
	return func() (v values, err error) {
		done := make(chan struct{})
		err = errStateFailed
		go func() {
			defer close(done)
			v = set()
			err = nil
		}()
		<-done
		return v, err
	}
}

// sign replaces the fields of a request by the values of the state with the same names, signs it if necessary, and
// sends it to the shop in which the state was set. Fields without a value stay as in the pact.
func (s *shop) sign(r *http.Request, body []byte) ([]byte, error) {
	address := s.URL
	if s.bound["aged"] == true {
		address = s.aged.URL
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	query := r.URL.Query()
	s.fill(query)
	u.Path, u.RawQuery = r.URL.Path, query.Encode()
	r.URL, r.Host = u, u.Host
	if cookie, ok := s.bound["cookie"].(string); ok {
		r.Header.Set("Cookie", cookie)
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return body, nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	s.fill(form)
	s.Seal(u.Path, form)
	return []byte(form.Encode()), nil
}

func (s *shop) fill(fields url.Values) {
	for name, v := range s.bound {
		if text, ok := v.(string); ok && fields.Has(name) {
			fields.Set(name, text)
		}
	}
	if fields.Has("channel_no") {
		fields.Set("channel_no", s.Channel().ChannelNo)
	}
}

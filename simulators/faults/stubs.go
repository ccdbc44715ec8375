package faults

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marquee/simulators/schema"
	"marquee/simulators/testclock"
)

const maxStubs = 200

// Stub answers calls of a provider that are not simulated. Path, query, headers and body are patterns, in which *
// matches any characters. A call matches if all of them match.
type Stub struct {
	// ID is assigned by the plan.
	ID string `json:"id" only:"answer"`
	// Provider is the name of a provider.
	Provider string `json:"provider"`
	// Method is the HTTP method, such as POST; missing: any.
	Method string `json:"method,omitempty"`
	// Path is a pattern; missing: any.
	Path string `json:"path,omitempty"`
	// Query maps names of query parameters to patterns of their values. The call must have all of these parameters.
	Query map[string]string `json:"query,omitempty"`
	// Headers maps names of headers to patterns of their values. The call must have all of these headers.
	Headers map[string]string `json:"headers,omitempty"`
	// Body is a pattern of the entire body; missing: any.
	Body string `json:"body,omitempty"`
	// Answer is the answer to the call.
	Answer StubAnswer `json:"answer"`

	// Times is the number of calls that are answered; 0 or missing: every one.
	Times int `json:"times,omitempty" min:"0"`
	// ExpiresIn is the number of real seconds until the stub is removed; 0 or missing: never.
	ExpiresIn int `json:"expires_in,omitempty" min:"0" max:"2592000"`
	// ExpiresAt is the real time at which the stub is removed.
	ExpiresAt *time.Time `json:"expires_at,omitempty" only:"answer"`
	// Hits is the number of calls answered so far.
	Hits int `json:"hits" only:"answer"`
}

// StubAnswer is the answer of a stub.
type StubAnswer struct {
	// Status is the HTTP status. If it is missing, it is 200.
	Status int `json:"status,omitempty" min:"200" max:"599"`
	// Headers are the headers of the answer, by name.
	Headers map[string]string `json:"headers,omitempty"`
	// Body is a text with placeholders for values of the call: {{json a.b.0}}, {{form name}}, {{query name}}, {{header
	// Name}}, {{path}}, {{method}}, {{now}} (business time), {{unix}} and {{uuid}}. With quote, as in {{quote json
	// a.b}}, the value is a JSON string.
	Body string `json:"body,omitempty"`
	// LatencyMS is the number of real milliseconds before the answer.
	LatencyMS int `json:"latency_ms,omitempty" min:"0" max:"600000"`
}

// Stubs holds the stubs of a world. It is safe for concurrent use.
type Stubs struct {
	mu      sync.Mutex
	list    []*compiledStub // oldest first
	last    int             // the highest assigned id
	changed func()
}

// StubsState is the stubs' part of a snapshot.
type StubsState struct {
	// Stubs are the stubs, oldest first.
	Stubs []Stub `json:"stubs"`
	// LastID is the last assigned id.
	LastID int `json:"last_id"`
}

// compiledStub is a stub with its patterns compiled.
type compiledStub struct {
	Stub
	path, body     *regexp.Regexp // nil: any
	query, headers map[string]*regexp.Regexp
}

// compile compiles the patterns of a stub and checks its body. The error is an *Invalid.
func compile(s Stub) (*compiledStub, error) {
	if problem := schema.Check(s); problem != nil {
		return nil, invalid("%s", problem)
	}
	switch {
	case s.Method != strings.ToUpper(s.Method):
		return nil, invalid("method must be in capitals, such as POST")
	case s.Method != "" && !httpToken.MatchString(s.Method):
		return nil, invalid("method is not an HTTP method")
	case s.Path == "" && s.Body == "" && len(s.Headers) == 0:
		return nil, invalid("a stub needs path, headers or body to select its calls")
	case s.Path != "" && !strings.HasPrefix(s.Path, "/") && !strings.HasPrefix(s.Path, "*"):
		return nil, invalid("path must begin with / or *")
	case s.Answer.Body != "" && withoutBody(s.Answer.Status):
		return nil, invalid("an answer of status %d has no body", s.Answer.Status)
	}
	for name := range s.Headers {
		if !httpToken.MatchString(name) {
			return nil, invalid("headers: %s is not the name of a header", name)
		}
	}
	for name, value := range s.Answer.Headers {
		own := slices.Contains(ownHeaders, http.CanonicalHeaderKey(name))
		if own || !httpToken.MatchString(name) || strings.ContainsAny(value, "\r\n\x00") {
			return nil, invalid("answer.headers: %s cannot be set", name)
		}
	}
	c := &compiledStub{Stub: s, query: map[string]*regexp.Regexp{}, headers: map[string]*regexp.Regexp{}}
	if s.Path != "" {
		c.path = pattern(s.Path)
	}
	if s.Body != "" {
		c.body = pattern(s.Body)
	}
	for name, value := range s.Query {
		c.query[name] = pattern(value)
	}
	for name, value := range s.Headers {
		c.headers[http.CanonicalHeaderKey(name)] = pattern(value)
	}
	return c, checkBody(s.Answer.Body)
}

var (
	httpToken  = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")           // a method, or the name of a header
	ownHeaders = []string{"Content-Length", "Transfer-Encoding", "Connection"} // set by the server
)

// simulatedCall returns a simulated call that matches the stub, such as "POST /gateway", and its operation. Both are ""
// if the stub's calls are not simulated. A path with a * is not checked, since it may match calls that are not
// simulated. Without a method, GET and POST are tried.
func (s Stub) simulatedCall(operations []func(*http.Request, []byte) string) (call, operation string) {
	if strings.Contains(s.Path, "*") {
		return "", ""
	}
	methods := []string{s.Method}
	if s.Method == "" {
		methods = []string{http.MethodGet, http.MethodPost}
	}
	for _, method := range methods {
		r := &http.Request{Method: method, URL: &url.URL{Path: cmp.Or(s.Path, "/")}, Header: http.Header{}}
		query := url.Values{}
		for name, value := range s.Query {
			if !strings.Contains(value, "*") {
				query.Set(name, value)
			}
		}
		r.URL.RawQuery = query.Encode()
		for name, value := range s.Headers {
			if !strings.Contains(value, "*") {
				r.Header.Set(name, value)
			}
		}
		for _, operationOf := range operations {
			if operation := operationOf(r, []byte(s.Body)); operation != "" {
				return method + " " + r.URL.Path, operation
			}
		}
	}
	return "", ""
}

// pattern compiles a text in which * matches any characters.
func pattern(text string) *regexp.Regexp {
	parts := strings.Split(text, "*")
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(part)
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, ".*") + `$`)
}

// fits reports whether a call of a provider matches the stub.
func (c *compiledStub) fits(provider string, r *http.Request, query url.Values, body []byte, now time.Time) bool {
	if c.Provider != provider || c.Method != "" && c.Method != r.Method || c.Times > 0 && c.Hits >= c.Times ||
		c.ExpiresAt != nil && !now.Before(*c.ExpiresAt) ||
		c.path != nil && !c.path.MatchString(r.URL.Path) || c.body != nil && !c.body.Match(body) {
		return false
	}
	for name, want := range c.query {
		if !want.MatchString(query.Get(name)) || !query.Has(name) {
			return false
		}
	}
	for name, want := range c.headers {
		if !want.MatchString(strings.Join(r.Header[name], ", ")) || len(r.Header[name]) == 0 {
			return false
		}
	}
	return true
}

// Add adds a stub and returns it with its id. The newest stub that matches a call answers it. The error is an *Invalid.
func (s *Stubs) Add(stub Stub) (Stub, error) {
	stub.Hits, stub.ExpiresAt = 0, nil
	compiled, err := compile(stub)
	if err != nil {
		return Stub{}, err
	}
	if stub.ExpiresIn > 0 {
		end := time.Now().In(testclock.Zone).Add(time.Duration(stub.ExpiresIn) * time.Second).Round(0)
		compiled.ExpiresAt = &end
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired()
	if len(s.list) >= maxStubs {
		return Stub{}, invalid("there are %d stubs already; remove some", maxStubs)
	}
	s.last++
	compiled.ID = strconv.Itoa(s.last)
	s.list = append(s.list, compiled)
	s.changed()
	return compiled.Stub, nil
}

// dropExpired removes expired stubs. The caller holds the lock.
func (s *Stubs) dropExpired() {
	now := time.Now()
	s.list = slices.DeleteFunc(s.list, func(c *compiledStub) bool {
		return c.ExpiresAt != nil && !now.Before(*c.ExpiresAt)
	})
}

// List returns the stubs that have not expired, oldest first.
func (s *Stubs) List() []Stub {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired()
	return each(s.list, func(c *compiledStub) Stub { return c.Stub })
}

// Remove removes the stub with the id, or all stubs if id is "". It returns how many it removed.
func (s *Stubs) Remove(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.list)
	s.list = slices.DeleteFunc(s.list, func(c *compiledStub) bool { return id == "" || c.ID == id })
	removed := before - len(s.list)
	if removed > 0 {
		s.changed()
	}
	return removed
}

// take returns the newest stub that matches a call, and counts the call in the stub's Hits. It returns nil if none
// matches.
func (s *Stubs) take(provider string, r *http.Request, body []byte) *compiledStub {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return nil
	}
	query, now := r.URL.Query(), time.Now()
	for _, c := range slices.Backward(s.list) {
		if c.fits(provider, r, query, body, now) {
			c.Hits++
			s.changed()
			return c
		}
	}
	return nil
}

// Save returns the stubs for a snapshot.
func (s *Stubs) Save() StubsState {
	list := s.List()
	s.mu.Lock()
	defer s.mu.Unlock()
	return StubsState{list, s.last}
}

// Load replaces the stubs with those of a snapshot. The error contains the id of the invalid stub.
func (s *Stubs) Load(saved StubsState) error {
	var list []*compiledStub
	for _, stub := range saved.Stubs {
		compiled, err := compile(stub)
		if err != nil {
			return fmt.Errorf("stub %s: %w", stub.ID, err)
		}
		list = append(list, compiled)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list, s.last = list, saved.LastID
	return nil
}

// write sends the stub's answer with a body whose placeholders are already replaced.
func (c *compiledStub) write(w http.ResponseWriter, body string) {
	if body != "" && w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Answer.Headers)) {
		w.Header().Set(name, c.Answer.Headers[name])
	}
	w.WriteHeader(cmp.Or(c.Answer.Status, http.StatusOK))
	if body != "" {
		_, _ = w.Write([]byte(body)) // fails only if the client is gone
	}
}

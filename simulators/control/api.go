package control

import (
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

const (
	maxBody     = 64 << 10
	maxSnapshot = 32 << 20
	maxWaiting  = 2000 // long polls at once
)

// Handler serves /sim/v1 and the console, which may be nil, at /. A browser may change things only from a page of the
// same origin, so that no other web page can move the clock of a developer's machine.
func Handler(worlds Worlds, console fs.FS) http.Handler {
	a := &api{worlds: worlds, waiting: make(chan struct{}, maxWaiting)}
	mux := http.NewServeMux()
	for pattern, call := range a.calls() {
		mux.Handle(pattern, a.endpoint(call))
		method, at, _ := strings.Cut(pattern, " ")
		a.paths = append(a.paths, at)
		a.routes = append(a.routes, route{method, at})
	}
	mux.HandleFunc("/sim/v1/", a.unknown)
	mux.HandleFunc("/sim/v1", a.unknown)
	mux.Handle("/", pages(console, slices.Clone(a.routes)))
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeError(w, &Error{http.StatusForbidden, "cross_origin", "a page of another origin may not change the simulators"})
	}))
	return protection.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/sim/v1/") && path.Clean(r.URL.Path) != strings.TrimSuffix(r.URL.Path, "/") {
			a.notFound(w, r) // the mux would send the caller on to a path that was not asked for
			return
		}
		mux.ServeHTTP(w, r)
	}))
}

// Routes lists every call of the API, "GET /sim/v1/clock" and so on, in order.
func Routes() []string {
	return slices.Sorted(maps.Keys((&api{}).calls()))
}

// calls is the API. Each call stands in openapi.json too, which tests hold it to.
func (a *api) calls() map[string]call {
	return map[string]call{
		"GET /sim/v1/openapi.json": {run: a.openapi},

		"GET /sim/v1/worlds":         {run: a.listWorlds},
		"POST /sim/v1/worlds":        {run: a.createWorld},
		"GET /sim/v1/worlds/{id}":    {run: a.describeWorld},
		"PATCH /sim/v1/worlds/{id}":  {run: a.changeWorld},
		"DELETE /sim/v1/worlds/{id}": {run: a.deleteWorld, bare: true},

		"GET /sim/v1/worlds/{id}/snapshot": {run: a.snapshot},
		"POST /sim/v1/worlds/{id}/restore": {run: a.restoreInto, body: maxSnapshot},
		"POST /sim/v1/worlds/{id}/fork":    {run: a.fork},
		"POST /sim/v1/worlds/{id}/reset":   {run: a.resetWorld, bare: true},
		"POST /sim/v1/worlds/restore":      {run: a.restore, body: maxSnapshot, query: []string{"id", "app_url", "push_url"}},

		"GET /sim/v1/health":            {in: a.health},
		"GET /sim/v1/clock":             {in: a.clock},
		"POST /sim/v1/clock/advance":    {in: a.advance},
		"POST /sim/v1/clock/freeze":     {in: a.freeze, bare: true},
		"POST /sim/v1/clock/resume":     {in: a.resume, bare: true},
		"POST /sim/v1/clock/reset":      {in: a.resetClock, bare: true},
		"GET /sim/v1/faults":            {in: a.listFaults},
		"POST /sim/v1/faults":           {in: a.addFault},
		"DELETE /sim/v1/faults":         {in: a.removeFaults, bare: true, query: []string{"id"}},
		"DELETE /sim/v1/faults/{id}":    {in: a.removeFaults, bare: true},
		"GET /sim/v1/journal":           {in: a.listJournal, query: append(journalFilter, "limit")},
		"GET /sim/v1/journal/count":     {in: a.countJournal, query: journalFilter},
		"GET /sim/v1/journal/wait":      {in: a.waitJournal, query: append(journalFilter, "limit", "timeout")},
		"DELETE /sim/v1/journal":        {in: a.clearJournal, bare: true},
		"GET /sim/v1/sms/messages":      {in: a.listMessages, query: []string{"phone"}},
		"GET /sim/v1/sms/messages/next": {in: a.nextMessage, query: []string{"phone", "after", "timeout"}},
		"DELETE /sim/v1/sms/messages":   {in: a.forgetMessages, bare: true, query: []string{"phone"}},
		"POST /sim/v1/wechat/pay":       {in: a.pay},
		"GET /sim/v1/catalogue":         {in: a.catalogue},

		"GET /sim/v1/events":                    {stream: a.events, query: []string{"topics", "after"}},
		"GET /sim/v1/cities":                    {in: a.listCities, query: append(pagingFields, "contains")},
		"GET /sim/v1/cinemas":                   {in: a.listCinemas, query: append(pagingFields, "provider", "city", "contains")},
		"GET /sim/v1/films":                     {in: a.listFilms, query: append(pagingFields, "state", "contains")},
		"GET /sim/v1/showings":                  {in: a.listShowings, query: append(pagingFields, "provider", "city", "cinema", "film", "day")},
		"GET /sim/v1/showings/{id}/seats":       {in: a.listSeats},
		"POST /sim/v1/showings/{id}/seats/sell": {in: a.sellSeats},
		"POST /sim/v1/showings/{id}/seats/free": {in: a.freeSeats},
		"GET /sim/v1/orders":                    {in: a.listOrders, query: append(pagingFields, "provider", "kind", "state", "showing", "contains")},
	}
}

type api struct {
	worlds  Worlds
	paths   []string
	routes  []route
	waiting chan struct{} // one for each long poll
}

type route struct{ method, path string }

// call is one call of the API: its value is the JSON answer, its error the JSON error.
type call struct {
	run func(*http.Request) (int, any, error)         // about worlds as such
	in  func(*World, *http.Request) (int, any, error) // in the world that ?world= names
	// stream answers by itself, until its client or its world is gone; an error comes before the answer.
	stream func(*World, http.ResponseWriter, *http.Request) error
	query  []string // its parameters, besides world
	body   int64    // how large a body it takes; 0: maxBody
	bare   bool     // it changes something and takes no field
}

func (a *api) endpoint(c call) http.Handler {
	limit := c.body
	if limit == 0 {
		limit = maxBody
	}
	valid := c.query
	if c.run == nil {
		valid = append(slices.Clone(c.query), "world")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > limit {
			writeError(w, tooLarge(limit))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		if c.stream != nil {
			a.serveStream(c, valid, w, r)
			return
		}
		status, answer, err := a.serve(c, valid, r)
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, status, answer)
	})
}

func (a *api) serve(c call, valid []string, r *http.Request) (int, any, error) {
	if err := checkQuery(r, valid); err != nil {
		return 0, nil, err
	}
	if err := contentType(r); err != nil {
		return 0, nil, err
	}
	if c.bare {
		if err := decodeOptional(r, &struct{}{}, "none"); err != nil {
			return 0, nil, err
		}
	}
	if c.in == nil {
		return c.run(r)
	}
	world, err := a.worlds.World(r.URL.Query().Get("world"))
	if err != nil {
		return 0, nil, err
	}
	return c.in(world, r)
}

func (a *api) serveStream(c call, valid []string, w http.ResponseWriter, r *http.Request) {
	err := checkQuery(r, valid)
	if err == nil {
		var world *World
		if world, err = a.worlds.World(r.URL.Query().Get("world")); err == nil {
			err = c.stream(world, w, r)
		}
	}
	if err != nil {
		writeError(w, err)
	}
}

func checkQuery(r *http.Request, valid []string) error {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return bad("bad_query", "the query cannot be read: %s", err)
	}
	for name, values := range q {
		if !slices.Contains(valid, name) {
			return bad("unknown_parameter", "unknown parameter %q; valid: %s", name, strings.Join(valid, ", "))
		}
		if len(values) > 1 {
			return bad("repeated_parameter", "%s stands %d times", name, len(values))
		}
	}
	return nil
}

// unknown answers a path or a method that does not exist.
func (a *api) unknown(w http.ResponseWriter, r *http.Request) {
	var methods []string
	for _, known := range a.routes {
		if fits(known.path, r.URL.Path) {
			methods = append(methods, known.method)
		}
	}
	if len(methods) > 0 {
		slices.Sort(methods)
		w.Header().Set("Allow", strings.Join(methods, ", "))
		writeError(w, &Error{http.StatusMethodNotAllowed, "method_not_allowed", r.Method + " is not possible at " + r.URL.Path + "; valid: " + strings.Join(methods, ", ")})
		return
	}
	a.notFound(w, r)
}

func (a *api) notFound(w http.ResponseWriter, r *http.Request) {
	paths := slices.Compact(slices.Sorted(slices.Values(a.paths)))
	writeError(w, &Error{http.StatusNotFound, "not_found", "unknown path " + r.URL.Path + "; valid: " + strings.Join(paths, ", ")})
}

package simulators

import (
	"net/http"
	"strings"

	"marquee/simulators/control"
	"marquee/simulators/wechat"
)

// worldPrefix begins paths that name their world outright: /worlds/{id}/art/….
const worldPrefix = "/worlds/"

// router chooses a mount by Host header, then by path, and a world by the call's credential.
type router struct {
	sims      *Simulators
	control   http.Handler // everything else
	hosts     map[string]mountID
	subdomain map[string]mountID // by ".inapp.localhost"
	headers   map[string]mountID
	paths     map[string]mountID
}

func newRouter(s *Simulators, control http.Handler) *router {
	r := &router{
		sims: s, control: control,
		hosts: map[string]mountID{}, subdomain: map[string]mountID{}, headers: map[string]mountID{}, paths: map[string]mountID{},
	}
	for i := range mountCount {
		m := &mounts[i]
		for _, host := range m.hosts {
			if parent, ok := strings.CutPrefix(host, "*"); ok {
				r.subdomain[parent] = i
			} else {
				r.hosts[host] = i
			}
		}
		if m.header != "" {
			r.headers[m.header] = i
		}
		for _, path := range m.paths {
			r.paths[path] = i
		}
	}
	return r
}

func (r *router) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	host := hostname(q.Host)
	if i, ok := r.hosts[host]; ok {
		r.serve(i, w, q)
		return
	}
	for parent, i := range r.subdomain {
		if label, ok := strings.CutSuffix(host, parent); ok {
			if strings.Contains(label, ".") {
				unknownHost(w, host)
				return
			}
			r.serve(i, w, q)
			return
		}
	}
	for name, i := range r.headers {
		if len(q.Header[name]) > 0 {
			r.serve(i, w, q)
			return
		}
	}
	if rest, ok := strings.CutPrefix(q.URL.Path, worldPrefix); ok {
		r.serveNamed(rest, w, q)
		return
	}
	if i, ok := r.byPath(q.URL.Path); ok {
		r.serve(i, w, q)
		return
	}
	r.control.ServeHTTP(w, q)
}

// byPath finds the mount with the longest prefix of a path.
func (r *router) byPath(path string) (mountID, bool) {
	for path != "" {
		if i, ok := r.paths[path]; ok {
			return i, true
		}
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return 0, false
}

// serve answers in the world of the call's credential.
func (r *router) serve(i mountID, w http.ResponseWriter, q *http.Request) {
	key := mounts[i].key(q)
	found := r.sims.base
	if key.value != "" {
		if other := r.sims.worlds.find(key); other != nil {
			found = other
		} else if key.kind == byWorld {
			unknownWorld(w, key.value)
			return
		}
	}
	found.serve(i, w, q)
}

// serveNamed answers /worlds/{id}/… as the same path without this beginning, in that world.
func (r *router) serveNamed(rest string, w http.ResponseWriter, q *http.Request) {
	id, rest, _ := strings.Cut(rest, "/")
	found := r.sims.worlds.find(credential{byWorld, id})
	i, ok := r.byPath("/" + rest)
	switch {
	case found == nil:
		unknownWorld(w, id)
	case !ok:
		writeControlError(w, &control.Error{Status: http.StatusNotFound, Code: "not_found", Message: "no provider answers at /" + rest + "; in /worlds/" + id + " are the same paths as without it"})
	default:
		q = q.Clone(q.Context())
		q.URL.Path, q.URL.RawPath = "/"+rest, ""
		found.serve(i, w, q)
	}
}

func unknownWorld(w http.ResponseWriter, id string) { writeControlError(w, noWorld(id)) }

func unknownHost(w http.ResponseWriter, host string) {
	writeControlError(w, &control.Error{
		Status: http.StatusNotFound, Code: "unknown_host",
		Message: host + " is no host of the phone; valid: " + wechat.AppHost + ", {world}." + wechat.AppHost + ", {port}." + wechat.AppHost + ", phone." + wechat.AppHost,
	})
}

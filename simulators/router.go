package simulators

import (
	"cmp"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"marquee/simulators/control"
	"marquee/simulators/faults"
	"marquee/simulators/ownname"
	"marquee/simulators/provider"
	"marquee/simulators/wechat"
)

// worldPrefix is the start of paths that contain the id of their world: /worlds/{id}/art/….
const worldPrefix = "/worlds/"

// router finds the mount (a provider's entry in the router) of a call by its Host header, a vendor's header, its path
// or a vendor's parameter, in this order. It finds the world by the call's credential. Calls without a mount go to the
// control API and the console.
type router struct {
	sims       *Simulators
	control    http.Handler
	mounts     []provider.Mount // of the default world; only their rules are used, not their handlers
	hosts      map[string]int   // this and the maps below have the index of the mount
	subdomains map[string]int   // by the parent domain, such as ".inapp.localhost"
	headers    map[string]int
	parameters map[string]int
	paths      map[string]int
}

func newRouter(s *Simulators, controlAPI http.Handler) *router {
	r := &router{
		sims: s, control: controlAPI, mounts: s.base.content.Load().mounts,
		hosts: map[string]int{}, subdomains: map[string]int{}, headers: map[string]int{}, parameters: map[string]int{},
		paths: map[string]int{},
	}
	for i, m := range r.mounts {
		for _, host := range m.Hosts {
			if parent, ok := strings.CutPrefix(host, "*"); ok {
				r.subdomains[parent] = i
			} else {
				r.hosts[host] = i
			}
		}
		if m.Header != "" {
			r.headers[m.Header] = i
		}
		if m.Parameter != "" {
			r.parameters[m.Parameter] = i
		}
		for _, path := range m.Paths {
			r.paths[path] = i
		}
	}
	return r
}

// ServeHTTP passes a call to the handler of its mount, or to the control API.
func (r *router) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	host := ownname.Of(q.Host)
	if i, ok := r.hosts[host]; ok {
		r.serve(i, w, q)
		return
	}
	for parent, i := range r.subdomains {
		if label, ok := strings.CutSuffix(host, parent); ok {
			if strings.Contains(label, ".") {
				control.WriteError(w, unknownHost(host))
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
	if i, ok := r.byParameter(q); ok {
		r.serve(i, w, q)
		return
	}
	r.control.ServeHTTP(w, q)
}

// byParameter finds the mount of a call outside the control API by a parameter of its query, or of its form.
func (r *router) byParameter(q *http.Request) (int, bool) {
	if strings.HasPrefix(q.URL.Path, "/sim/") || q.URL.RawQuery == "" && q.Method != http.MethodPost {
		return 0, false
	}
	parameters := q.URL.Query()
	kind, _, _ := mime.ParseMediaType(q.Header.Get("Content-Type"))
	if q.Method == http.MethodPost && kind == "application/x-www-form-urlencoded" {
		form, _ := url.ParseQuery(string(faults.Peek(q))) // a form that cannot be decoded has no parameters
		maps.Copy(parameters, form)
	}
	for name, i := range r.parameters {
		if parameters.Has(name) {
			return i, true
		}
	}
	return 0, false
}

// byPath finds the mount with the longest prefix of a path.
func (r *router) byPath(path string) (int, bool) {
	for path != "" {
		if i, ok := r.paths[path]; ok {
			return i, true
		}
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return 0, false
}

// serve answers a call in the world of its credential, or in the default world if it has none. If no world has the
// credential, the default world rejects the call in the provider's format. If the credential is the id of a world that
// does not exist, serve itself rejects the call.
func (r *router) serve(mount int, w http.ResponseWriter, q *http.Request) {
	world := r.sims.base
	if read := r.mounts[mount].Credential; read != nil {
		if credential := read(q); credential.Value != "" {
			found := r.sims.worlds.find(credential)
			switch {
			case found != nil:
				world = found
			case credential.Kind == provider.World:
				control.WriteError(w, control.UnknownWorld(credential.Value))
				return
			}
		}
	}
	world.serve(mount, w, q)
}

// serveNamed serves /worlds/{id}/… in that world, by the path after the id.
func (r *router) serveNamed(rest string, w http.ResponseWriter, q *http.Request) {
	id, rest, _ := strings.Cut(rest, "/")
	world := r.sims.worlds.byID(id)
	mount, ok := r.byPath("/" + rest)
	switch {
	case world == nil:
		control.WriteError(w, control.UnknownWorld(id))
	case !ok:
		control.WriteError(w, control.ErrNotFound.With(
			"no provider serves /%s; /worlds/%s has the same paths as the port itself", rest, id))
	default:
		q = q.Clone(q.Context())
		q.URL.Path, q.URL.RawPath = "/"+rest, ""
		world.serve(mount, w, q)
	}
}

// errUnknownHost rejects a host name under inapp.localhost that is not one of the simulated phone's.
var errUnknownHost = &control.Error{Status: http.StatusNotFound, Code: "unknown_host"}

func unknownHost(host string) *control.Error {
	const app = "." + wechat.AppHost
	return errUnknownHost.With("%s is not a host of the phone; valid: %s, {world}%s, {port}%s, phone%s",
		host, wechat.AppHost, app, app, app)
}

// ownHosts rejects calls whose Host header is not a name of this machine, of the listen address or of Options.Hosts.
// Otherwise, a web page with another name could read every key and move the clock (DNS rebinding). It does not protect
// providers, since their clients send the vendors' names.
type ownHosts struct {
	own  ownname.Names
	next http.Handler
}

// ServeHTTP rejects other hosts with 403 foreign_host.
func (h ownHosts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.own.Is(r.Host) {
		names := slices.DeleteFunc(slices.Clone(h.own), func(name string) bool { return ownname.Is(name) })
		control.WriteError(w, control.ErrForeignHost.With("%s is not a name of the simulators; valid: an IP address, "+
			"localhost, its subdomains, and the names of -sim-addr and -sim-hosts: %s", ownname.Of(r.Host),
			cmp.Or(strings.Join(names, ", "), "none")))
		return
	}
	h.next.ServeHTTP(w, r)
}

package simulators

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/newmovie"
	"marquee/simulators/testclock"
	"marquee/simulators/wechat"
)

// credential is what a call says about whose it is.
type credential struct {
	kind  credentialKind
	value string
}

type credentialKind uint8

const (
	byWorld        credentialKind = iota + 1 // a world's id, said outright
	byAppKey                                 // the gateway's
	byEntID                                  // newmovie's
	byBearer                                 // the key of newmovie's tokens
	byMchID                                  // the merchant's
	byAppID                                  // the public account's
	byAccountToken                           // the key of the account's and its users' tokens
	byAccessKey                              // of the SMS provider, in either dialect
)

func credentialsOf(w *World) []credential {
	c := w.credentials
	return []credential{
		{byWorld, w.ID()}, {byAppKey, c.Gateway.AppKey}, {byEntID, c.NewMovie.EntID}, {byBearer, newmovie.TokenKey(c.NewMovie.EntID)},
		{byMchID, c.WeChat.MchID}, {byAppID, c.WeChat.AppID}, {byAccountToken, wechat.TokenKey(c.WeChat.AppID)}, {byAccessKey, c.SMS.AccessKeyID}, {byAccessKey, c.Tencent.SecretID},
	}
}

// registry finds the world of a credential.
type registry struct {
	sims *Simulators

	mu     sync.RWMutex
	worlds map[string]*World // without the default one
	by     map[credential]*World
}

func newRegistry(s *Simulators) *registry {
	r := &registry{sims: s, worlds: map[string]*World{}, by: map[credential]*World{}}
	for _, c := range credentialsOf(s.base) {
		r.by[c] = s.base
	}
	return r
}

// find is the world of a credential, nil when there is none.
func (r *registry) find(c credential) *World {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.by[c]
}

var worldID = regexp.MustCompile(`^[a-z][a-z0-9-]{1,30}[a-z0-9]$`)

// reserved are names that mean something else where a world's could stand.
var reserved = []string{DefaultID, "phone", "inapp", "restore"}

// NewWorld makes a world. The error is a *control.Error: the id is taken or ill-formed, or there are too many worlds.
func (s *Simulators) NewWorld(o WorldOptions) (*World, error) {
	w, err := s.makeWorld(o)
	if err != nil {
		return nil, err
	}
	if refused := s.worlds.add(w); refused != nil {
		w.end()
		return nil, refused
	}
	return w, nil
}

// makeWorld makes a world that nobody can call yet.
func (s *Simulators) makeWorld(o WorldOptions) (*World, error) {
	o.Seed = cmp.Or(o.Seed, s.options.Seed)
	if o.ID == "" {
		o.ID = "w" + randomDigits()
	}
	if !worldID.MatchString(o.ID) || slices.Contains(reserved, o.ID) {
		return nil, &control.Error{Status: http.StatusBadRequest, Code: "bad_world_id", Message: "id must be 3 to 32 of a-z, 0-9 and -, with a letter first and no - last, and none of default, phone, inapp, restore"}
	}
	clock := testclock.New()
	if !o.Now.IsZero() {
		clock = testclock.NewAt(o.Now)
	}
	if o.Frozen {
		clock.Set(testclock.State{Now: cmp.Or(o.Now, clock.Now()), Frozen: true})
	}
	return s.newWorld(o.ID, o, clock), nil
}

func (r *registry) add(w *World) *control.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.worlds) >= r.sims.options.MaxWorlds {
		return &control.Error{Status: http.StatusTooManyRequests, Code: "too_many_worlds", Message: fmt.Sprintf("there are %d worlds, which is the limit: delete one, or wait until idle ones expire", len(r.worlds))}
	}
	keys := credentialsOf(w)
	for _, c := range keys {
		if r.by[c] != nil {
			return &control.Error{Status: http.StatusConflict, Code: "world_exists", Message: "a world has the id or a credential of " + w.id + " already"}
		}
	}
	for _, c := range keys {
		r.by[c] = w
	}
	r.worlds[w.id] = w
	return nil
}

func (r *registry) remove(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok := r.worlds[id]
	if !ok {
		return false
	}
	delete(r.worlds, id)
	for _, c := range credentialsOf(w) {
		delete(r.by, c)
	}
	w.end()
	return true
}

// list is every world, the default one first, then by age.
func (r *registry) list() []*World {
	r.mu.RLock()
	list := []*World{}
	for _, w := range r.worlds {
		list = append(list, w)
	}
	r.mu.RUnlock()
	slices.SortFunc(list, func(a, b *World) int { return a.created.Compare(b.created) })
	return append([]*World{r.sims.base}, list...)
}

// watch lets idle worlds expire until ctx ends.
func (r *registry) watch(ctx context.Context) {
	tick := time.NewTicker(max(min(r.sims.options.Idle/4, time.Minute), time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			r.expire(now)
		}
	}
}

func (r *registry) expire(now time.Time) {
	for _, w := range r.list()[1:] {
		if w.idle(now) >= r.sims.options.Idle {
			r.remove(w.id)
			r.sims.options.Logger.Info("an idle world expired", "world", w.id)
		}
	}
}

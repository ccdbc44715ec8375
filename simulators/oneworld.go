package simulators

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"marquee/simulators/art"
	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/legacygateway"
	"marquee/simulators/newmovie"
	"marquee/simulators/script"
	"marquee/simulators/sms"
	"marquee/simulators/testclock"
	"marquee/simulators/wechat"
)

// WorldOptions says what a world begins as.
type WorldOptions struct {
	ID      string    // 3 to 32 of a-z, 0-9 and -, a letter first; "" means a random one. The credentials follow from it and the seed.
	Seed    uint64    // 0 means the default world's
	Now     time.Time // the business time it begins at; zero means real time
	Frozen  bool      // its clock stands until it is advanced or resumed
	AppURL  string    // the shop that its in-app browser shows
	PushURL string    // where its gateway pushes tickets; "" for nowhere
}

// DefaultID names the default world in the control API.
const DefaultID = "default"

// World is one world: its own seats, clock, faults, journal, messages and money. It is safe for concurrent use.
type World struct {
	sims        *Simulators
	id          string // "" for the default world
	seed        uint64
	created     time.Time // real time
	credentials dataset.Credentials
	clock       *testclock.Clock
	plan        *script.Plan
	journal     *journal.Journal
	feed        *control.Feed
	ctx         context.Context //nolint:containedctx // the life of the world
	stop        context.CancelFunc
	appURL      atomic.Pointer[string]
	pushURL     atomic.Pointer[string]
	called      atomic.Int64 // real time of the last call, unix nanoseconds
	serving     atomic.Int64 // calls under way

	options WorldOptions
	founded time.Time  // business time at its creation
	swap    sync.Mutex // held while the providers are saved or replaced
	now     atomic.Pointer[providers]
}

const (
	keepJournal      = 1000    // entries
	keepJournalBytes = 2 << 20 // of them, whatever their number
)

func (s *Simulators) newWorld(id string, o WorldOptions, clock *testclock.Clock) *World {
	w := &World{
		sims: s, id: id, options: o, founded: clock.Now(), seed: o.Seed, created: time.Now(), credentials: dataset.CredentialsOf(o.Seed, id), clock: clock,
		plan: script.NewPlan(), journal: journal.New(keepJournal, clock.Now).Bound(keepJournalBytes), feed: control.NewFeed(),
	}
	clock.OnChange(w.feed.Clock)
	w.plan.OnChange(w.feed.Faults)
	w.journal.OnChange(w.feed.Journal)
	w.ctx, w.stop = context.WithCancel(s.ctx)
	w.SetAppURL(o.AppURL)
	w.SetPush(o.PushURL)
	w.touch()
	w.now.Store(w.build(o.Seed, clock.Now()))
	return w
}

// providers is the state of a world apart from its clock, plan and journal, which outlive a reset.
type providers struct {
	stop     context.CancelFunc
	country  *dataset.Country
	gateway  *legacygateway.Gateway
	newmovie *newmovie.NewMovie
	text     *sms.Simulator
	chat     *wechat.Simulator
	offices  []control.Office
	handlers [mountCount]http.Handler
}

// build makes the providers of a world of a seed that was founded on a day.
func (w *World) build(seed uint64, founded time.Time) *providers {
	p := &providers{country: dataset.NewCountryAsOf(seed, w.clock, founded)}
	ctx, stop := context.WithCancel(w.ctx)
	p.stop = stop
	p.text = sms.New(sms.Config{Clock: w.clock, Plan: w.plan, Journal: w.journal, Credentials: w.credentials.SMS, Tencent: w.credentials.Tencent})
	p.chat = wechat.New(wechat.Config{
		Seed: seed, Label: w.id, Clock: w.clock, Plan: w.plan, Journal: w.journal, Credentials: w.credentials.WeChat,
		PlatformKey: dataset.PlatformKeyPEM(), Logger: w.sims.options.Logger, Context: ctx, AppURL: w.AppURL, SMS: p.text.Messages,
		Codes: codes(w.credentials),
	})
	p.gateway = legacygateway.New(legacygateway.Config{
		Country: p.country, Clock: w.clock, Plan: w.plan, Journal: w.journal, Credentials: w.credentials.Gateway,
		BaseURL: w.pictures, PushURL: w.push, Context: ctx, Logger: w.sims.options.Logger,
	})
	p.newmovie = newmovie.New(newmovie.Config{
		Country: p.country, Clock: w.clock, Plan: w.plan, Journal: w.journal, Credentials: w.credentials.NewMovie, BaseURL: w.pictures,
	})
	p.text.OnChange(w.feed.Message)
	p.chat.OnChange(func(no string) { w.feed.Order(wechat.Name, no) })
	p.offices = []control.Office{{Provider: legacygateway.Name, Office: p.gateway.Office()}, {Provider: newmovie.Name, Office: p.newmovie.Office()}}
	for _, office := range p.offices {
		office.OnChange(func(showID, no string) {
			w.feed.Seats(office.Provider, showID)
			if no != "" {
				w.feed.Order(office.Provider, no)
			}
		})
	}
	p.handlers = [mountCount]http.Handler{
		gatewayMount: p.gateway.Handler(), newmovieMount: p.newmovie.Handler(), artMount: art.New(p.country).Handler(), smsMount: p.text.Handler(), tencentMount: p.text.TencentHandler(),
		payMount: p.chat.PayHandler(), apiMount: p.chat.APIHandler(), openMount: p.chat.OpenHandler(), phoneMount: p.chat.PhoneHandler(),
	}
	return p
}

// ID is the world's name in the control API.
func (w *World) ID() string {
	if w.id == "" {
		return DefaultID
	}
	return w.id
}

// Seed is what the world follows from.
func (w *World) Seed() uint64 { return w.Country().Seed() }

// URL is the simulators' address. It is the same for all worlds.
func (w *World) URL() string { return w.sims.URL() }

// pictures is the address before /art and /newmovie in links of this world's answers.
func (w *World) pictures() string {
	if w.id == "" {
		return w.URL()
	}
	return w.URL() + worldPrefix + w.id
}

// Clock is the business clock. It outlives a reset of the world.
func (w *World) Clock() *testclock.Clock { return w.clock }

// Credentials choose this world in every call.
func (w *World) Credentials() dataset.Credentials { return w.credentials }

// Country is what the world sells: cities, films and cinemas.
func (w *World) Country() *dataset.Country { return w.now.Load().country }

// Faults is the plan of what goes wrong.
func (w *World) Faults() *script.Plan { return w.plan }

// Journal is what the providers have seen.
func (w *World) Journal() *journal.Journal { return w.journal }

// SetAppURL says where the world's shop is, once it is known.
func (w *World) SetAppURL(url string) { w.appURL.Store(&url) }

// AppURL is the world's shop, "" until it is known.
func (w *World) AppURL() string { return *w.appURL.Load() }

// SetPush sets where the legacy gateway pushes tickets; "" switches pushes off.
func (w *World) SetPush(gatewayURL string) { w.pushURL.Store(&gatewayURL) }

func (w *World) push() string { return *w.pushURL.Load() }

// Pay ends the payment of a prepay id with the outcome "pay", "cancel" or "fail".
func (w *World) Pay(prepayID, outcome string) error { return w.now.Load().chat.Pay(prepayID, outcome) }

// Close ends the world. The default world ends with the simulators only.
func (w *World) Close() {
	if w.id != "" {
		w.sims.worlds.remove(w.id)
	}
}

// end stops everything of the world that happens by itself.
func (w *World) end() {
	w.stop()
	w.clock.Stop()
}

func (w *World) touch() { w.called.Store(time.Now().UnixNano()) }

// idle is for how long, in real time, nothing has called.
func (w *World) idle(now time.Time) time.Duration {
	if w.serving.Load() > 0 {
		return 0
	}
	return now.Sub(time.Unix(0, w.called.Load()))
}

// watched counts a call that is under way until the function it returns.
func (w *World) watched() func() {
	w.serving.Add(1)
	return func() {
		w.touch()
		w.serving.Add(-1)
	}
}

// serve answers a provider's call in this world.
func (w *World) serve(m mountID, rw http.ResponseWriter, r *http.Request) {
	defer w.watched()()
	w.now.Load().handlers[m].ServeHTTP(rw, r)
}

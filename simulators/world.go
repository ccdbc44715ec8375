package simulators

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/provider"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

// Limits of the journal of one world.
const (
	maxJournalEntries = 1000
	maxJournalBytes   = 2 << 20 // of text
)

// World is an isolated tenant of the simulators, with separate seats, clock, faults, journal, messages and money. The
// credential of a call selects it. It is safe for concurrent use.
type World struct {
	sims        *Simulators
	id          string // "" for the default world
	options     control.NewWorld
	created     time.Time // real time
	founded     time.Time // business time at its creation; film releases are relative to it
	credentials dataset.Credentials
	clock       *testclock.Clock
	plan        *faults.Plan
	journal     *journal.Journal
	targets     *webhook.Targets
	feed        *control.Feed
	appURL      address
	pushURL     address
	apps        atomic.Pointer[[]int]
	activity    activity
	ended       chan struct{} // closed when the world is deleted
	ending      sync.Once

	contentMu sync.Mutex // held while content is saved or replaced
	content   atomic.Pointer[content]
}

// content is the part of a world that is replaced when the world is reset or restored from a snapshot. The world keeps
// its Clock, Plan, Journal and credentials.
type content struct {
	country   *dataset.Country
	providers []provider.Provider
	mounts    []provider.Mount // of all providers, in the same order in every world
}

// newWorld creates a world that calls cannot reach yet.
func (s *Simulators) newWorld(id string, o control.NewWorld, clock *testclock.Clock) *World {
	w := &World{
		sims: s, id: id, options: o, created: time.Now().In(testclock.Zone), founded: clock.Now(), clock: clock,
		credentials: dataset.CredentialsOf(o.Seed, id), plan: faults.NewPlan(), targets: &webhook.Targets{},
		feed:    control.NewFeed(),
		journal: journal.New(maxJournalEntries, clock.Now).Bound(maxJournalBytes), ended: make(chan struct{}),
	}
	clock.OnChange(func() { w.feed.Publish(control.Change{Topic: control.TopicClock}) })
	w.plan.OnChange(func() { w.feed.Publish(control.Change{Topic: control.TopicFaults}) })
	w.journal.OnChange(func(id int64) { w.feed.Publish(control.Change{Topic: control.TopicJournal, ID: id}) })
	w.SetAppURL(o.AppURL)
	w.SetPush(o.PushURL)
	w.setApps(o.Apps)
	w.activity.touch()
	w.content.Store(w.newContent(o.Seed, clock.Now()))
	return w
}

// newContent creates the catalogue and the providers of a seed, without orders, payments or messages. Film releases are
// relative to founded, a business time.
func (w *World) newContent(seed uint64, founded time.Time) *content {
	c := &content{country: dataset.NewCountryAsOf(seed, w.clock, founded)}
	c.providers = newProviders(w, c.country)
	var webhooks []string
	for _, p := range c.providers {
		if caller, ok := p.(control.Webhooks); ok {
			webhooks = append(webhooks, caller.WebhookOperations()...)
		}
		c.mounts = append(c.mounts, p.Mounts()...)
		if publisher, ok := p.(provider.Publisher); ok {
			publisher.OnChange(w.feed.Publish)
		}
		if seller, ok := p.(control.TicketSeller); ok {
			seller.Office().Keep(w.sims.options.MaxOrders)
			seller.Office().OnChange(func(showID, orderNo string) {
				w.feed.Publish(control.Change{Topic: control.TopicSeats, Provider: p.Name(), Key: showID})
				if orderNo != "" {
					w.feed.Publish(control.Change{Topic: control.TopicOrder, Provider: p.Name(), Key: orderNo})
				}
			})
		}
	}
	w.targets.Declare(webhooks)
	return c
}

func (c *content) close() {
	for _, p := range c.providers {
		p.Close()
	}
}

// ID is the world's name in the control API.
func (w *World) ID() string {
	if w.id == "" {
		return control.DefaultWorld
	}
	return w.id
}

// URL is the simulators' address. It is the same for all worlds.
func (w *World) URL() string { return w.sims.URL() }

// Clock is the business clock. A reset of the world sets its time back; it remains the same Clock.
func (w *World) Clock() *testclock.Clock { return w.clock }

// Credentials returns the keys and ids of the world with all providers. A call that contains one of them is answered by
// this world.
func (w *World) Credentials() dataset.Credentials { return w.credentials }

// Country is the catalogue of the ticketing providers: cities, cinemas, films and showings.
func (w *World) Country() *dataset.Country { return w.content.Load().country }

// Faults is the plan of faults.
func (w *World) Faults() *faults.Plan { return w.plan }

// Journal holds the calls that the providers received and sent.
func (w *World) Journal() *journal.Journal { return w.journal }

// Targets implements control.World.
func (w *World) Targets() *webhook.Targets { return w.targets }

// Feed implements control.World.
func (w *World) Feed() *control.Feed { return w.feed }

// Providers implements control.World.
func (w *World) Providers() (list []control.Provider) {
	for _, p := range w.content.Load().providers {
		list = append(list, p)
	}
	return list
}

// Ended implements control.World.
func (w *World) Ended() <-chan struct{} { return w.ended }

// Use implements control.World.
func (w *World) Use() (done func()) { return w.activity.begin() }

// Info implements control.World.
func (w *World) Info() control.WorldInfo {
	clock := w.clock.State()
	info := control.WorldInfo{
		ID: w.ID(), Seed: w.Country().Seed(), Now: clock.Now.In(dataset.Zone), Frozen: clock.Frozen,
		Created: w.created.In(dataset.Zone), AppURL: w.AppURL(), PushURL: w.pushURL.get(),
		Apps: w.Apps(),
	}
	if w.id != "" {
		left := int64((w.sims.options.Idle - w.activity.idle(time.Now())).Seconds())
		info.ExpiresIn = &left
	}
	return info
}

// Details implements control.World.
func (w *World) Details() control.WorldDetails {
	return control.WorldDetails{
		WorldInfo: w.Info(), Credentials: w.credentials, Addresses: addressesOf(w), Environment: clientEnvironment(w),
	}
}

// Change implements control.World.
func (w *World) Change(c control.WorldChange) {
	if c.AppURL != nil {
		w.SetAppURL(*c.AppURL)
	}
	if c.PushURL != nil {
		w.SetPush(*c.PushURL)
	}
	if c.Apps != nil {
		w.setApps(*c.Apps)
	}
}

// SetAppURL sets the address of the world's shop.
func (w *World) SetAppURL(url string) { w.appURL.set(url) }

// AppURL is the address of the world's shop, or "" while unknown.
func (w *World) AppURL() string { return w.appURL.get() }

// SetPush sets the address to which the legacy gateway pushes tickets. "" disables pushes.
func (w *World) SetPush(gatewayURL string) { w.pushURL.set(gatewayURL) }

// setApps sets the ports of this machine that this world adds to the allowlist of the in-app browsers.
func (w *World) setApps(ports []int) {
	ports = append([]int{}, ports...)
	w.apps.Store(&ports)
}

// Apps lists the ports of this machine whose web apps the in-app browser may show, at <port>.inapp.localhost, in
// addition to the one at AppURL.
func (w *World) Apps() []int { return *w.apps.Load() }

// address is a URL that may change at any time, "" at first.
type address struct{ url atomic.Pointer[string] }

func (a *address) set(url string) { a.url.Store(&url) }

func (a *address) get() string {
	if url := a.url.Load(); url != nil {
		return *url
	}
	return ""
}

// pictures is the address in front of /art in the links to pictures that this world's providers answer with.
func (w *World) pictures() string {
	if w.id == "" {
		return w.URL()
	}
	return w.URL() + worldPrefix + w.id
}

// Pay pays, cancels or fails the payment of a prepay id. The error is a *control.Error.
func (w *World) Pay(prepayID string, outcome control.Outcome) error {
	return control.ProviderThat[control.Payer](w).Pay(prepayID, outcome)
}

// Close deletes the world. The default world exists until the simulators are closed.
func (w *World) Close() {
	if w.id != "" {
		w.sims.worlds.remove(w.id)
	}
}

// end stops the timers, pushes and notifications of the world. The timers of the default world's clock are not stopped,
// because that clock may be the one that the caller of Start passed in.
func (w *World) end() {
	w.ending.Do(func() {
		close(w.ended)
		w.content.Load().close()
		if w.id != "" {
			w.clock.Stop()
		}
	})
}

// serve answers a call by the handler of the mount with this index in content.mounts.
func (w *World) serve(mount int, rw http.ResponseWriter, r *http.Request) {
	defer w.activity.begin()()
	w.content.Load().mounts[mount].Handler.ServeHTTP(rw, r)
}

// activity tracks for how long a world has not been called.
type activity struct {
	last    atomic.Int64 // real time of the last call, unix nanoseconds
	serving atomic.Int64 // calls under way
}

// touch records a call that ends now.
func (a *activity) touch() { a.last.Store(time.Now().UnixNano()) }

// begin counts a call as running until the returned function is called.
func (a *activity) begin() (end func()) {
	a.serving.Add(1)
	return func() {
		a.touch()
		a.serving.Add(-1)
	}
}

// idle is the real time since the last call, or 0 during a call.
func (a *activity) idle(now time.Time) time.Duration {
	if a.serving.Load() > 0 {
		return 0
	}
	return now.Sub(time.Unix(0, a.last.Load()))
}

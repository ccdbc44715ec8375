package simulators

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
	"marquee/simulators/newmovie"
	"marquee/simulators/script"
	"marquee/simulators/sms"
	"marquee/simulators/testclock"
	"marquee/simulators/wechat"
)

const (
	snapshotFormat  = "marquee-world"
	snapshotVersion = 1
)

// snapshot is a world in a file. It holds no credentials: whoever restores it has their own.
type snapshot struct {
	Format   string              `json:"format"`
	Version  int                 `json:"version"`
	World    string              `json:"world"` // whose it is
	Taken    time.Time           `json:"taken"` // real time
	Seed     uint64              `json:"seed"`
	Founded  time.Time           `json:"founded"` // the day from which film releases count
	Clock    testclock.State     `json:"clock"`
	AppURL   string              `json:"app_url"`
	PushURL  string              `json:"push_url"`
	Faults   script.State        `json:"faults"`
	Gateway  legacygateway.State `json:"gateway"`
	NewMovie newmovie.State      `json:"newmovie"`
	SMS      sms.State           `json:"sms"`
	WeChat   wechat.State        `json:"wechat"`
}

// Snapshot is the world as JSON: orders, holds, trades, refunds, pending timers, identities, tokens, codes, messages,
// clock and faults. The journal stays behind.
func (w *World) Snapshot() []byte {
	w.swap.Lock()
	defer w.swap.Unlock()
	return w.snapshot()
}

func (w *World) snapshot() []byte {
	p := w.now.Load()
	encoded, err := json.MarshalIndent(snapshot{
		Format: snapshotFormat, Version: snapshotVersion, World: w.ID(), Taken: time.Now().In(dataset.Zone), Seed: p.country.Seed(), Founded: p.country.Founded(),
		Clock: w.clock.State(), AppURL: w.AppURL(), PushURL: w.push(), Faults: w.plan.Save(),
		Gateway: p.gateway.Save(), NewMovie: p.newmovie.Save(), SMS: p.text.Save(), WeChat: p.chat.Save(),
	}, "", " ")
	if err != nil {
		panic(err) // our own types always encode
	}
	return append(encoded, '\n')
}

func badSnapshot(format string, args ...any) *control.Error {
	return &control.Error{Status: http.StatusBadRequest, Code: "bad_snapshot", Message: fmt.Sprintf(format, args...)}
}

// readSnapshot decodes a file strictly.
func readSnapshot(file []byte) (snapshot, error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	err := json.Unmarshal(file, &head)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax) && strings.Contains(err.Error(), "unexpected end"):
		return snapshot{}, badSnapshot("the snapshot is cut short: it ends after %d bytes", len(file))
	case err != nil:
		return snapshot{}, badSnapshot("the snapshot is not one JSON object: %s", err)
	case head.Format != snapshotFormat:
		return snapshot{}, badSnapshot("its format is %q and not %q", head.Format, snapshotFormat)
	case head.Version != snapshotVersion:
		return snapshot{}, &control.Error{Status: http.StatusBadRequest, Code: "snapshot_version", Message: fmt.Sprintf("the snapshot is of version %d; these simulators read version %d", head.Version, snapshotVersion)}
	}
	if err := whole(file, reflect.TypeFor[snapshot](), ""); err != nil {
		return snapshot{}, badSnapshot("the snapshot does not fit together: %s", err)
	}
	var s snapshot
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return snapshot{}, badSnapshot("the snapshot cannot be read: %s", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return snapshot{}, badSnapshot("the snapshot goes on after its JSON object")
	}
	switch {
	case s.World != DefaultID && !worldID.MatchString(s.World):
		return snapshot{}, badSnapshot("the snapshot does not fit together: its world is %q, which no world is called", s.World)
	case s.Founded.IsZero() || s.Clock.Now.IsZero() || s.Taken.IsZero():
		return snapshot{}, badSnapshot("the snapshot has no founded, no taken or no clock")
	}
	return s, control.CheckAddresses(&s.AppURL, &s.PushURL)
}

// Restore makes a new world of a snapshot, with credentials of its own. Options that are set win over what the
// snapshot says; its seed and time stay. The error is a *control.Error.
func (s *Simulators) Restore(file []byte, o WorldOptions) (*World, error) {
	saved, err := readSnapshot(file)
	if err != nil {
		return nil, err
	}
	o.Seed, o.Now, o.Frozen = saved.Seed, saved.Clock.Now, true
	if o.AppURL == "" {
		o.AppURL = saved.AppURL
	}
	if o.PushURL == "" {
		o.PushURL = saved.PushURL
	}
	w, err := s.makeWorld(o)
	if err != nil {
		return nil, err
	}
	if err := w.load(saved); err != nil {
		w.end()
		return nil, err
	}
	if refused := s.worlds.add(w); refused != nil {
		w.end()
		return nil, refused
	}
	w.options.Frozen = saved.Clock.Frozen
	w.clock.Set(saved.Clock)
	return w, nil
}

// Restore puts the world back into a snapshot's state. It keeps its id, credentials, journal and addresses. When the
// snapshot cannot be restored the world stays as it is. The error is a *control.Error.
func (w *World) Restore(file []byte) error {
	saved, err := readSnapshot(file)
	if err != nil {
		return err
	}
	// Only a whole restore tells whether it can be done; so it is done first where nobody sees it.
	trial, err := w.sims.makeWorld(WorldOptions{Seed: saved.Seed, Now: saved.Clock.Now, Frozen: true})
	if err != nil {
		return err
	}
	err = trial.load(saved)
	trial.end()
	if err != nil {
		return err
	}
	w.swap.Lock()
	defer w.swap.Unlock()
	if err := w.load(saved); err != nil {
		return err
	}
	w.clock.Set(saved.Clock)
	w.feed.World()
	return nil
}

// load fills the world with a snapshot and leaves its clock standing, so that nothing happens yet. The caller holds
// swap, or nobody else knows the world.
func (w *World) load(saved snapshot) error {
	if before := w.now.Load(); before != nil {
		before.stop()
	}
	w.clock.Set(testclock.State{Now: saved.Clock.Now, Frozen: true})
	p := w.build(saved.Seed, saved.Founded)
	w.now.Store(p)
	p.text.Load(saved.SMS)
	err := errors.Join(w.plan.Load(saved.Faults), p.gateway.Load(saved.Gateway), p.newmovie.Load(saved.NewMovie), p.chat.Load(saved.WeChat))
	if err != nil {
		return badSnapshot("the snapshot does not fit together: %s", err)
	}
	return nil
}

// Fork makes a new world of the present state of this one. See Restore.
func (w *World) Fork(o WorldOptions) (*World, error) { return w.sims.Restore(w.Snapshot(), o) }

// Reset lets the world begin again: its clock where it began, nobody's orders, no faults, an empty journal. It keeps
// its id, credentials and addresses.
func (w *World) Reset() {
	w.swap.Lock()
	defer w.swap.Unlock()
	w.now.Load().stop()
	w.plan.Clear()
	w.clock.Reset()
	if w.options.Frozen {
		w.clock.Set(testclock.State{Now: w.founded, Frozen: true})
	}
	w.now.Store(w.build(w.seed, w.clock.Now()))
	w.journal.Clear()
	w.feed.World()
}

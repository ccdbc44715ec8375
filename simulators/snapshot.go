package simulators

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

const (
	snapshotFormat  = "marquee-world"
	snapshotVersion = 1
)

// snapshotHead is the part of a snapshot file that is about the world as a whole. It holds no credentials: the world
// into which it is restored has its own.
type snapshotHead struct {
	Format  string               `json:"format"`
	Version int                  `json:"version"`
	World   string               `json:"world"` // id of the world that was saved
	Taken   time.Time            `json:"taken"` // real time
	Seed    uint64               `json:"seed"`
	Founded time.Time            `json:"founded"` // the day from which film releases count
	Clock   testclock.State      `json:"clock"`
	AppURL  string               `json:"app_url"`
	PushURL string               `json:"push_url"`
	Apps    []int                `json:"apps,omitempty"`
	Faults  faults.State         `json:"faults"`
	Stubs   faults.StubsState    `json:"stubs"`
	Targets webhook.TargetsState `json:"targets"`
}

// snapshot is a file: the head, and the state of each provider by its name.
type snapshot struct {
	snapshotHead
	states map[string]json.RawMessage
}

// Snapshot returns the world as JSON: orders, holds, trades, refunds, pending timers, identities, tokens, codes,
// messages, clock and faults. It does not contain the journal and the credentials.
func (w *World) Snapshot() []byte {
	w.contentMu.Lock()
	defer w.contentMu.Unlock()
	c := w.content.Load()
	head, err := json.Marshal(snapshotHead{
		Format: snapshotFormat, Version: snapshotVersion, World: w.ID(), Taken: time.Now().In(dataset.Zone),
		Seed: c.country.Seed(), Founded: c.country.Founded(), Clock: w.clock.State(), AppURL: w.AppURL(),
		PushURL: w.pushURL.get(), Apps: w.Apps(), Faults: w.plan.Save(), Stubs: w.plan.Stubs().Save(), Targets: w.targets.Save(),
	})
	if err != nil {
		panic(err) // it consists of texts, numbers and times, which always encode
	}
	file := head[:len(head)-1]
	for _, p := range c.providers {
		if state := p.State(); state != nil {
			file = fmt.Appendf(file, ",%q:%s", p.Name(), state.Save())
		}
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, append(file, '}'), "", " "); err != nil {
		panic(err) // it was encoded above
	}
	indented.WriteByte('\n')
	return indented.Bytes()
}

func badSnapshot(format string, args ...any) *control.Error {
	return refusal(http.StatusBadRequest, "bad_snapshot", format, args...)
}

// readSnapshot decodes a file and checks it against the schema of the control API's document. The error is a
// *control.Error: bad_snapshot, which names the part that does not fit, snapshot_version, or bad_address.
func readSnapshot(file []byte) (s snapshot, err error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	err = json.Unmarshal(file, &head)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax) && strings.Contains(err.Error(), "unexpected end"):
		return s, badSnapshot("the snapshot is cut short: it ends after %d bytes", len(file))
	case err != nil:
		return s, badSnapshot("the snapshot is not one JSON object: %s", control.DecodeProblem(err))
	case head.Format != snapshotFormat:
		return s, badSnapshot("its format is %q and not %q", head.Format, snapshotFormat)
	case head.Version != snapshotVersion:
		return s, refusal(http.StatusBadRequest, "snapshot_version",
			"the snapshot is of version %d; these simulators read version %d", head.Version, snapshotVersion)
	}
	if err := control.CheckSnapshot(file); err != nil {
		return s, err
	}
	if err := errors.Join(json.Unmarshal(file, &s.snapshotHead), json.Unmarshal(file, &s.states)); err != nil {
		// such as a day that no month has
		return s, badSnapshot("the snapshot cannot be read: %s", control.DecodeProblem(err))
	}
	if s.Founded.IsZero() || s.Clock.Now.IsZero() || s.Taken.IsZero() {
		return s, badSnapshot("the snapshot has no founded, no taken or no clock")
	}
	return s, nil
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
	if o.Apps == nil {
		o.Apps = saved.Apps
	}
	w, err := s.addWorld(o, func(w *World) error { return w.load(saved) })
	if err != nil {
		return nil, err
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
	// Only a complete restore shows whether it is possible, so it is tried in a world that no call can reach.
	trial, err := w.sims.makeWorld(WorldOptions{Seed: saved.Seed, Now: saved.Clock.Now, Frozen: true})
	if err != nil {
		return err
	}
	err = trial.load(saved)
	trial.end()
	if err != nil {
		return err
	}
	w.contentMu.Lock()
	defer w.contentMu.Unlock()
	if err := w.load(saved); err != nil {
		return err
	}
	w.clock.Set(saved.Clock)
	w.feed.Publish(control.Change{Topic: control.TopicWorld})
	return nil
}

// load fills the world with a snapshot and leaves its clock standing, so that nothing happens yet. The caller holds
// contentMu, or no call can reach the world yet.
func (w *World) load(saved snapshot) error {
	w.content.Load().close()
	w.clock.Set(testclock.State{Now: saved.Clock.Now, Frozen: true})
	c := w.newContent(saved.Seed, saved.Founded)
	w.replace(c)
	w.targets.Load(saved.Targets)
	problems := []error{w.plan.Load(saved.Faults), w.plan.Stubs().Load(saved.Stubs)}
	for _, p := range c.providers {
		if state := p.State(); state != nil {
			problems = append(problems, state.Load(saved.states[p.Name()]))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return badSnapshot("the snapshot does not fit together: %s", err)
	}
	return nil
}

// replace puts a content in place of the present one, which is closed already.
func (w *World) replace(c *content) {
	w.content.Store(c)
	select {
	case <-w.ended: // meanwhile, and closed the content before
		c.close()
	default:
	}
}

// Fork makes a new world of the present state of this one. See Restore.
func (w *World) Fork(o WorldOptions) (*World, error) { return w.sims.Restore(w.Snapshot(), o) }

// Reset puts the world into the state in which it began: its clock, no orders, no faults, an empty journal. It keeps
// its id, credentials and addresses.
func (w *World) Reset() {
	w.contentMu.Lock()
	defer w.contentMu.Unlock()
	w.content.Load().close()
	w.plan.Clear()
	w.plan.Stubs().Remove("")
	w.targets.Remove("")
	w.clock.Reset()
	if w.options.Frozen {
		w.clock.Set(testclock.State{Now: w.founded, Frozen: true})
	}
	w.replace(w.newContent(w.options.Seed, w.clock.Now()))
	w.journal.Clear()
	w.feed.Publish(control.Change{Topic: control.TopicWorld})
}

package simulators

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/provider"
	"marquee/simulators/schema"
	"marquee/simulators/testclock"
)

const (
	snapshotFormat  = "marquee-world"
	snapshotVersion = 1
)

// Snapshot returns the world as JSON: orders and their seats, trades, refunds, pending timers, identities, tokens,
// codes, messages, clock, faults, stubs and webhook targets. It does not contain the journal and the credentials.
func (w *World) Snapshot() []byte {
	w.contentMu.Lock()
	defer w.contentMu.Unlock()
	c := w.content.Load()
	head, err := json.Marshal(control.Snapshot{
		Format: snapshotFormat, Version: snapshotVersion, World: w.ID(), Taken: time.Now().In(dataset.Zone),
		Seed: c.country.Seed(), Founded: c.country.Founded(), Clock: w.clock.State(), AppURL: w.AppURL(),
		PushURL: w.pushURL.get(), Apps: w.Apps(), Faults: w.plan.Save(), Stubs: w.plan.Stubs().Save(), Targets: w.targets.Save(),
	})
	if err != nil {
		panic(err) // cannot happen: it contains only strings, numbers and times
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
	return control.ErrBadSnapshot.With(format, args...)
}

// readSnapshot decodes a file, but not the providers' states in it. The error is a *control.Error: bad_snapshot with
// the invalid part in its message, snapshot_version, or bad_address.
func readSnapshot(file []byte) (s control.Snapshot, err error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	err = json.Unmarshal(file, &head)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && strings.Contains(err.Error(), "unexpected end"):
		return s, badSnapshot("the snapshot is cut short: it ends after %d bytes", len(file))
	case errors.As(err, &wrong):
		return s, badSnapshot("the snapshot is not one JSON object: %s cannot be of type %s",
			cmp.Or(wrong.Field, "it"), wrong.Value)
	case err != nil:
		return s, badSnapshot("the snapshot is not one JSON object: %s", err)
	case head.Format != snapshotFormat:
		return s, badSnapshot("its format is %q and not %q", head.Format, snapshotFormat)
	case head.Version != snapshotVersion:
		return s, control.ErrSnapshotVersion.With(
			"the snapshot is of version %d; these simulators read version %d", head.Version, snapshotVersion)
	}
	if err := schema.Decode(file, &s); err != nil {
		return s, snapshotError(err)
	}
	if s.Founded.IsZero() || s.Clock.Now.IsZero() || s.Taken.IsZero() {
		return s, badSnapshot("the snapshot has no founded, no taken or no clock")
	}
	return s, nil
}

// snapshotError returns the error of an invalid part of a snapshot.
func snapshotError(err error) *control.Error {
	var p *schema.Problem
	if !errors.As(err, &p) {
		return badSnapshot("the snapshot is inconsistent: %s", err)
	}
	problem := "its " + p.Error()
	switch {
	case p.Code == control.ErrBadAddress.Code:
		return control.ErrBadAddress.With("the snapshot's %s", p)
	case p.Path == "":
		problem = "it " + p.Text
	case p.Kind == schema.Missing:
		problem = "it has no " + p.Path
	case p.Kind == schema.Null:
		problem = "its " + p.Path + " is null"
	case p.Kind == schema.Time:
		problem = "its " + p.Path + " cannot be read"
	case p.Want == "a JSON object":
		problem = "its " + p.Path + " is not an object"
	case p.Want == "a list":
		problem = "its " + p.Path + " is not a list"
	case p.Kind == schema.Type, p.Kind == schema.Unknown:
		problem = "snapshot." + p.Error()
	}
	return badSnapshot("the snapshot is inconsistent: %s", problem)
}

// Restore creates a world from a snapshot, with new credentials. The id, and the addresses and ports that are set in o,
// override those of the snapshot; the seed and the clock are always the snapshot's. The error is a *control.Error.
func (s *Simulators) Restore(file []byte, o control.NewWorld) (*World, error) {
	saved, err := readSnapshot(file)
	if err != nil {
		return nil, err
	}
	o.Seed, o.Now, o.Frozen = saved.Seed, &saved.Clock.Now, true
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

// Restore returns the world to a snapshot's state. It keeps its id, credentials, journal and addresses. If the snapshot
// cannot be restored, the world is unchanged. The error is a *control.Error.
func (w *World) Restore(file []byte) error {
	saved, err := readSnapshot(file)
	if err != nil {
		return err
	}
	// Only a complete restore shows whether it is possible, so it is first tried in a world that calls cannot reach.
	trial, err := w.sims.makeWorld(control.NewWorld{Seed: saved.Seed, Now: &saved.Clock.Now, Frozen: true})
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

// load fills the world from a snapshot and leaves its clock frozen, so that no timer fires yet. The caller holds
// contentMu, unless calls cannot reach the world yet.
func (w *World) load(saved control.Snapshot) error {
	w.content.Load().close()
	w.clock.Set(testclock.State{Now: saved.Clock.Now, Frozen: true})
	c := w.newContent(saved.Seed, saved.Founded)
	w.replace(c)
	w.targets.Load(saved.Targets)
	problems := []error{w.plan.Load(saved.Faults), w.plan.Stubs().Load(saved.Stubs)}
	unknown := maps.Clone(saved.States)
	for _, p := range c.providers {
		if state := p.State(); state != nil {
			delete(unknown, p.Name())
			if err := loadState(p.Name(), state, saved.States); err != nil {
				return err
			}
		}
	}
	for name := range unknown {
		return snapshotError(&schema.Problem{Kind: schema.Unknown, Path: name, Text: "is not a part of a snapshot"})
	}
	if err := errors.Join(problems...); err != nil {
		return snapshotError(err)
	}
	return nil
}

// loadState fills a provider with its part of a snapshot.
func loadState(name string, state provider.State, parts map[string]json.RawMessage) error {
	part, has := parts[name]
	if !has || string(part) == "null" {
		kind := schema.Missing
		if has {
			kind = schema.Null
		}
		return snapshotError(&schema.Problem{Kind: kind, Path: name})
	}
	err := state.Load(part)
	if p := (*schema.Problem)(nil); errors.As(err, &p) {
		return snapshotError(p.In(name))
	}
	if err != nil {
		return snapshotError(err)
	}
	return nil
}

// replace makes c the world's content. The caller has already closed the previous content.
func (w *World) replace(c *content) {
	w.content.Store(c)
	select {
	case <-w.ended: // the world was deleted during the replacement; the deletion may have closed only the old content
		c.close()
	default:
	}
}

// Reset returns the world to its initial state: its first time, an empty journal, and no orders, faults, stubs or
// webhook targets. It keeps its id, credentials and addresses.
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

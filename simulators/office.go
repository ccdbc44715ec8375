package simulators

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
)

// office is the control API's view of the worlds.
type office struct{ sims *Simulators }

var _ control.Worlds = office{}

func noWorld(id string) *control.Error {
	return &control.Error{Status: http.StatusNotFound, Code: "world_unknown", Message: fmt.Sprintf("there is no world %q, or no longer; GET /sim/v1/worlds lists them", id)}
}

func (o office) find(id string) (*World, error) {
	if id == "" {
		id = DefaultID
	}
	w := o.sims.worlds.find(credential{byWorld, id})
	if w == nil {
		return nil, noWorld(id)
	}
	w.touch()
	return w, nil
}

// World implements control.Worlds.
func (o office) World(id string) (*control.World, error) {
	w, err := o.find(id)
	if err != nil {
		return nil, err
	}
	now := w.now.Load()
	return &control.World{
		ID: w.ID(), Seed: w.Seed(), Context: w.ctx, Clock: w.clock, Plan: w.plan, Journal: w.journal, Inbox: now.text, Payer: now.chat,
		Payments: now.chat, Offices: now.offices, Country: now.country, Feed: w.feed, Watched: w.watched, Catalogue: w.catalogue,
	}, nil
}

// List implements control.Worlds.
func (o office) List() []control.Info {
	list := []control.Info{}
	for _, w := range o.sims.worlds.list() {
		list = append(list, w.info())
	}
	return list
}

func (w *World) info() control.Info {
	clock := w.clock.State()
	i := control.Info{
		ID: w.ID(), Seed: w.Seed(), Now: clock.Now.In(dataset.Zone), Frozen: clock.Frozen, Created: w.created.In(dataset.Zone), AppURL: w.AppURL(), PushURL: w.push(),
	}
	if w.id != "" {
		left := int64((w.sims.options.Idle - w.idle(time.Now())).Seconds())
		i.ExpiresIn = &left
	}
	return i
}

func (w *World) details() control.Details {
	return control.Details{Info: w.info(), Credentials: w.credentials, Addresses: w.addresses(), Environment: w.environment()}
}

// Describe implements control.Worlds.
func (o office) Describe(id string) (control.Details, error) {
	w, err := o.find(id)
	if err != nil {
		return control.Details{}, err
	}
	return w.details(), nil
}

// Create implements control.Worlds.
func (o office) Create(q control.NewWorld) (control.Details, error) {
	options := WorldOptions{ID: q.ID, Seed: q.Seed, Frozen: q.Frozen, AppURL: q.AppURL, PushURL: q.PushURL}
	if q.Now != nil {
		options.Now = *q.Now
	}
	w, err := o.sims.NewWorld(options)
	if err != nil {
		return control.Details{}, err
	}
	return w.details(), nil
}

// Change implements control.Worlds.
func (o office) Change(id string, c control.Change) (control.Details, error) {
	w, err := o.find(id)
	if err != nil {
		return control.Details{}, err
	}
	if c.AppURL != nil {
		w.SetAppURL(*c.AppURL)
	}
	if c.PushURL != nil {
		w.SetPush(*c.PushURL)
	}
	return w.details(), nil
}

// Delete implements control.Worlds.
func (o office) Delete(id string) error {
	if id == DefaultID {
		return &control.Error{Status: http.StatusConflict, Code: "default_world", Message: "the default world cannot be deleted"}
	}
	if !o.sims.worlds.remove(id) {
		return noWorld(id)
	}
	return nil
}

func randomDigits() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// Snapshot implements control.Worlds.
func (o office) Snapshot(id string) ([]byte, error) {
	w, err := o.find(id)
	if err != nil {
		return nil, err
	}
	return w.Snapshot(), nil
}

// Restore implements control.Worlds.
func (o office) Restore(file []byte, q control.NewWorld) (control.Details, error) {
	w, err := o.sims.Restore(file, WorldOptions{ID: q.ID, AppURL: q.AppURL, PushURL: q.PushURL})
	if err != nil {
		return control.Details{}, err
	}
	return w.details(), nil
}

// RestoreInto implements control.Worlds.
func (o office) RestoreInto(id string, file []byte) (control.Details, error) {
	w, err := o.find(id)
	if err == nil {
		err = w.Restore(file)
	}
	if err != nil {
		return control.Details{}, err
	}
	return w.details(), nil
}

// Fork implements control.Worlds.
func (o office) Fork(id string, q control.NewWorld) (control.Details, error) {
	w, err := o.find(id)
	if err != nil {
		return control.Details{}, err
	}
	fork, err := w.Fork(WorldOptions{ID: q.ID, AppURL: q.AppURL, PushURL: q.PushURL})
	if err != nil {
		return control.Details{}, err
	}
	return fork.details(), nil
}

// Reset implements control.Worlds.
func (o office) Reset(id string) (control.Details, error) {
	w, err := o.find(id)
	if err != nil {
		return control.Details{}, err
	}
	w.Reset()
	return w.details(), nil
}

package simulators

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/provider"
)

// admin is the control API's access to the worlds.
type admin struct{ sims *Simulators }

var _ control.Worlds = admin{}

func unknownWorld(id string) *control.Error {
	return &control.Error{
		Status: http.StatusNotFound, Code: "world_unknown",
		Message: fmt.Sprintf("there is no world %q, or no longer; GET /sim/v1/worlds lists them", id),
	}
}

// find returns a world by its id. The call counts as a use of the world.
func (a admin) find(id string) (*World, error) {
	w := a.sims.worlds.byID(id)
	if w == nil {
		return nil, unknownWorld(id)
	}
	w.activity.touch()
	return w, nil
}

// World implements control.Worlds.
func (a admin) World(id string) (*control.World, error) {
	w, err := a.find(id)
	if err != nil {
		return nil, err
	}
	c := w.content.Load()
	view := &control.World{
		ID: w.ID(), Seed: w.Seed(), Ended: w.ended, Clock: w.clock, Plan: w.plan, Journal: w.journal, Feed: w.feed, Country: c.country,
		Inbox: one[control.Inbox](c), Payer: one[control.Payer](c), Payments: one[control.Payments](c),
		Watched: w.activity.begin, Catalogue: func() control.Catalogue { return catalogue(w) },
	}
	for _, p := range c.providers {
		if seller, ok := p.(provider.TicketSeller); ok {
			view.Offices = append(view.Offices, control.Office{Provider: p.Name(), Office: seller.Office()})
		}
	}
	return view, nil
}

// List implements control.Worlds.
func (a admin) List() []control.Info {
	list := []control.Info{}
	for _, w := range a.sims.worlds.list() {
		list = append(list, infoOf(w))
	}
	return list
}

func infoOf(w *World) control.Info {
	clock := w.clock.State()
	i := control.Info{
		ID: w.ID(), Seed: w.Seed(), Now: clock.Now.In(dataset.Zone), Frozen: clock.Frozen, Created: w.created.In(dataset.Zone), AppURL: w.AppURL(), PushURL: w.push(),
	}
	if w.id != "" {
		left := int64((w.sims.options.Idle - w.activity.idle(time.Now())).Seconds())
		i.ExpiresIn = &left
	}
	return i
}

func detailsOf(w *World) control.Details {
	return control.Details{Info: infoOf(w), Credentials: w.credentials, Addresses: addressesOf(w), Environment: clientEnvironment(w)}
}

// Describe implements control.Worlds.
func (a admin) Describe(id string) (control.Details, error) {
	w, err := a.find(id)
	if err != nil {
		return control.Details{}, err
	}
	return detailsOf(w), nil
}

// Create implements control.Worlds.
func (a admin) Create(q control.NewWorld) (control.Details, error) {
	options := WorldOptions{ID: q.ID, Seed: q.Seed, Frozen: q.Frozen, AppURL: q.AppURL, PushURL: q.PushURL}
	if q.Now != nil {
		options.Now = *q.Now
	}
	w, err := a.sims.NewWorld(options)
	if err != nil {
		return control.Details{}, err
	}
	return detailsOf(w), nil
}

// Change implements control.Worlds.
func (a admin) Change(id string, c control.WorldChange) (control.Details, error) {
	w, err := a.find(id)
	if err != nil {
		return control.Details{}, err
	}
	if c.AppURL != nil {
		w.SetAppURL(*c.AppURL)
	}
	if c.PushURL != nil {
		w.SetPush(*c.PushURL)
	}
	return detailsOf(w), nil
}

// Delete implements control.Worlds.
func (a admin) Delete(id string) error {
	if id == DefaultID {
		return &control.Error{Status: http.StatusConflict, Code: "default_world", Message: "the default world cannot be deleted"}
	}
	if !a.sims.worlds.remove(id) {
		return unknownWorld(id)
	}
	return nil
}

func randomDigits() string {
	b := make([]byte, 5)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}

// Snapshot implements control.Worlds.
func (a admin) Snapshot(id string) ([]byte, error) {
	w, err := a.find(id)
	if err != nil {
		return nil, err
	}
	return w.Snapshot(), nil
}

// Restore implements control.Worlds.
func (a admin) Restore(file []byte, q control.NewWorld) (control.Details, error) {
	w, err := a.sims.Restore(file, WorldOptions{ID: q.ID, AppURL: q.AppURL, PushURL: q.PushURL})
	if err != nil {
		return control.Details{}, err
	}
	return detailsOf(w), nil
}

// RestoreInto implements control.Worlds.
func (a admin) RestoreInto(id string, file []byte) (control.Details, error) {
	w, err := a.find(id)
	if err == nil {
		err = w.Restore(file)
	}
	if err != nil {
		return control.Details{}, err
	}
	return detailsOf(w), nil
}

// Fork implements control.Worlds.
func (a admin) Fork(id string, q control.NewWorld) (control.Details, error) {
	w, err := a.find(id)
	if err != nil {
		return control.Details{}, err
	}
	fork, err := w.Fork(WorldOptions{ID: q.ID, AppURL: q.AppURL, PushURL: q.PushURL})
	if err != nil {
		return control.Details{}, err
	}
	return detailsOf(fork), nil
}

// Reset implements control.Worlds.
func (a admin) Reset(id string) (control.Details, error) {
	w, err := a.find(id)
	if err != nil {
		return control.Details{}, err
	}
	w.Reset()
	return detailsOf(w), nil
}

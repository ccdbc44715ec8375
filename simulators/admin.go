package simulators

import (
	"time"

	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/provider"
)

// admin is the control API's access to the worlds.
type admin struct{ sims *Simulators }

var _ control.Worlds = admin{}

func unknownWorld(id string) *control.Error {
	return control.ErrWorldUnknown.With("there is no world %q, or it has ended; GET /sim/v1/worlds lists them", id)
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
		ID: w.ID(), Seed: w.Seed(), Ended: w.ended, Clock: w.clock, Plan: w.plan, Journal: w.journal, Feed: w.feed,
		Country: c.country, Targets: w.targets,
		Inbox: providerThat[control.Inbox](c), Payer: providerThat[control.Payer](c),
		Payments:  providerThat[control.Payments](c),
		Merchants: providerThat[control.Merchants](c), MiniPrograms: providerThat[control.MiniPrograms](c),
		Watched: w.activity.begin, Catalogue: func() control.Catalogue { return catalogue(w) },
	}
	for _, p := range c.providers {
		if caller, ok := p.(control.Webhooks); ok {
			view.Webhooks = append(view.Webhooks, caller)
		}
		if seller, ok := p.(provider.TicketSeller); ok {
			view.Offices = append(view.Offices, control.Office{Provider: p.Name(), Office: seller.Office()})
		}
	}
	return view, nil
}

// CertificatePEM implements control.Worlds.
func (a admin) CertificatePEM() ([]byte, error) { return a.sims.CertificatePEM() }

// List implements control.Worlds.
func (a admin) List() []control.WorldInfo {
	list := []control.WorldInfo{}
	for _, w := range a.sims.worlds.list() {
		list = append(list, infoOf(w))
	}
	return list
}

// Describe implements control.Worlds.
func (a admin) Describe(id string) (control.WorldDetails, error) { return describe(a.find(id)) }

// Create implements control.Worlds.
func (a admin) Create(q control.NewWorld) (control.WorldDetails, error) {
	options := WorldOptions{ID: q.ID, Seed: q.Seed, Frozen: q.Frozen, AppURL: q.AppURL, PushURL: q.PushURL,
		Apps: q.Apps}
	if q.Now != nil {
		options.Now = *q.Now
	}
	return describe(a.sims.NewWorld(options))
}

// Change implements control.Worlds.
func (a admin) Change(id string, c control.WorldChange) (control.WorldDetails, error) {
	w, err := a.find(id)
	if err == nil && c.AppURL != nil {
		w.SetAppURL(*c.AppURL)
	}
	if err == nil && c.PushURL != nil {
		w.SetPush(*c.PushURL)
	}
	if err == nil && c.Apps != nil {
		w.setApps(*c.Apps)
	}
	return describe(w, err)
}

// Delete implements control.Worlds.
func (a admin) Delete(id string) error {
	if id == defaultID {
		return control.ErrDefaultWorld
	}
	if !a.sims.worlds.remove(id) {
		return unknownWorld(id)
	}
	return nil
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
func (a admin) Restore(file []byte, q control.NewWorld) (control.WorldDetails, error) {
	return describe(a.sims.Restore(file, WorldOptions{ID: q.ID, AppURL: q.AppURL, PushURL: q.PushURL}))
}

// RestoreInto implements control.Worlds.
func (a admin) RestoreInto(id string, file []byte) (control.WorldDetails, error) {
	w, err := a.find(id)
	if err == nil {
		err = w.Restore(file)
	}
	return describe(w, err)
}

// Fork implements control.Worlds.
func (a admin) Fork(id string, q control.NewWorld) (control.WorldDetails, error) {
	w, err := a.find(id)
	if err == nil {
		w, err = w.Fork(WorldOptions{ID: q.ID, AppURL: q.AppURL, PushURL: q.PushURL, Apps: q.Apps})
	}
	return describe(w, err)
}

// Reset implements control.Worlds.
func (a admin) Reset(id string) (control.WorldDetails, error) {
	w, err := a.find(id)
	if err == nil {
		w.Reset()
	}
	return describe(w, err)
}

// describe returns the details of a world, or the error.
func describe(w *World, err error) (control.WorldDetails, error) {
	if err != nil {
		return control.WorldDetails{}, err
	}
	return control.WorldDetails{
		WorldInfo: infoOf(w), Credentials: w.credentials, Addresses: addressesOf(w), Environment: clientEnvironment(w),
	}, nil
}

func infoOf(w *World) control.WorldInfo {
	clock := w.clock.State()
	info := control.WorldInfo{
		ID: w.ID(), Seed: w.Seed(), Now: clock.Now.In(dataset.Zone), Frozen: clock.Frozen,
		Created: w.created.In(dataset.Zone), AppURL: w.AppURL(), PushURL: w.pushURL.get(),
		Apps: w.Apps(),
	}
	if w.id != "" {
		left := int64((w.sims.options.Idle - w.activity.idle(time.Now())).Seconds())
		info.ExpiresIn = &left
	}
	return info
}

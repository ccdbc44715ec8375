package control

import (
	_ "embed"
	"encoding/json"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

// DefaultWorld is the id of the default world, which answers every call that does not select another world.
const DefaultWorld = "default"

// WorldID is the input of a call about one world.
type WorldID struct {
	// ID is the world's id, or default.
	ID string `path:"id"`
}

// WorldList is the list of the worlds. Listing is not a use of the worlds: idle ones still expire.
type WorldList struct {
	// Worlds lists the default world first, then the others by age.
	Worlds []WorldInfo `json:"worlds"`
}

// listWorlds lists every world, the default one first.
func listWorlds(worlds Worlds, _ Nothing) (WorldList, error) {
	list := WorldList{[]WorldInfo{}}
	for _, w := range worlds.List() {
		list.Worlds = append(list.Worlds, w.Info())
	}
	return list, nil
}

// worldOf returns the world with an id. The call counts as a use of the world.
func worldOf(worlds Worlds, id string) (World, error) {
	if w, ok := worlds.World(id); ok {
		return w, nil
	}
	return nil, UnknownWorld(id)
}

// UnknownWorld is the error of a call in a world that was deleted, has expired or does not exist.
func UnknownWorld(id string) *Error {
	return errWorldUnknown.With("there is no world %q, or it has ended; GET /sim/v1/worlds lists them", id)
}

// detailsOf returns the details of a world, or the error.
func detailsOf(w World, err error) (WorldDetails, error) {
	if err != nil {
		return WorldDetails{}, err
	}
	return w.Details(), nil
}

// describeWorld returns a world with its credentials.
func describeWorld(worlds Worlds, in WorldID) (WorldDetails, error) {
	return detailsOf(worldOf(worlds, in.ID))
}

// NewWorld is the request for a world. Every field may be missing, and the body too. The credentials are derived from
// id and seed.
type NewWorld struct {
	// ID is a world's id; empty or missing: a random one.
	ID string `json:"id,omitempty" format:"world-id"`
	// Seed is the seed from which the world's data are generated; 0 or missing: the seed of the default world.
	Seed uint64 `json:"seed,omitempty"`
	// Now is the start of business time, from 2020 to 2046; missing: real time.
	Now *time.Time `json:"now,omitempty"`
	// Frozen stops business time until it is advanced or resumed.
	Frozen bool `json:"frozen,omitempty"`
	// AppURL is the shop shown in the in-app browser.
	AppURL string `json:"app_url,omitempty" format:"address"`
	// PushURL is the address to which the legacy gateway pushes tickets.
	PushURL string `json:"push_url,omitempty" format:"address"`
	// Apps are ports of this machine. The in-app browser may show the web app on each of them, at
	// <port>.inapp.localhost, in addition to the shops at the app_url of all worlds.
	Apps []int `json:"apps,omitempty" min:"1" max:"65535" maxItems:"32" code:"bad_address"`
}

// CreateWorld is the input of createWorld.
type CreateWorld struct {
	Body NewWorld `body:"optional"`
}

// createWorld creates a world. The credentials are derived from the id and the seed: the same id has the same ones.
func createWorld(worlds Worlds, in CreateWorld) (WorldDetails, error) {
	return detailsOf(worlds.Create(in.Body))
}

// WorldChange is a change of a world. Missing fields are not changed.
type WorldChange struct {
	// AppURL is the shop shown in the in-app browser; empty: none.
	AppURL *string `json:"app_url,omitempty" format:"address"`
	// PushURL is the address to which the legacy gateway pushes tickets; empty: no push.
	PushURL *string `json:"push_url,omitempty" format:"address"`
	// Apps are ports of this machine. The in-app browser may show the web app on each of them, at
	// <port>.inapp.localhost, in addition to the shops at the app_url of all worlds.
	Apps *[]int `json:"apps,omitempty" min:"1" max:"65535" maxItems:"32" code:"bad_address"`
}

// ChangeWorld is the input of changeWorld.
type ChangeWorld struct {
	WorldID
	Body WorldChange
}

// changeWorld changes the addresses of the world's shop, and the ports that the in-app browser may show.
func changeWorld(worlds Worlds, in ChangeWorld) (WorldDetails, error) {
	w, err := worldOf(worlds, in.ID)
	if err == nil {
		w.Change(in.Body)
	}
	return detailsOf(w, err)
}

// DeletedWorld is the answer to deleteWorld. The world's credentials are no longer valid.
type DeletedWorld struct {
	// Deleted is the id of the world.
	Deleted string `json:"deleted"`
}

// deleteWorld deletes a world. Its long polls end with world_gone.
func deleteWorld(worlds Worlds, in WorldID) (DeletedWorld, error) {
	if in.ID == DefaultWorld {
		return DeletedWorld{}, errDefaultWorld
	}
	if !worlds.Delete(in.ID) {
		return DeletedWorld{}, UnknownWorld(in.ID)
	}
	return DeletedWorld{in.ID}, nil
}

// Snapshot is a world in a file. Only files written by these simulators can be read.
type Snapshot struct {
	// Format is marquee-world.
	Format string `json:"format"`
	// Version is the version of the format. Any version but 1 is rejected with snapshot_version.
	Version int `json:"version"`
	// World is the id of the saved world.
	World string `json:"world" format:"world-id"`
	// Taken is the real time at which the world was saved.
	Taken time.Time `json:"taken"`
	// Seed is the seed from which the world's data are generated.
	Seed uint64 `json:"seed"`
	// Founded is the business time at which the world was created. The films' release days are relative to it.
	Founded time.Time `json:"founded"`
	// Clock is the world's clock.
	Clock testclock.State `json:"clock"`
	// AppURL is the shop shown in the in-app browser; empty: none.
	AppURL string `json:"app_url" format:"address"`
	// PushURL is the address to which the legacy gateway pushes tickets; empty: no push.
	PushURL string `json:"push_url" format:"address"`
	// Apps are ports of this machine whose web apps the in-app browser may show, at <port>.inapp.localhost.
	Apps []int `json:"apps,omitempty" min:"1" max:"65535" maxItems:"32" code:"bad_address"`
	// Faults are the planned faults.
	Faults faults.PlanState `json:"faults"`
	// Stubs are the answers to calls that are not simulated.
	Stubs faults.StubsState `json:"stubs,omitzero"`
	// Targets are the additional receivers of webhooks.
	Targets webhook.TargetsState `json:"targets,omitzero"`
	// States are the saved states of the providers, by the providers' names. Their content may change between versions.
	States map[string]json.RawMessage `json:"-" rest:"true"`
}

// SnapshotFile is a snapshot in its file format.
type SnapshotFile struct{ json.RawMessage }

// Shape returns the type of the file's content, for the document.
func (SnapshotFile) Shape() any { return Snapshot{} }

// takeSnapshot returns the world as a file: orders, seats, payments, refunds, pending webhooks, text messages and their
// limits, tokens, nonces, clock, faults, stubs and webhook targets. It contains neither the journal nor credentials.
func takeSnapshot(worlds Worlds, in WorldID) (SnapshotFile, error) {
	w, err := worldOf(worlds, in.ID)
	if err != nil {
		return SnapshotFile{}, err
	}
	return SnapshotFile{w.Snapshot()}, nil
}

// RestoreWorld is the input of restoreWorld.
type RestoreWorld struct {
	// ID is the new world's id; missing: a random one.
	ID string `query:"id" format:"world-id"`
	// AppURL is the shop shown in the in-app browser; missing: the snapshot's.
	AppURL string `query:"app_url" format:"address"`
	// PushURL is the address to which the legacy gateway pushes tickets; missing: the snapshot's.
	PushURL string `query:"push_url" format:"address"`
	Body    SnapshotFile
}

// restoreWorld creates a world from a snapshot. Everything in it continues from the saved state.
func restoreWorld(worlds Worlds, in RestoreWorld) (WorldDetails, error) {
	q := NewWorld{ID: in.ID, AppURL: in.AppURL, PushURL: in.PushURL}
	return detailsOf(worlds.Restore(in.Body.RawMessage, q))
}

// RestoreInto is the input of restoreInto.
type RestoreInto struct {
	WorldID
	Body SnapshotFile
}

// restoreInto returns a world to the state of a snapshot. The world keeps its id, credentials and journal. A rejected
// snapshot changes nothing.
func restoreInto(worlds Worlds, in RestoreInto) (WorldDetails, error) {
	w, err := worldOf(worlds, in.ID)
	if err == nil {
		err = w.Restore(in.Body.RawMessage)
	}
	return detailsOf(w, err)
}

// Fork is the request for a copy of a world. If an address is empty or missing, the copy has the forked world's
// address.
type Fork struct {
	// ID is the new world's id; empty or missing: a random one.
	ID string `json:"id,omitempty" format:"world-id"`
	// AppURL is the shop shown in the in-app browser.
	AppURL string `json:"app_url,omitempty" format:"address"`
	// PushURL is the address to which the legacy gateway pushes tickets.
	PushURL string `json:"push_url,omitempty" format:"address"`
	// Apps are ports of this machine whose web apps the in-app browser may show, at <port>.inapp.localhost.
	Apps []int `json:"apps,omitempty" min:"1" max:"65535" maxItems:"32" code:"bad_address"`
}

// ForkWorld is the input of forkWorld.
type ForkWorld struct {
	WorldID
	Body Fork `body:"optional"`
}

// forkWorld creates a copy of a world in its current state. The copy has another id and other credentials.
func forkWorld(worlds Worlds, in ForkWorld) (WorldDetails, error) {
	w, err := worldOf(worlds, in.ID)
	if err != nil {
		return WorldDetails{}, err
	}
	f := in.Body
	q := NewWorld{ID: f.ID, AppURL: f.AppURL, PushURL: f.PushURL, Apps: f.Apps}
	return detailsOf(worlds.Restore(w.Snapshot(), q))
}

// resetWorld returns a world to its initial state: the clock is reset, the journal is empty, and there are no orders,
// planned faults, stubs or webhook targets.
func resetWorld(worlds Worlds, in WorldID) (WorldDetails, error) {
	w, err := worldOf(worlds, in.ID)
	if err == nil {
		w.Reset()
	}
	return detailsOf(w, err)
}

// WorldInfo is a world in the list.
type WorldInfo struct {
	// ID is 3 to 32 of a-z, 0-9 and -, or default.
	ID string `json:"id"`
	// Seed is the seed from which the world's data are generated.
	Seed uint64 `json:"seed"`
	// Now is business time.
	Now time.Time `json:"now"`
	// Frozen is true if business time is stopped.
	Frozen bool `json:"frozen"`
	// Created is the real time at which the world was created.
	Created time.Time `json:"created"`
	// AppURL is the shop shown in the in-app browser; empty: none.
	AppURL string `json:"app_url"`
	// PushURL is the address to which the legacy gateway pushes tickets; empty: no push.
	PushURL string `json:"push_url"`
	// Apps are ports of this machine. The in-app browser may show the web app on each of them, at
	// <port>.inapp.localhost, in addition to the shops at the app_url of all worlds.
	Apps []int `json:"apps"`
	// ExpiresIn is the number of real seconds until the world expires if it is not called; null: never.
	ExpiresIn *int64 `json:"expires_in_seconds"`
}

// WorldDetails is a world with the data that a client needs to use it.
type WorldDetails struct {
	WorldInfo
	// Credentials select the world in every call.
	Credentials dataset.Credentials `json:"credentials"`
	// Addresses are the addresses of the providers.
	Addresses Addresses `json:"addresses"`
	// Environment contains the environment variables with which a shop uses this world.
	Environment map[string]string `json:"environment"`
}

// openapiJSON describes every call of the API. document_test.go in package simulators generates it from the operations.
//
//go:embed openapi.json
var openapiJSON []byte

// Document is an OpenAPI document.
type Document struct{ json.RawMessage }

// getOpenAPI returns the OpenAPI document of the control API.
func getOpenAPI(Worlds, Nothing) (Document, error) { return Document{openapiJSON}, nil }

// getCertificate returns the certificate to trust for HTTPS and the forward proxy. It is valid for every vendor's host.
// bin/sim keeps it between runs.
func getCertificate(worlds Worlds, _ Nothing) (File, error) {
	certificate, err := worlds.CertificatePEM()
	return File{"application/x-pem-file", "marquee-simulators-ca.pem", certificate}, err
}

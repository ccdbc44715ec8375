package control

import (
	"net/http"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
)

// health answers which providers the world has.
func health(w *World, _ *request) (any, error) {
	var names []string
	for _, p := range w.Plan.Providers() {
		names = append(names, p.Name)
	}
	now := w.Clock.Now().In(dataset.Zone)
	return map[string]any{"status": "ok", "world": w.ID, "seed": w.Seed, "now": now, "providers": names}, nil
}

func listFaults(w *World, _ *request) (any, error) {
	return map[string]any{"faults": w.Plan.Faults(), "providers": w.Plan.Providers(), "words": faults.WireKinds()}, nil
}

// planFault adds a fault. The plan checks what the document cannot: names of providers, operations and kinds.
func planFault(w *World, r *request) (any, error) {
	var f faults.Fault
	if err := r.decode(&f); err != nil {
		return nil, err
	}
	planned, err := w.Plan.Add(f)
	if err != nil {
		return nil, bad("invalid_fault", "%s", err)
	}
	return planned, nil
}

func listStubs(w *World, _ *request) (any, error) {
	return map[string]any{"stubs": w.Plan.Stubs().List()}, nil
}

// addStub adds an answer to calls that are not simulated.
func addStub(w *World, r *request) (any, error) {
	var s faults.Stub
	if err := r.decode(&s); err != nil {
		return nil, err
	}
	added, err := w.Plan.AddStub(s)
	if err != nil {
		return nil, bad("invalid_stub", "%s", err)
	}
	return added, nil
}

// removeStubs removes the stub with the id of the path, or without one all stubs.
func removeStubs(w *World, r *request) (any, error) {
	id := r.PathValue("id")
	removed := w.Plan.Stubs().Remove(id)
	if id != "" && removed == 0 {
		return nil, &Error{http.StatusNotFound, "stub_unknown", "no stub has the id " + id}
	}
	return map[string]int{"removed": removed}, nil
}

// removeFaults removes the fault with the id of the path or of the query, or without one all faults.
func removeFaults(w *World, r *request) (any, error) {
	id := r.PathValue("id")
	if id == "" {
		id = r.text("id")
	}
	if id == "" {
		removed := len(w.Plan.Faults())
		w.Plan.Clear()
		return map[string]int{"removed": removed}, nil
	}
	if !w.Plan.Remove(id) {
		return nil, &Error{http.StatusNotFound, "fault_not_found", "no fault has the id " + id}
	}
	return map[string]int{"removed": 1}, nil
}

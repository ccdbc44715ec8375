package control

import "marquee/simulators/faults"

// FaultList contains the planned faults, and the kinds of faults that can be planned.
type FaultList struct {
	// Faults are the planned faults, oldest first.
	Faults []faults.PlannedFault `json:"faults"`
	// Providers are the providers with their operations, and with their kinds of faults in addition to wire_kinds.
	Providers []faults.Provider `json:"providers"`
	// WireKinds are the kinds of faults that every provider has, which are faults of HTTP and TCP.
	WireKinds []faults.WireKind `json:"wire_kinds"`
}

// listFaults lists the planned faults, and the kinds of faults that can be planned.
func listFaults(w World, _ InWorld) (FaultList, error) {
	return FaultList{w.Faults().Faults(), w.Faults().Providers(), faults.WireKinds()}, nil
}

// PlanFault is the input of planFault.
type PlanFault struct {
	InWorld
	Body faults.Fault `code:"invalid_fault"`
}

// planFault plans a fault.
func planFault(w World, in PlanFault) (faults.Fault, error) {
	planned, err := w.Faults().Add(in.Body)
	if err != nil {
		return planned, errInvalidFault.With("%s", err)
	}
	return planned, nil
}

// Removed is the answer to a call that removes something.
type Removed struct {
	// Removed is the number of removed items.
	Removed int `json:"removed"`
}

// RemoveFaults is the input of removeFaults.
type RemoveFaults struct {
	InWorld
	// ID is the id of a fault; missing: all of them.
	ID string `query:"id"`
}

// removeFaults removes all faults, or the one with the id.
func removeFaults(w World, in RemoveFaults) (Removed, error) {
	if in.ID != "" {
		return removeFault(w, FaultID{in.InWorld, in.ID})
	}
	removed := len(w.Faults().Faults())
	w.Faults().Clear()
	return Removed{removed}, nil
}

// FaultID is the input of removeFault.
type FaultID struct {
	InWorld
	// ID is the id of a fault.
	ID string `path:"id"`
}

// removeFault removes one fault.
func removeFault(w World, in FaultID) (Removed, error) {
	if !w.Faults().Remove(in.ID) {
		return Removed{}, errFaultNotFound.With("no fault has the id %s", in.ID)
	}
	return Removed{1}, nil
}

// StubList is the list of the stubs.
type StubList struct {
	// Stubs are the stubs that have not expired, oldest first.
	Stubs []faults.Stub `json:"stubs"`
}

// listStubs lists the stubs that have not expired, oldest first.
func listStubs(w World, _ InWorld) (StubList, error) { return StubList{w.Faults().Stubs().List()}, nil }

// AddStub is the input of addStub.
type AddStub struct {
	InWorld
	Body faults.Stub `code:"invalid_stub"`
}

// addStub adds an answer to calls that are not simulated. The newest stub that matches a call answers it. A stub never
// answers a simulated call: plan a fault for that. The provider checks the call's signature first and signs the answer,
// like its other answers.
func addStub(w World, in AddStub) (faults.Stub, error) {
	added, err := w.Faults().AddStub(in.Body)
	if err != nil {
		return added, errInvalidStub.With("%s", err)
	}
	return added, nil
}

// removeStubs removes every stub.
func removeStubs(w World, _ InWorld) (Removed, error) {
	return Removed{w.Faults().Stubs().Remove("")}, nil
}

// StubID is the input of removeStub.
type StubID struct {
	InWorld
	// ID is the id of a stub.
	ID string `path:"id"`
}

// removeStub removes one stub.
func removeStub(w World, in StubID) (Removed, error) {
	removed := w.Faults().Stubs().Remove(in.ID)
	if removed == 0 {
		return Removed{}, errStubUnknown.With("no stub has the id %s", in.ID)
	}
	return Removed{removed}, nil
}

package sms

import (
	"maps"
	"slices"
	"time"

	"marquee/simulators/control"
)

// State is what a snapshot keeps of the provider.
type State struct {
	Messages    []control.Message      `json:"messages"`               // oldest first
	Last        int64                  `json:"last"`                   // id of a message
	Sent        map[string][]time.Time `json:"sent"`                   // business times by phone, for the limits
	SentTencent map[string][]time.Time `json:"sent_tencent,omitempty"` // the same in the second dialect
	Serial      int64                  `json:"serial"`
	Nonces      map[string]time.Time   `json:"nonces"` // of calls that may not be made again, with the real time they were seen
}

// Save is the provider as it is now.
func (s *Simulator) Save() State {
	s.mu.Lock()
	defer s.mu.Unlock()
	nonces := map[string]time.Time{}
	for nonce, at := range s.nonces {
		if time.Since(at) < 2*timeWindow {
			nonces[nonce] = at
		}
	}
	return State{
		Nonces: nonces, Messages: append([]control.Message{}, s.inbox.messages...), Last: s.inbox.last, Sent: s.sent.clone(), SentTencent: s.sentTencent.clone(), Serial: s.serial,
	}
}

func (s sent) clone() sent {
	c := sent{}
	for phone, times := range s {
		c[phone] = slices.Clone(times)
	}
	return c
}

// Load fills a new provider with what another saved. It never fails.
func (s *Simulator) Load(saved State) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox.messages, s.inbox.last, s.serial = slices.Clone(saved.Messages), saved.Last, saved.Serial
	maps.Copy(s.sent, saved.Sent)
	maps.Copy(s.sentTencent, saved.SentTencent)
	maps.Copy(s.nonces, saved.Nonces)
	return nil
}

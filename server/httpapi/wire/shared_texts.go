package wire

import (
	"context"
	"errors"
	"sync"
	"time"

	"marquee/server/fault"
)

const (
	// sharedLife is how long a shared text is kept. It is real time, because business time does not pass in tests.
	sharedLife = time.Second
	// sharedTextsKept is how many texts of a second are kept. It bounds the memory: the largest texts, the showings of
	// a cinema, have some 150 kB.
	sharedTextsKept = 512
)

// SharedTexts makes a text once per second of business time, for all requests in that second. The texts depend on
// business time only in whole seconds. A change of the data that a text shows is visible in the next second.
type SharedTexts struct {
	now func() time.Time // business time

	mu   sync.Mutex
	last *textsOfSecond // the texts of the latest second with a request; nil after sharedLife
}

type textsOfSecond struct {
	second int64 // business time
	texts  map[any]*sharedText
}

// sharedText is a text that its first request makes while the others wait.
type sharedText struct {
	made chan struct{} // closed when text and err are set
	text *Text
	err  error
}

// NewSharedTexts makes an empty SharedTexts; now is business time.
func NewSharedTexts(now func() time.Time) *SharedTexts { return &SharedTexts{now: now} }

// Get returns the text for a key, which must be comparable. The first request of a second calls makeText, and the
// others wait for it. Errors are not kept. After an error that concerns only the client of the first request
// (isOfOneClient), one of the waiting requests makes the text.
func (s *SharedTexts) Get(ctx context.Context, key any, makeText func() (*Text, error)) (*Text, error) {
	s.mu.Lock()
	current := s.current()
	shared, found := current.texts[key]
	if !found {
		if len(current.texts) >= sharedTextsKept {
			clear(current.texts)
		}
		shared = &sharedText{made: make(chan struct{}), err: context.Canceled} // stays if makeText panics
		current.texts[key] = shared
	}
	s.mu.Unlock()
	if !found {
		defer func() {
			if shared.err != nil {
				s.mu.Lock()
				delete(current.texts, key)
				s.mu.Unlock()
			}
			close(shared.made)
		}()
		shared.text, shared.err = makeText()
		return shared.text, shared.err
	}
	select {
	case <-shared.made:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if isOfOneClient(shared.err) {
		return s.Get(ctx, key, makeText)
	}
	return shared.text, shared.err
}

// current returns the texts of this second of business time. The caller holds mu.
func (s *SharedTexts) current() *textsOfSecond {
	second := s.now().Unix()
	if s.last == nil || s.last.second != second {
		begun := &textsOfSecond{second, map[any]*sharedText{}}
		s.last = begun
		time.AfterFunc(sharedLife, func() { s.forget(begun) })
	}
	return s.last
}

// forget frees texts, if those of another second have not replaced them already.
func (s *SharedTexts) forget(texts *textsOfSecond) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == texts {
		s.last = nil
	}
}

// isOfOneClient reports whether an error concerns only the client whose request made the text: the client has
// disconnected, its request has timed out, or it has sent too many requests.
func isOfOneClient(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		fault.KindOf(err) == fault.Limited
}

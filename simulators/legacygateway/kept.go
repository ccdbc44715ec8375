package legacygateway

import (
	"sync"
	"time"

	"marquee/simulators/dataset"
)

// reads keeps encoded answers that change with the business day at most.
type reads struct {
	mu    sync.Mutex
	day   time.Time
	bytes map[string][]byte
}

const keepReads = 200

// kept is the answer of the key, made by f unless it was made today. What it depends on besides the day must stand
// in the key.
func (g *Gateway) kept(key string, f func() []byte) []byte {
	day := dataset.Day(g.c.Country.Now())
	r := &g.reads
	r.mu.Lock()
	defer r.mu.Unlock()
	if !day.Equal(r.day) || len(r.bytes) >= keepReads {
		r.day, r.bytes = day, map[string][]byte{}
	}
	if _, ok := r.bytes[key]; !ok {
		r.bytes[key] = f()
	}
	return r.bytes[key]
}

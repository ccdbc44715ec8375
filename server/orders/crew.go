package orders

import (
	"context"
	"sync"
	"sync/atomic"
)

// crew is who works on the tasks of this server. Every lane has a share of workers of its own, so that a party which
// does not answer keeps only its own tasks waiting.
type crew struct {
	hiring sync.Mutex // held from counting the free workers until they have their tasks

	mu      sync.Mutex
	busy    map[Lane]int
	running map[string]*Task // by kind and subject: what is to follow it, because there was news meanwhile
}

// shift is the tasks that one call of Run or RunDue started.
type shift struct {
	group  sync.WaitGroup
	active atomic.Int64
	ended  chan struct{} // holds something when a task has ended since it was last looked at
	failed func(error)
}

func newShift(failed func(error)) *shift {
	return &shift{ended: make(chan struct{}, 1), failed: failed}
}

func (t Task) key() string { return string(t.Kind) + "/" + t.Subject }

// startDue leases what is due and has a free worker in its lane, sets to work on it, and tells how many tasks this shift has more for it.
func (s *Service) startDue(ctx context.Context, sh *shift) (int, error) {
	s.crew.hiring.Lock()
	defer s.crew.hiring.Unlock()
	now := s.Now()
	tasks, err := s.Store.Claim(ctx, now, now.Add(s.Lease), s.Workers, s.crew.load())
	if err != nil {
		return 0, err
	}
	started := 0
	for _, t := range tasks {
		if !s.crew.begin(t) {
			continue
		}
		started++
		sh.active.Add(1)
		sh.group.Go(func() {
			for next := &t; next != nil; next = s.crew.end(*next) {
				if err := s.runTask(ctx, *next); err != nil {
					sh.failed(err)
				}
			}
			sh.active.Add(-1)
			select {
			case sh.ended <- struct{}{}:
			default: // known already
			}
		})
	}
	return started, nil
}

// load is how many workers of each lane are busy.
func (c *crew) load() map[Lane]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	busy := make(map[Lane]int, len(c.busy))
	for lane, n := range c.busy {
		busy[lane] = n
	}
	return busy
}

// begin tells whether a worker takes the task up now. News reschedules a task while a worker is still at it: it then
// follows when that worker is done, so that nothing is ever done twice at once.
func (c *crew) begin(t Task) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, on := c.running[t.key()]; on {
		c.running[t.key()] = &t
		return false
	}
	c.running[t.key()] = nil
	c.busy[t.Lane]++
	return true
}

// end frees the worker, or tells it what follows.
func (c *crew) end(t Task) *Task {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy[t.Lane]--
	next := c.running[t.key()]
	if next == nil {
		delete(c.running, t.key())
		return nil
	}
	c.running[t.key()] = nil
	c.busy[next.Lane]++
	return next
}

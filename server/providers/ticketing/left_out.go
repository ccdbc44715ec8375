package ticketing

import (
	"context"
	"log/slog"
	"maps"
	"sync"
)

// LeftOut counts and logs the rows that a client leaves out of the lists of its provider because they cannot be read or
// contradict the rest of the answer. The other rows are used. It is safe for concurrent use.
type LeftOut struct {
	logger *slog.Logger

	mu    sync.Mutex
	calls map[string]int64
}

// NewLeftOut returns a LeftOut. A nil logger means the default one.
func NewLeftOut(provider string, logger *slog.Logger) *LeftOut {
	if logger == nil {
		logger = slog.Default()
	}
	return &LeftOut{logger: logger.With("provider", provider), calls: map[string]int64{}}
}

// Record records why rows of one answer to a call are left out. It logs one line per answer, and none if there are no
// reasons.
func (l *LeftOut) Record(call string, reasons []error) {
	if len(reasons) == 0 {
		return
	}
	l.mu.Lock()
	l.calls[call] += int64(len(reasons))
	l.mu.Unlock()
	l.logger.LogAttrs(context.Background(), slog.LevelWarn, "rows of a provider's list left out",
		slog.String("call", call), slog.Int("rows", len(reasons)), slog.Any("first", reasons[0]))
}

// Counts returns the number of rows that were left out, by call.
func (l *LeftOut) Counts() map[string]int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.calls)
}

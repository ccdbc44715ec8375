package ops

import (
	"context"
	"errors"

	"marquee/server/account"
)

// The outcomes of SMS codes.
const (
	messageSent     = "sent"    // or perhaps sent
	messageLimited  = "limited" // a limit of the phone or of the client's address
	messageCeiling  = "ceiling" // the hourly ceiling of the shop
	messageRejected = "refused" // by the vendor
	messageFailed   = "failed"  // the vendor did not answer
)

// CountCodes returns the store with a count of the codes that it rejects because of a limit.
func (m *Metrics) CountCodes(store account.CodeStore) account.CodeStore {
	return countedCodes{store, m}
}

type countedCodes struct {
	account.CodeStore
	metrics *Metrics
}

// AddCode counts a code that is rejected by a limit of the phone or network, or by the ceiling of the shop.
func (s countedCodes) AddCode(ctx context.Context, c account.Code, limits account.Limits) (int64, error) {
	id, err := s.CodeStore.AddCode(ctx, c, limits)
	switch {
	case errors.Is(err, account.ErrSMSLimited):
		s.metrics.messages.WithLabelValues(messageLimited).Inc()
	case errors.Is(err, account.ErrSMSCeiling):
		s.metrics.messages.WithLabelValues(messageCeiling).Inc()
	}
	return id, err
}

// The outcomes of challenges.
const (
	challengePassed    = "passed"
	challengeFailed    = "failed"
	challengeUnchecked = "unchecked" // the vendor was unavailable, and the code may be sent within lower limits
)

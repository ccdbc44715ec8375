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

// Notices measures the calls of the SMS vendor that send a notice.
func (p Provider) Notices(s account.NoticeSender) account.NoticeSender { return noticeSender{s, p} }

type noticeSender struct {
	account.NoticeSender
	provider Provider
}

// SendNotice implements account.NoticeSender.
func (s noticeSender) SendNotice(ctx context.Context, phone, template, at string) error {
	_, err := observe(ctx, s.provider, "send_notice", func() (struct{}, error) {
		return struct{}{}, s.NoticeSender.SendNotice(ctx, phone, template, at)
	})
	return err
}

// The outcomes of challenges.
const (
	challengePassed    = "passed"
	challengeFailed    = "failed"
	challengeUnchecked = "unchecked" // the vendor was unavailable, and the code may be sent within lower limits
)

// Challenge measures the calls of the captcha vendor, and counts the challenges. It returns nil for nil.
func (p Provider) Challenge(c account.Challenge) account.Challenge {
	if c == nil {
		return nil
	}
	return challenge{c, p}
}

type challenge struct {
	account.Challenge
	provider Provider
}

// Check counts the challenge as passed, failed or unchecked.
func (c challenge) Check(ctx context.Context, answer account.ChallengeAnswer, address string) error {
	_, err := observe(ctx, c.provider, "check", func() (struct{}, error) {
		return struct{}{}, c.Challenge.Check(ctx, answer, address)
	})
	outcome := challengeFailed
	switch outcomeOf(err) {
	case "ok":
		outcome = challengePassed
	case "unavailable", "unknown":
		outcome = challengeUnchecked
	}
	c.provider.metrics.challenges.WithLabelValues(outcome).Inc()
	return err
}

// Sender measures the calls of the SMS vendor, and counts the messages.
func (p Provider) Sender(s account.CodeSender) account.CodeSender { return sender{s, p} }

type sender struct {
	account.CodeSender
	provider Provider
}

// SendCode counts the message as sent, rejected or failed.
func (s sender) SendCode(ctx context.Context, phone, code string) error {
	_, err := observe(ctx, s.provider, "send_code", func() (struct{}, error) {
		return struct{}{}, s.CodeSender.SendCode(ctx, phone, code)
	})
	outcome := messageRejected
	switch outcomeOf(err) {
	case "ok", "unknown":
		outcome = messageSent
	case "unavailable", "error":
		outcome = messageFailed
	}
	s.provider.metrics.messages.WithLabelValues(outcome).Inc()
	return err
}

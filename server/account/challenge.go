package account

import (
	"context"
	"errors"

	"marquee/server/fault"
)

// ChallengeAnswer is what the challenge of a captcha vendor gave the app.
type ChallengeAnswer struct {
	Ticket string // as the vendor's script returned it
	Random string // the text that belongs to the ticket
}

// Challenge tells people from programs before a code is sent to a stranger's request.
type Challenge interface {
	// Check returns ErrChallengeFailed if the vendor does not accept the answer of the client with the address, and
	// fault.ErrUnavailable or a fault of kind Unknown if the vendor does not tell.
	Check(ctx context.Context, answer ChallengeAnswer, address string) error
}

// checkChallenge checks the answer to the challenge. Codes are sent without it while the vendor does not answer: the
// limits still hold, and an outage of the vendor must not keep every new buyer out.
func (c *Codes) checkChallenge(ctx context.Context, from Origin) error {
	switch {
	case c.challenge == nil:
		return nil
	case from.Answer.Ticket == "":
		return ErrChallengeRequired
	}
	err := c.challenge.Check(ctx, from.Answer, from.Address)
	if err == nil || errors.Is(err, ErrChallengeFailed) {
		return err
	}
	if kind := fault.KindOf(err); kind != fault.Unavailable && kind != fault.Unknown {
		return err
	}
	c.logger.WarnContext(ctx, "challenge not checked: the vendor does not answer", "error", err)
	return nil
}

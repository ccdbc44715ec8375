package account

import (
	"context"
	"errors"

	"marquee/server/fault"
)

// ChallengeAnswer is the proof of a solved captcha, which the web app got from the captcha vendor's script.
type ChallengeAnswer struct {
	Ticket string // as the vendor's script returned it
	Random string // the random text that belongs to the ticket
}

// Challenge checks captchas, which distinguish people from bots before a code is sent for a stranger (see Limits).
type Challenge interface {
	// Check returns ErrChallengeFailed if the vendor does not accept the answer that the client with the address gave,
	// and fault.ErrUnavailable or a fault of kind Unknown if the vendor does not report a result.
	Check(ctx context.Context, answer ChallengeAnswer, address string) error
}

// checkChallenge checks the answer to the challenge, and returns the limits that apply to the code. While the vendor is
// unavailable, codes are sent without the check, within lower limits: otherwise no new buyer could log in.
func (c *Codes) checkChallenge(ctx context.Context, from Origin) (Limits, error) {
	switch {
	case c.challenge == nil:
		return c.limits, nil
	case from.Answer.Ticket == "":
		return Limits{}, ErrChallengeRequired
	}
	err := c.challenge.Check(ctx, from.Answer, from.Address)
	if err == nil {
		return c.limits, nil
	}
	if kind := fault.KindOf(err); errors.Is(err, ErrChallengeFailed) ||
		kind != fault.Unavailable && kind != fault.Unknown {
		return Limits{}, err
	}
	c.logger.WarnContext(ctx, "challenge not checked: vendor unavailable", "error", err)
	return c.limits.unchallenged(), nil
}

// unchallenged returns the limits for strangers whose challenge could not be checked. They are lower, because an
// attacker may wait for an outage of the vendor. For one phone, one network gets one code in an hour and two in a day;
// for all phones, it gets a sixth of its usual number. All strangers together get a fifth of the codes of the shop.
func (l Limits) unchallenged() Limits {
	at := func(limit, most int) int {
		if limit == 0 {
			return most
		}
		return min(limit, most)
	}
	part := func(limit, of int) int {
		if limit == 0 {
			return 0
		}
		return max(1, limit/of)
	}
	l.StrangerHour, l.StrangerDay = at(l.StrangerHour, 2), at(l.StrangerDay, 4)
	l.OriginHour, l.OriginDay = at(l.OriginHour, 1), at(l.OriginDay, 2)
	l.NetworkHour, l.NetworkDay = part(l.NetworkHour, 6), part(l.NetworkDay, 6)
	l.ShopHour = part(l.ShopHour, 4) // strangers may use four fifths of it, which is a fifth of all codes
	return l
}

package ops

import (
	"errors"

	"marquee/server/account"
)

// The outcomes of requests for SMS codes, in the metric marquee_sms_messages_total.
const (
	messageSent     = "sent"    // the vendor has sent it, or may have
	messageLimited  = "limited" // rejected by a limit of the phone or of the client's network
	messageCeiling  = "ceiling" // the hourly ceiling of the shop
	messageRejected = "refused" // the vendor rejected or limited the phone
	messageFailed   = "failed"  // any other error of the vendor, or no answer
)

// CountLimitedCode counts a code that is not sent because of a limit of the phone or network, or of the hourly ceiling
// of the shop. It ignores other errors.
func (m *Metrics) CountLimitedCode(err error) {
	switch {
	case errors.Is(err, account.ErrSMSLimited):
		m.messages.WithLabelValues(messageLimited).Inc()
	case errors.Is(err, account.ErrSMSCeiling):
		m.messages.WithLabelValues(messageCeiling).Inc()
	}
}

// The outcomes of challenges (captchas), in the metric marquee_challenges_total.
const (
	challengePassed    = "passed"
	challengeFailed    = "failed"
	challengeUnchecked = "unchecked" // the vendor was unavailable, and the code may be sent within lower limits
)

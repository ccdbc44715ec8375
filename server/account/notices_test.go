package account_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
)

// notifier is the store and the sender of one notice.
type notifier struct {
	notice account.Notice
	ended  bool
	result error // of the vendor
	sent   []string
}

func (n *notifier) Notice(context.Context, int64) (account.Notice, bool, error) {
	return n.notice, !n.ended, nil
}

func (n *notifier) EndNotice(context.Context, int64) error {
	n.ended = true
	return nil
}

func (n *notifier) SendNotice(_ context.Context, phone, template, at string) error {
	n.sent = append(n.sent, phone+" "+template+" "+at)
	return n.result
}

func TestNotices_AreSentOnceAndNotTooLate(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 25, 16, 5, 0, 0, time.UTC)
	const message = "13800000001 SMS_1 11月26日 00:05" // in Beijing
	for name, c := range map[string]struct {
		kind  account.NoticeKind
		late  time.Duration
		fails error
		sends bool
		again bool // it is tried once more
	}{
		"sent":                         {kind: account.NewPhone, sends: true},
		"perhaps sent":                 {kind: account.NewPhone, sends: true, fails: fault.ErrUnknown},
		"the vendor rejects the phone": {kind: account.NewPhone, sends: true, fails: account.ErrPhoneRejected},
		"the vendor does not answer":   {kind: account.NewPhone, sends: true, fails: fault.ErrUnavailable, again: true},
		"the vendor sends no more":     {kind: account.NewPhone, sends: true, fails: account.ErrSMSLimited, again: true},
		"no template":                  {kind: account.NewDevice},
		"just in time":                 {kind: account.NewPhone, late: durations.Notice - time.Second, sends: true},
		"too late":                     {kind: account.NewPhone, late: durations.Notice},
	} {
		n := &notifier{notice: account.Notice{ID: 1, Kind: c.kind, Phone: alice, At: at}}
		if c.fails != nil {
			n.result = fmt.Errorf("send: %w", c.fails)
		}
		s := account.NewNotices(account.NoticesConfig{
			Store: n, Sender: n, Templates: map[account.NoticeKind]string{account.NewPhone: "SMS_1"},
			Now: func() time.Time { return at.Add(c.late) }, Logger: slog.New(slog.DiscardHandler),
		})
		err := s.Send(t.Context(), 1)
		require.Equal(t, c.again, err != nil, name)
		require.Equal(t, !c.again, n.ended, name)
		if !c.sends {
			require.Empty(t, n.sent, name)
			continue
		}
		require.Equal(t, []string{message}, n.sent, name)
		if !c.again {
			require.NoError(t, s.Send(t.Context(), 1))
			require.Len(t, n.sent, 1, "%s: once", name)
		}
	}
}

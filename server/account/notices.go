package account

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"marquee/server/beijing"
	"marquee/server/durations"
	"marquee/server/fault"
)

// NoticeKind is the kind of a security notice by SMS to the owner of an account. The values are stored and are never
// renamed.
type NoticeKind string

// The kinds of notices. The journal has an event for each.
const (
	NewIdentity NoticeKind = "identity" // an identity in the messaging app was bound
	NewPhone    NoticeKind = "phone"    // the account has another phone; sent to the former one
	NewPassword NoticeKind = "password" // a payment password was set
	NewDevice   NoticeKind = "device"   // a login on a device that the account did not know
)

// NoticesPerDay is how many notices of one kind are sent to a phone in 24 hours. The kinds are counted separately, so
// that many logins do not prevent the notice of a new phone.
const NoticesPerDay = 3

// NoticeQueue and NoticeTask are the queue and the kind of the tasks that send notices; the subject of a task is the
// notice's id.
const (
	NoticeQueue = "sms"
	NoticeTask  = "account_notice"
)

// Notice is a notice that has not been sent yet. The store saves it and its task in the transaction of the change.
type Notice struct {
	ID    int64
	Kind  NoticeKind
	Phone string    // in full
	At    time.Time // of the change, business time
}

// NoticeStore keeps the notices.
type NoticeStore interface {
	// Notice returns a notice. It reports false if the notice has been sent or its account was closed.
	Notice(ctx context.Context, id int64) (n Notice, found bool, err error)
	// EndNotice records that a notice must not be sent again, because it was sent or cannot be. It still counts against
	// NoticesPerDay.
	EndNotice(ctx context.Context, id int64) error
}

// NoticeSender sends a notice by SMS.
type NoticeSender interface {
	// SendNotice sends the vendor's template with its variable time set to at, such as "3月14日 12:30". It returns the
	// errors of CodeSender.SendCode.
	SendNotice(ctx context.Context, phone, template, at string) error
}

// NoticesConfig is what Notices needs.
type NoticesConfig struct {
	Store     NoticeStore
	Sender    NoticeSender
	Templates map[NoticeKind]string // names of the vendor's templates; a kind without a template is not sent
	Now       func() time.Time      // business time
	Logger    *slog.Logger
}

// Notices sends notices to the owners of accounts.
type Notices struct{ NoticesConfig }

// NewNotices makes Notices.
func NewNotices(c NoticesConfig) *Notices { return &Notices{c} }

// Send sends a notice, unless it was sent, is too old or has no template. It returns an error if sending must be
// retried. A notice of which it is unknown whether it was sent is not sent again, because it may have arrived.
func (n *Notices) Send(ctx context.Context, id int64) error {
	notice, found, err := n.Store.Notice(ctx, id)
	if err != nil || !found {
		return err
	}
	template := n.Templates[notice.Kind]
	if template != "" && n.Now().Sub(notice.At) < durations.Notice {
		err := n.Sender.SendNotice(ctx, notice.Phone, template, notice.At.In(beijing.Time).Format("1月2日 15:04"))
		switch kind := fault.KindOf(err); {
		case err == nil || kind == fault.Unknown:
		case errors.Is(err, ErrPhoneRejected):
			n.Logger.WarnContext(ctx, "notice not sent: the vendor rejects the phone", "notice", id, "error", err)
		default:
			return fmt.Errorf("send the notice: %w", err)
		}
	}
	return n.Store.EndNotice(ctx, id)
}

package purchasetest

import (
	"context"
	"fmt"
	"sync/atomic"

	"marquee/server/fault"
)

// Password is the payment password of every fake buyer.
const Password = "246810"

// Buyers implements checkout.Identities and checkout.PasswordVerifier for buyers with any id: the identity of a buyer
// is OpenID(id), and the payment password is Password.
type Buyers struct {
	Plans
	checks atomic.Int32
}

// OpenID returns the buyer's identity in the messaging app.
func OpenID(userID int64) string { return fmt.Sprintf("openid-%d", userID) }

// OwnsOpenID implements checkout.Identities. It returns a fault with code openid_unproven for another identity.
func (b *Buyers) OwnsOpenID(_ context.Context, userID int64, openID string) error {
	if openID != OpenID(userID) {
		return fault.New(fault.Forbidden, "openid_unproven", "微信身份已过期，请重新登录")
	}
	return nil
}

// ErrPassword is returned by VerifyPaymentPassword for a wrong password.
var ErrPassword = fault.New(fault.Forbidden, "payment_password_wrong", "支付密码错误")

// VerifyPaymentPassword implements checkout.PasswordVerifier. It does not count attempts.
func (b *Buyers) VerifyPaymentPassword(ctx context.Context, _ int64, password string) error {
	b.checks.Add(1)
	if err := ctx.Err(); err != nil {
		return err
	}
	if password != Password {
		return ErrPassword
	}
	return nil
}

// PasswordChecks returns how often VerifyPaymentPassword was called.
func (b *Buyers) PasswordChecks() int { return int(b.checks.Load()) }

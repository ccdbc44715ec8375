package purchasetest

import (
	"context"
	"fmt"

	"marquee/server/fault"
)

// Password is everybody's payment password.
const Password = "246810"

// Buyers knows every buyer: phone 138… with the id at its end, identity "openid-<id>", payment password Password.
type Buyers struct{ Script }

// Phone implements order.Buyers.
func (b *Buyers) Phone(_ context.Context, userID int64) (string, error) {
	return fmt.Sprintf("138%08d", userID), nil
}

// OpenID is the buyer's identity.
func OpenID(userID int64) string { return fmt.Sprintf("openid-%d", userID) }

// OwnsOpenID implements order.Buyers.
func (b *Buyers) OwnsOpenID(_ context.Context, userID int64, openID string) error {
	if openID != OpenID(userID) {
		return fault.New(fault.Forbidden, "openid_unproven", "微信身份已过期，请重新登录")
	}
	return nil
}

// ErrPassword is what a wrong password fails with.
var ErrPassword = fault.New(fault.Forbidden, "payment_password_wrong", "支付密码错误")

// VerifyPaymentPassword implements checkout.PasswordVerifier.
func (b *Buyers) VerifyPaymentPassword(_ context.Context, _ int64, password string) error {
	if password != Password {
		return ErrPassword
	}
	return nil
}

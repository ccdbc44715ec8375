package goods

import (
	"marquee/server/fault"
	"marquee/server/input"
)

// Faults of the account to be recharged.
var (
	// ErrAccountRequired means that the account contains no letter or digit.
	ErrAccountRequired = fault.New(fault.Invalid, "recharge_account_required", "请输入充值账号")
	// ErrAccountInvalid means that the account does not have the format of the goods. Its message contains the format.
	ErrAccountInvalid = fault.New(fault.Invalid, "recharge_account_invalid", "请输入正确的充值账号")
)

// AccountFormat is the format of the accounts that goods recharge.
type AccountFormat string

// The formats.
const (
	PhoneAccount  AccountFormat = "phone"
	QQAccount     AccountFormat = "qq"
	MemberAccount AccountFormat = "member" // any letters and digits, as the specification requires
	MailAccount   AccountFormat = "mail"
)

// accountRules maps each format to its input field and to the error for an account that does not have the format.
var accountRules = map[AccountFormat]struct {
	field   input.Field
	invalid *fault.Fault
}{
	PhoneAccount:  {input.RechargePhone, ErrAccountInvalid.WithMessage("请输入正确的手机号")},
	QQAccount:     {input.RechargeQQ, ErrAccountInvalid.WithMessage("请输入正确的QQ号")},
	MemberAccount: {input.RechargeMember, ErrAccountInvalid.WithMessage("充值账号不能超过64个字")},
	MailAccount:   {input.RechargeMail, ErrAccountInvalid.WithMessage("请输入正确的邮箱")},
}

// accountFits reports whether the goods have an account format if and only if they recharge an account.
func (g Goods) accountFits() bool {
	if g.Type != AccountRecharge {
		return g.Account == ""
	}
	_, found := accountRules[g.Account]
	return found
}

// ReadAccount returns the normalized account to be recharged, or "" for goods with codes. It returns ErrAccountRequired
// if the input has no letter or digit, and ErrAccountInvalid if the account does not have the format of the goods.
func (g Goods) ReadAccount(typed string) (string, error) {
	rule, found := accountRules[g.Account]
	if !found {
		return "", nil
	}
	account := rule.field.Read(typed)
	switch {
	case input.RechargeMember.Read(typed) == "":
		return "", ErrAccountRequired
	case !rule.field.Valid(account):
		return "", rule.invalid
	}
	return account, nil
}

package goods

import (
	"marquee/server/fault"
	"marquee/server/input"
)

// Errors of the account to be recharged.
var (
	// ErrAccountRequired means that nothing is left of the account after it was stripped.
	ErrAccountRequired = fault.New(fault.Invalid, "recharge_account_required", "请输入充值账号")
	// ErrAccountInvalid means that the account does not have the format of the goods. Its message names the format.
	ErrAccountInvalid = fault.New(fault.Invalid, "recharge_account_invalid", "请输入正确的充值账号")
)

// AccountFormat is what the account looks like that goods recharge.
type AccountFormat string

// The formats.
const (
	PhoneAccount  AccountFormat = "phone"
	QQAccount     AccountFormat = "qq"
	MemberAccount AccountFormat = "member" // any letters and digits: the rule of the specification
	MailAccount   AccountFormat = "mail"
)

// accountRules has how an account of each format is read, and what a buyer is told about another one.
var accountRules = map[AccountFormat]struct {
	field   input.Field
	invalid *fault.Fault
}{
	PhoneAccount:  {input.RechargePhone, ErrAccountInvalid.WithMessage("请输入正确的手机号")},
	QQAccount:     {input.RechargeQQ, ErrAccountInvalid.WithMessage("请输入正确的QQ号")},
	MemberAccount: {input.RechargeMember, ErrAccountInvalid.WithMessage("充值账号不能超过64个字")},
	MailAccount:   {input.RechargeMail, ErrAccountInvalid.WithMessage("请输入正确的邮箱")},
}

// accountFits reports whether goods that recharge an account have its format, and others have none.
func (g Goods) accountFits() bool {
	if g.Type != AccountRecharge {
		return g.Account == ""
	}
	_, found := accountRules[g.Account]
	return found
}

// ReadAccount returns the account to be recharged without what does not belong to it, or "" for goods that are codes.
// It returns ErrAccountRequired if no letter and no digit was typed, and ErrAccountInvalid if the account does not have
// the format of the goods.
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

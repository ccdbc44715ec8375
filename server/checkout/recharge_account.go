package checkout

import (
	"strings"
	"unicode"

	"marquee/server/fault"
	"marquee/server/goods"
)

// ErrAccountRequired means that the account to be recharged is missing, or contains characters that no account has.
var ErrAccountRequired = fault.New(fault.Invalid, "recharge_account_required", "请输入充值账号")

var errAccountInvalid = ErrAccountRequired.WithMessage("充值账号只能包含汉字、字母、数字和 . _ - + @")

const (
	// maxAccount bounds a recharge account, in bytes.
	maxAccount = 64
	// rightToLeft are the invisible marks that turn the direction of reading: with one of them, the account that the
	// buyer saw and the account that would be recharged are two.
	rightToLeft = "\u061c\u200f\u202b\u202e\u2067"
	// accountSigns are the signs of mail addresses.
	accountSigns = "._-+@"
)

// rechargeAccount returns the account to be recharged, as the buyer saw it, or "" for goods that need none. Spaces
// and invisible marks, which come with a copied number, are removed. Any other character that is not a Chinese or
// Latin letter, a digit or one of accountSigns is refused and not removed, because the rest would be another buyer's
// account.
func rechargeAccount(o goods.Offer, typed string) (string, error) {
	if o.Goods.Type != goods.AccountRecharge {
		return "", nil
	}
	account := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) || (unicode.Is(unicode.Cf, r) && !strings.ContainsRune(rightToLeft, r)) {
			return -1
		}
		return r
	}, strings.TrimSpace(typed))
	refused := func(r rune) bool { return !isLetterOrDigit(r) && !strings.ContainsRune(accountSigns, r) }
	switch {
	case !strings.ContainsFunc(account, isLetterOrDigit):
		return "", ErrAccountRequired
	case len(account) > maxAccount, strings.ContainsFunc(account, refused):
		return "", errAccountInvalid
	}
	return account, nil
}

// isLetterOrDigit reports whether r is a Chinese or Latin letter, or a digit.
func isLetterOrDigit(r rune) bool {
	return unicode.Is(unicode.Han, r) || (r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)))
}

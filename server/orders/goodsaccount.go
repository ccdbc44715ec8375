package orders

import (
	"strings"
	"unicode"

	"marquee/server/goods"
)

// longestAccount bounds a recharge account, in bytes.
const longestAccount = 64

// turning are the invisible marks after which text is read the other way: with one of them, what the buyer saw and
// what would be recharged are two accounts.
const turning = "\u061c\u200f\u202b\u202e\u2067"

var errAccountInvalid = ErrAccountRequired.WithMessage("充值账号只能包含汉字、字母、数字和 . _ - + @")

// accountOf is the account to be recharged, as the buyer saw it: spaces and invisible marks, which come with a number
// that was copied, go. Whatever else is neither a Chinese or Latin letter, nor a digit, nor a sign that mail addresses
// need, is refused and not taken out, for what is left would be somebody else's account. An account without a letter or
// digit is none.
func accountOf(o goods.Offer, typed string) (string, error) {
	if o.Goods.Type != goods.AccountRecharge {
		return "", nil
	}
	account := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) || (unicode.Is(unicode.Cf, r) && !strings.ContainsRune(turning, r)) {
			return -1
		}
		return r
	}, strings.TrimSpace(typed))
	switch {
	case !strings.ContainsFunc(account, solid):
		return "", ErrAccountRequired
	case len(account) > longestAccount, strings.ContainsFunc(account, func(r rune) bool { return !solid(r) && !strings.ContainsRune("._-+@", r) }):
		return "", errAccountInvalid
	}
	return account, nil
}

// solid is what an account cannot be without: a Chinese or Latin letter, or a digit.
func solid(r rune) bool {
	return unicode.Is(unicode.Han, r) || (r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)))
}

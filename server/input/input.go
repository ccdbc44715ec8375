// Package input normalizes and checks what people type, paste and scan into the fields of the shop: phones, codes, card
// numbers and passwords, points and accounts to recharge. The web app applies the same rules: a test writes them to
// web/src/shop/input.json, and both sides are tested with the same file of examples.
package input

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Field has the rules for one kind of field. Read first replaces full-width characters by ASCII, then applies Strip,
// Upper and Replace, in this order. The patterns mean the same in Go and in JavaScript.
type Field struct {
	Strip   *regexp.Regexp // what Read removes
	Upper   bool           // Read turns letters into capitals
	Replace *regexp.Regexp // what Read replaces by With; nil for nothing
	With    string         // the replacement; may contain the group of Replace as $1
	Pattern *regexp.Regexp // what a valid value matches
	// Shortest and Longest are the minimum and maximum number of characters of a valid value. A value that matches
	// Lead, such as a phone with a country code, is longer until Replace has been applied: while it is typed, it may
	// have LongestLead characters. Lead may be nil.
	Shortest, Longest int
	Lead              *regexp.Regexp
	LongestLead       int
}

// Parts of the patterns.
const (
	// unseen are spaces, control and private-use characters, direction marks, joiners, fillers and variation selectors,
	// which text that is copied from elsewhere may contain.
	unseen = `\p{Z}\p{Cc}\p{Cf}\p{Co}` + "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
	// separators are characters that people write between groups of digits, and around a country code.
	separators = `\p{Pd}` + "\u2212\u00b7\u2022\u30fb" + `.()/_`
	// accountLetters are the characters of an account by the specification (rule-recharge-account-strip).
	accountLetters = `\p{Han}A-Za-z0-9`
)

var (
	invisible     = regexp.MustCompile("[" + unseen + "]")
	betweenDigits = regexp.MustCompile("[" + unseen + separators + "]")
	notOfAccount  = regexp.MustCompile("[^" + accountLetters + "]")
)

// The fields.
var (
	// Phone is a mainland mobile number (rule-phone-pattern), also with the country code.
	Phone = phone(betweenDigits)
	// Code is a code that was sent by SMS.
	Code = Field{Strip: betweenDigits, Pattern: regexp.MustCompile(`^\d{6}$`), Shortest: 6, Longest: 6}
	// Card is the number of a card, or a coupon code. A number has 16 digits: products have bar codes of 8, 12, 13 and
	// 14 digits, which must not be read as cards.
	Card = Field{
		Strip: betweenDigits, Upper: true, Pattern: regexp.MustCompile(`^(?:\d{16}|\d*[A-Z][A-Z0-9]*)$`),
		Shortest: 8, Longest: 64,
	}
	// CardPassword is the password of a card. The password of a coupon may be its code, which has capitals, so Read
	// does not change the case of letters.
	CardPassword = Field{Strip: betweenDigits, Pattern: regexp.MustCompile(`.`), Shortest: 1, Longest: 64}
	// Points is a number of points with at most two decimals.
	Points = Field{
		Strip: invisible, Replace: regexp.MustCompile("[\u3002\uff61]"), With: ".",
		Pattern: regexp.MustCompile(`^\d{1,4}(?:\.\d{1,2})?$`), Shortest: 1, Longest: 7,
	}

	// RechargePhone, RechargeQQ, RechargeMember and RechargeMail are accounts that goods recharge. Read removes every
	// character that is not Chinese, a Latin letter or a digit, except from mail addresses, which need their
	// punctuation.
	RechargePhone = phone(notOfAccount)
	RechargeQQ    = Field{
		Strip: notOfAccount, Pattern: regexp.MustCompile(`^[1-9]\d{4,11}$`), Shortest: 5, Longest: 12,
	}
	RechargeMember = Field{
		Strip: notOfAccount, Pattern: regexp.MustCompile("^[" + accountLetters + "]+$"), Shortest: 1, Longest: 64,
	}
	RechargeMail = Field{
		Strip: invisible, Shortest: 6, Longest: 64,
		Pattern: regexp.MustCompile(`^[A-Za-z0-9._%+-]+@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}$`),
	}
)

// phone returns the rules for a mobile number. strip matches the characters to remove.
func phone(strip *regexp.Regexp) Field {
	return Field{
		Strip: strip, Replace: regexp.MustCompile(`^(?:\+|00)?86(1\d{10})$`), With: "$1",
		Pattern: regexp.MustCompile(`^1[3-9]\d{9}$`), Shortest: 11, Longest: 11,
		Lead: regexp.MustCompile(`^[+08]`), LongestLead: 15,
	}
}

// Read returns the normalized value of a typed text. The value may be invalid: see Valid.
func (f Field) Read(typed string) string {
	value := f.Strip.ReplaceAllString(strings.Map(halfWidth, typed), "")
	if f.Upper {
		value = strings.ToUpper(value)
	}
	if f.Replace != nil {
		value = f.Replace.ReplaceAllString(value, f.With)
	}
	return value
}

// halfWidth returns the ASCII character of a full-width one, and any other character as it is.
func halfWidth(r rune) rune {
	const first, last, distance = '\uff01', '\uff5e', 0xfee0
	if r >= first && r <= last {
		return r - distance
	}
	return r
}

// Valid reports whether a value that Read returned has the format of the field.
func (f Field) Valid(value string) bool {
	n := utf8.RuneCountInString(value)
	return n >= f.Shortest && n <= f.Longest && f.Pattern.MatchString(value)
}

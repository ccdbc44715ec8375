package transport

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxBuyerText is the number of characters of the longest text of a provider that buyers read.
const maxBuyerText = 40

var (
	// plainChinese has Chinese characters and punctuation, short words such as IMAX and 3D, and short numbers. It has
	// no markup, addresses, phone or order numbers, and no names of code.
	plainChinese = regexp.MustCompile(
		`^(?:\p{Han}|[，。！？、；：（）《》“”…—～ ]|[A-Za-z0-9]{1,4}(?:$|[^A-Za-z0-9]))+$`)
	chineseWord = regexp.MustCompile(`\p{Han}{2}`)
	// notForBuyers are words about the shop's own account and requests at the provider.
	notForBuyers = regexp.MustCompile(
		`签名|密钥|秘钥|接口|参数|字段|渠道|商户|账户|账号|余额|额度|授权|鉴权|令牌|数据库|服务器|异常|报错|堆栈|空指针|请求头|白名单`)
)

// BuyerText returns a provider's text if a buyer may read it: short, plain Chinese that speaks of nothing technical. It
// returns "" for any other text. The provider is not trusted: its text is shown in the shop's name.
func BuyerText(text string) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > maxBuyerText || !chineseWord.MatchString(text) ||
		!plainChinese.MatchString(text) || notForBuyers.MatchString(text) {
		return ""
	}
	return text
}

package transport

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// maxBuyerText is the length in characters of the longest provider text that is shown to buyers.
const maxBuyerText = 40

var (
	// plainChinese matches Chinese characters and punctuation, short words such as IMAX and 3D, and short numbers. It
	// does not match markup, URLs, phone and order numbers, or identifiers from code.
	plainChinese = regexp.MustCompile(
		`^(?:\p{Han}|[，。！？、；：（）《》“”…—～ ]|[A-Za-z0-9]{1,4}(?:$|[^A-Za-z0-9]))+$`)
	chineseWord = regexp.MustCompile(`\p{Han}{2}`)
	// notForBuyers matches words about the shop's account at the provider and its requests.
	notForBuyers = regexp.MustCompile(
		`签名|密钥|秘钥|接口|参数|字段|渠道|商户|账户|账号|余额|额度|授权|鉴权|令牌|数据库|服务器|异常|报错|堆栈|空指针|请求头|白名单`)
)

// BuyerText returns a provider's text if a buyer may read it: short, plain Chinese without technical terms. It returns
// "" for any other text, because the provider is not trusted and buyers would take the text for the shop's.
func BuyerText(text string) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > maxBuyerText || !chineseWord.MatchString(text) ||
		!plainChinese.MatchString(text) || notForBuyers.MatchString(text) {
		return ""
	}
	return text
}

package dataset

import (
	_ "embed"
	"fmt"
)

// Credentials is everything a client needs to use a world: the providers' keys, the shop's channel, and the welfare
// cards that the shop is seeded with. They are derived from the world's seed and id.
type Credentials struct {
	// Gateway is for the legacy gateway.
	Gateway GatewayCredentials `json:"gateway"`
	// NewMovie is for the second ticketing provider.
	NewMovie NewMovieCredentials `json:"newmovie"`
	// WeChat is for the messaging app and its payments.
	WeChat WeChatCredentials `json:"wechat"`
	// SMS is for the SMS provider.
	SMS SMSCredentials `json:"sms"`
	// Tencent is for the SMS provider's Tencent Cloud API.
	Tencent TencentCredentials `json:"tencent"`
	// Captcha is for the captcha vendor.
	Captcha CaptchaCredentials `json:"captcha"`
	// Shop is for the clients of the shop, such as its web app.
	Shop ShopCredentials `json:"shop"`
	// Cards are welfare cards that a shop of this world is seeded with. They are bound by number and password.
	Cards []Card `json:"cards"`
	// Coupons are coupon codes that a shop of this world is seeded with. They are bound by the code, which is pass.
	Coupons []Card `json:"coupons"`
}

// GatewayCredentials sign calls to the legacy gateway and its pushes to the shop.
type GatewayCredentials struct {
	// AppKey selects the world.
	AppKey string `json:"appkey"`
	// Secret signs calls and pushes.
	Secret string `json:"secret"`
}

// NewMovieCredentials are exchanged for a bearer token.
type NewMovieCredentials struct {
	// EntID selects the world.
	EntID string `json:"entId"`
	// AppSecret is exchanged together with entId for a token.
	AppSecret string `json:"appSecret"`
}

// WeChatCredentials are the credentials of the public account and of the merchant.
type WeChatCredentials struct {
	// AppID is the id of the public account.
	AppID string `json:"appid"`
	// AppSecret is the secret of the public account.
	AppSecret string `json:"appsecret"`
	// MchID is the merchant's number.
	MchID string `json:"mchid"`
	// MchSerial is the serial number of the certificate of the merchant's key.
	MchSerial string `json:"mch_serial"`
	// MchPrivateKeyPEM is the merchant's private key (PKCS #8), which signs calls.
	MchPrivateKeyPEM string `json:"mch_private_key_pem"`
	// APIv3Key is 32 bytes. It encrypts notifications.
	APIv3Key string `json:"apiv3_key"`
	// PublicKeyPEM is the public key with which the merchant verifies the payment provider's signatures if the provider
	// does not sign with a certificate.
	PublicKeyPEM string `json:"public_key_pem"`
	// PublicKeyID is the id of that key. It is used like the serial number of a certificate.
	PublicKeyID string `json:"public_key_id"`
}

// SMSCredentials sign calls to the SMS provider.
type SMSCredentials struct {
	// AccessKeyID selects the world.
	AccessKeyID string `json:"access_key_id"`
	// AccessKeySecret signs calls.
	AccessKeySecret string `json:"access_key_secret"`
	// SignName is the signature of a message: the name of the sender before its text.
	SignName string `json:"sign_name"`
	// TemplateCode is the template of verification codes.
	TemplateCode string `json:"template_code"`
	// NoticeTemplates are the templates of notices.
	NoticeTemplates NoticeTemplates `json:"notice_template_codes"`
}

// NoticeTemplates are the templates of notices to the owner of an account. Each has the variable time.
type NoticeTemplates struct {
	// Identity reports that a messaging-app identity was bound.
	Identity string `json:"identity"`
	// Phone reports that another phone was bound. It is sent to the former phone.
	Phone string `json:"phone"`
	// Password reports that a payment password was set.
	Password string `json:"password"`
	// Device reports that a new device was used to log in.
	Device string `json:"device"`
}

// TencentCredentials sign calls to the SMS provider's Tencent Cloud API.
type TencentCredentials struct {
	// SecretID selects the world.
	SecretID string `json:"secret_id"`
	// SecretKey signs calls.
	SecretKey string `json:"secret_key"`
	// SDKAppID is the id of the sending application.
	SDKAppID string `json:"sdk_app_id"`
	// SignName is the signature of a message: the name of the sender before its text.
	SignName string `json:"sign_name"`
	// TemplateID is the account's only template, for verification codes.
	TemplateID string `json:"template_id"`
}

// CaptchaCredentials contain the id and the key of the application at the captcha vendor, and the API key of the
// account. With the API key, the shop signs its checks of captcha tickets. A ticket is the proof of a solved challenge.
type CaptchaCredentials struct {
	// AppID is part of the shop's page. It selects the world of a challenge.
	AppID uint64 `json:"app_id"`
	// AppSecretKey is part of every check.
	AppSecretKey string `json:"app_secret_key"`
	// SecretID selects the world of a check.
	SecretID string `json:"secret_id"`
	// SecretKey signs checks.
	SecretKey string `json:"secret_key"`
}

// ShopCredentials are for the clients of the shop. Each kind of client, such as the web app, is a channel with a
// number, and with a key and a secret that sign its calls to the shop.
type ShopCredentials struct {
	// ChannelNo is the channel's number.
	ChannelNo string `json:"channel_no"`
	// AppKey is the channel's key.
	AppKey string `json:"appkey"`
	// Secret is the channel's secret.
	Secret string `json:"secret"`
}

// Card is a welfare card that the shop is seeded with.
type Card struct {
	// Kahao is the card number.
	Kahao string `json:"kahao"`
	// Pass is the card's password.
	Pass string `json:"pass"`
	// PID is the card type, from 1 to 11.
	PID int `json:"pid"`
	// Points is the balance in hundredths of a point. A point is one yuan.
	Points int64 `json:"points"`
	// ExpiresInDays is the number of days from the seeding of the shop to the card's expiry; negative: expired.
	ExpiresInDays int `json:"expires_in_days"`
	// Note describes the card's special property.
	Note string `json:"note,omitempty"`
}

// The key pairs of all worlds. They protect nothing: every copy of the simulators has the same ones.
var (
	//go:embed merchant_key.pem
	merchantKeyPEM string
	//go:embed platform_key.pem
	platformKeyPEM string
	//go:embed public_key_pair.pem
	publicKeyPairPEM string
	//go:embed public_key.pem
	publicKeyPEM string // the public half of publicKeyPairPEM, as merchants download it
)

// PlatformKeyPEM is the private key (PKCS #8) with which the payment provider signs answers and notifications.
func PlatformKeyPEM() string { return platformKeyPEM }

// PublicKeyPairPEM is the private key (PKCS #8) with which the payment provider signs for merchants that have moved
// from certificates to the public key. Merchants download its public half.
func PublicKeyPairPEM() string { return publicKeyPairPEM }

// NewCredentials derives the credentials of the default world from its seed.
func NewCredentials(seed uint64) Credentials { return CredentialsOf(seed, "") }

// CredentialsOf derives the credentials of a world from its seed and its id, so that worlds with the same seed have
// different credentials. The id "" is that of the default world.
func CredentialsOf(seed uint64, id string) Credentials {
	// The numbers that select a world, such as an appkey, are as short as the vendors' in the default world. In other
	// worlds they are longer, so that even among hundreds of worlds two with the same number are very unlikely.
	digits := func(short int) int { return short }
	captchaFrom, captchaOf := uint64(190_000_000), uint64(10_000_000)
	if id != "" {
		seed = RandOf(seed, "world", id).Uint64()
		digits = func(int) int { return 14 }
		captchaFrom, captchaOf = 1_900_000_000_000, 1_000_000_000_000
	}
	text := func(name string, n int) string { return RandOf(seed, "credential", name).Text(hexDigits, n) }
	number := func(name string, n int) string { return RandOf(seed, "credential", name).Text(Digits, n) }
	c := Credentials{
		Gateway:  GatewayCredentials{AppKey: "10" + number("gateway", digits(6)), Secret: text("gateway secret", 32)},
		NewMovie: NewMovieCredentials{EntID: "ent" + number("newmovie", digits(7)), AppSecret: text("newmovie secret", 32)},
		WeChat: WeChatCredentials{
			AppID: "wx" + text("wechat", 16), AppSecret: text("wechat secret", 32), MchID: "19" + number("merchant", digits(8)),
			MchSerial:        RandOf(seed, "credential", "serial").Text("0123456789ABCDEF", 40),
			MchPrivateKeyPEM: merchantKeyPEM, APIv3Key: text("apiv3", 32),
		},
		SMS: SMSCredentials{
			AccessKeyID: "LTAI" + text("sms", 20), AccessKeySecret: text("sms secret", 30),
			SignName: "影票商城", TemplateCode: "SMS_" + number("template", 9),
			NoticeTemplates: NoticeTemplates{
				Identity: "SMS_" + number("notice identity", 9), Phone: "SMS_" + number("notice phone", 9),
				Password: "SMS_" + number("notice password", 9), Device: "SMS_" + number("notice device", 9),
			},
		},
		Tencent: TencentCredentials{
			SecretID: "AKID" + text("tencent", 32), SecretKey: text("tencent secret", 32),
			SDKAppID: "14" + number("tencent app", 8), SignName: "影票商城",
			TemplateID: "1" + number("tencent template", 6),
		},
		Captcha: CaptchaCredentials{
			AppID:        captchaFrom + RandOf(seed, "credential", "captcha").Uint64()%captchaOf,
			AppSecretKey: text("captcha app", 24),
			SecretID:     "AKID" + text("captcha", 32), SecretKey: text("captcha secret", 32),
		},
		Shop: ShopCredentials{
			ChannelNo: "ch" + number("channel", 6), AppKey: "20" + number("shop", 6), Secret: text("shop secret", 32),
		},
	}
	c.WeChat.PublicKeyPEM = publicKeyPEM
	c.WeChat.PublicKeyID = "PUB_KEY_ID_01" + c.WeChat.MchID + "20241011" + number("public key", 14)
	for i, d := range demoCards {
		d.Kahao = fmt.Sprintf("8%02d%s", d.PID, number(fmt.Sprint("card", i), 13))
		d.Pass = number(fmt.Sprint("card pass", i), 8)
		c.Cards = append(c.Cards, d)
	}
	for i, d := range demoCoupons {
		d.Kahao = fmt.Sprintf("9%02d%s", d.PID, number(fmt.Sprint("coupon", i), 13))
		d.Pass = RandOf(seed, "credential", "coupon pass", fmt.Sprint(i)).Text("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", 12)
		c.Coupons = append(c.Coupons, d)
	}
	return c
}

// CardTypes returns the names of the card types, by pid.
func CardTypes() map[string]string {
	return map[string]string{
		"1": "超级卡", "2": "蛋糕卡", "3": "电影卡", "4": "图书卡", "5": "超级券", "6": "蛋糕券", "7": "电影券", "8": "图书券",
		"9": "悦享卡", "10": "尊享券", "11": "尊享券",
	}
}

// demoCards are the cards that the shop is seeded with, one or more for each situation of a payment. CredentialsOf adds
// their numbers and passwords.
var demoCards = []Card{
	{PID: 1, Points: 50000, ExpiresInDays: 365, Note: "a full super card"},
	{PID: 1, Points: 20000, ExpiresInDays: 180, Note: "a second super card, to combine or merge"},
	{PID: 1, Points: 1000, ExpiresInDays: 90, Note: "too little for a ticket: combined payment"},
	{PID: 1, Points: 1, ExpiresInDays: 90, Note: "the smallest balance"},
	{PID: 3, Points: 30000, ExpiresInDays: 365, Note: "movie card"},
	{PID: 3, Points: 5000, ExpiresInDays: 20, Note: "movie card, about to expire"},
	{PID: 7, Points: 8880, ExpiresInDays: 60, Note: "movie voucher"},
	{PID: 5, Points: 12800, ExpiresInDays: 120, Note: "super voucher"},
	{PID: 9, Points: 66600, ExpiresInDays: 365, Note: "enjoy card"},
	{PID: 10, Points: 18800, ExpiresInDays: 365, Note: "premium voucher"},
	{PID: 11, Points: 28800, ExpiresInDays: 365, Note: "premium voucher of the second kind"},
	{PID: 2, Points: 20000, ExpiresInDays: 365, Note: "cake card: not usable for tickets"},
	{PID: 4, Points: 10000, ExpiresInDays: 365, Note: "book card: not usable for tickets"},
	{PID: 6, Points: 9900, ExpiresInDays: 200, Note: "cake voucher"},
	{PID: 8, Points: 6600, ExpiresInDays: 200, Note: "book voucher"},
	{PID: 1, Points: 10000, ExpiresInDays: -1, Note: "expired yesterday"},
}

// demoCoupons are cards that are bound by a code without a card number.
var demoCoupons = []Card{
	{PID: 7, Points: 5000, ExpiresInDays: 90, Note: "coupon code for a movie voucher"},
	{PID: 5, Points: 10000, ExpiresInDays: 90, Note: "coupon code for a super voucher"},
	{PID: 1, Points: 8800, ExpiresInDays: 180, Note: "coupon code for a super card"},
	{PID: 7, Points: 5000, ExpiresInDays: -1, Note: "expired coupon code"},
}

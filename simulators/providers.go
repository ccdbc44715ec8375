package simulators

import (
	"strconv"

	"marquee/simulators/art"
	"marquee/simulators/captcha"
	"marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
	"marquee/simulators/newmovie"
	"marquee/simulators/provider"
	"marquee/simulators/sms"
	"marquee/simulators/wechat"
)

// newProviders creates the providers of a world. To add a provider, add one line here.
func newProviders(w *World, country *dataset.Country) []provider.Provider {
	keys := w.credentials
	texts := sms.New(sms.Config{Clock: w.clock, Plan: w.plan, Journal: w.journal, Credentials: keys.SMS,
		Tencent: keys.Tencent, Targets: w.targets})
	return []provider.Provider{
		legacygateway.New(legacygateway.Config{
			Country: country, Clock: w.clock, Plan: w.plan, Journal: w.journal, Credentials: keys.Gateway,
			BaseURL: w.pictures, PushURL: w.pushURL.get, Targets: w.targets,
		}),
		newmovie.New(newmovie.Config{
			Country: country, Clock: w.clock, Plan: w.plan, Journal: w.journal, Credentials: keys.NewMovie,
			BaseURL: w.pictures,
		}),
		texts,
		wechat.New(wechat.Config{
			Seed: country.Seed(), Label: w.id, Clock: w.clock, Plan: w.plan, Journal: w.journal,
			Credentials: keys.WeChat,
			PlatformKey: dataset.PlatformKeyPEM(), PublicKey: dataset.PublicKeyPairPEM(), AppURL: w.AppURL,
			SMS: texts.Messages, Codes: scannableCodes(keys), Targets: w.targets,
			MaxTrades: w.sims.options.MaxTrades, NamedApps: w.sims.namedApps, AllowedApps: w.sims.allowedApps,
		}),
		captcha.New(captcha.Config{Clock: w.clock, Plan: w.plan, Journal: w.journal, Credentials: keys.Captcha}),
		art.New(country),
	}
}

// scannableCodes are the codes that the phone's scanner offers: the world's cards as number:password, and its coupons
// by their code.
func scannableCodes(keys dataset.Credentials) (codes []wechat.Code) {
	types := dataset.CardTypes()
	name := func(card dataset.Card) string { return types[strconv.Itoa(card.PID)] + " " + card.Kahao }
	for _, card := range keys.Cards {
		codes = append(codes, wechat.Code{Name: name(card), Content: card.Kahao + ":" + card.Pass})
	}
	for _, coupon := range keys.Coupons {
		codes = append(codes, wechat.Code{Name: name(coupon) + "（兑换码）", Content: coupon.Pass})
	}
	return codes
}

// credentialsOf lists the credentials by which a call selects the world: its id, and the credentials of its providers.
func credentialsOf(w *World) []provider.Credential {
	list := []provider.Credential{{Kind: provider.World, Value: w.ID()}}
	for _, p := range w.content.Load().providers {
		list = append(list, p.CallCredentials()...)
	}
	return list
}

// Catalogue lists every value of the world that an external client needs.
func (w *World) Catalogue() control.Catalogue {
	keys := w.credentials
	c := control.Catalogue{
		World: w.ID(), Seed: w.Country().Seed(), ChannelNo: keys.Shop.ChannelNo, Credentials: keys,
		CardTypes: dataset.CardTypes(), Addresses: addressesOf(w), Environment: clientEnvironment(w),
	}
	for _, coupon := range keys.Coupons {
		c.CouponCodes = append(c.CouponCodes, coupon.Pass)
	}
	for _, p := range w.content.Load().providers {
		if cataloguer, ok := p.(provider.Cataloguer); ok {
			cataloguer.AddToCatalogue(&c)
		}
	}
	c.Phones = append(c.Phones, dataset.MagicMobiles...)
	return c
}

func addressesOf(w *World) control.Addresses {
	a := control.Addresses{
		Gateway: w.URL() + "/gateway", NewMovie: w.URL() + "/newmovie", Control: w.URL() + "/sim/v1",
		Console: w.URL() + "/", Phone: w.URL() + "/phone", Shop: w.AppURL(), CaptchaScript: captchaScript(w),
		HTTPS: w.sims.TLSURL(), Proxy: w.URL(), CA: w.URL() + "/sim/v1/ca.pem",
	}
	if w.id != "" {
		a.Console += "?world=" + w.id
		a.Phone += "?world=" + w.id
	}
	return a
}

// ShopEnvironment returns the environment variables that make a shop use this world. shop -help describes them.
func (w *World) ShopEnvironment() map[string]string {
	environment := secretsOf(w.credentials)
	environment["MARQUEE_SIMULATOR_URL"] = w.URL()
	landing := w.URL() + "/landing/"
	environment["MARQUEE_LINK_SHOP"] = landing + "shop"
	environment["MARQUEE_LINK_CAKE"] = landing + "cake"
	environment["MARQUEE_LINK_BOOK"] = landing + "book"
	environment["MARQUEE_LINK_SERVICE"] = landing + "service"
	return environment
}

// CaptchaEnvironment returns the environment variables that make a shop use this world's captcha. They are not part of
// ShopEnvironment, because development is easier without a captcha at login.
func (w *World) CaptchaEnvironment() map[string]string {
	keys := w.credentials.Captcha
	return map[string]string{
		"MARQUEE_CAPTCHA_APP_ID":         strconv.FormatUint(keys.AppID, 10),
		"MARQUEE_CAPTCHA_APP_SECRET_KEY": keys.AppSecretKey,
		"MARQUEE_CAPTCHA_SECRET_ID":      keys.SecretID,
		"MARQUEE_CAPTCHA_SECRET_KEY":     keys.SecretKey,
		"MARQUEE_CAPTCHA_SCRIPT":         captchaScript(w),
	}
}

// captchaScript is the address of the captcha vendor's script in this world.
func captchaScript(w *World) string {
	at := w.URL()
	if w.id != "" {
		at += worldPrefix + w.id
	}
	return at + captcha.Path + captcha.ScriptName
}

// clientEnvironment returns ShopEnvironment and, for clients other than the shop, the variables of the second SMS
// vendor's SDK and the account's application, signature and template.
func clientEnvironment(w *World) map[string]string {
	environment := w.ShopEnvironment()
	environment["TENCENTCLOUD_SECRET_ID"] = w.credentials.Tencent.SecretID
	environment["TENCENTCLOUD_SECRET_KEY"] = w.credentials.Tencent.SecretKey
	environment["TENCENT_SMS_APP_ID"] = w.credentials.Tencent.SDKAppID
	environment["TENCENT_SMS_SIGN_NAME"] = w.credentials.Tencent.SignName
	environment["TENCENT_SMS_TEMPLATE_ID"] = w.credentials.Tencent.TemplateID
	return environment
}

// EnvironmentOf returns the credentials of a seed's default world as environment variables of a shop, without starting
// the simulators.
func EnvironmentOf(seed uint64) map[string]string { return secretsOf(dataset.NewCredentials(seed)) }

func secretsOf(c dataset.Credentials) map[string]string {
	return map[string]string{
		"MARQUEE_CHANNEL_NO":     c.Shop.ChannelNo,
		"MARQUEE_CHANNEL_APPKEY": c.Shop.AppKey,
		"MARQUEE_CHANNEL_SECRET": c.Shop.Secret,

		"MARQUEE_GATEWAY_APPKEY":      c.Gateway.AppKey,
		"MARQUEE_GATEWAY_SECRET":      c.Gateway.Secret,
		"MARQUEE_NEWMOVIE_ENT_ID":     c.NewMovie.EntID,
		"MARQUEE_NEWMOVIE_APP_SECRET": c.NewMovie.AppSecret,

		"MARQUEE_WECHAT_APP_ID":          c.WeChat.AppID,
		"MARQUEE_WECHAT_APP_SECRET":      c.WeChat.AppSecret,
		"MARQUEE_WECHAT_MCH_ID":          c.WeChat.MchID,
		"MARQUEE_WECHAT_MCH_SERIAL":      c.WeChat.MchSerial,
		"MARQUEE_WECHAT_MCH_PRIVATE_KEY": c.WeChat.MchPrivateKeyPEM,
		"MARQUEE_WECHAT_APIV3_KEY":       c.WeChat.APIv3Key,
		"MARQUEE_WECHAT_PUBLIC_KEY":      c.WeChat.PublicKeyPEM,
		"MARQUEE_WECHAT_PUBLIC_KEY_ID":   c.WeChat.PublicKeyID,

		"MARQUEE_SMS_ACCESS_KEY_ID":     c.SMS.AccessKeyID,
		"MARQUEE_SMS_ACCESS_KEY_SECRET": c.SMS.AccessKeySecret,
		"MARQUEE_SMS_SIGN_NAME":         c.SMS.SignName,
		"MARQUEE_SMS_TEMPLATE_CODE":     c.SMS.TemplateCode,

		"MARQUEE_SMS_TEMPLATE_NEW_IDENTITY": c.SMS.NoticeTemplates.Identity,
		"MARQUEE_SMS_TEMPLATE_NEW_PHONE":    c.SMS.NoticeTemplates.Phone,
		"MARQUEE_SMS_TEMPLATE_NEW_PASSWORD": c.SMS.NoticeTemplates.Password,
		"MARQUEE_SMS_TEMPLATE_NEW_DEVICE":   c.SMS.NoticeTemplates.Device,
	}
}

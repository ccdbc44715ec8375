package simulators

import (
	"maps"

	"marquee/simulators/dataset"
)

// ShopEnvironment is the environment that makes a shop use this world: the variables its README documents.
func (w *World) ShopEnvironment() map[string]string {
	landing := w.URL() + "/landing/"
	environment := map[string]string{
		"MARQUEE_SIMULATOR_URL": w.URL(),

		"MARQUEE_LINK_SHOP":    landing + "shop",
		"MARQUEE_LINK_CAKE":    landing + "cake",
		"MARQUEE_LINK_BOOK":    landing + "book",
		"MARQUEE_LINK_SERVICE": landing + "service",
	}
	maps.Copy(environment, secretsOf(w.credentials))
	return environment
}

// EnvironmentOf is the credentials in a shop's environment of a seed's default world, without starting it.
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

		"MARQUEE_SMS_ACCESS_KEY_ID":     c.SMS.AccessKeyID,
		"MARQUEE_SMS_ACCESS_KEY_SECRET": c.SMS.AccessKeySecret,
		"MARQUEE_SMS_SIGN_NAME":         c.SMS.SignName,
		"MARQUEE_SMS_TEMPLATE_CODE":     c.SMS.TemplateCode,
	}
}

// environment is ShopEnvironment and, for clients other than the shop, the variables that the second SMS vendor's own
// SDK reads.
func (w *World) environment() map[string]string {
	e := w.ShopEnvironment()
	e["TENCENTCLOUD_SECRET_ID"], e["TENCENTCLOUD_SECRET_KEY"] = w.credentials.Tencent.SecretID, w.credentials.Tencent.SecretKey
	return e
}

package app

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
	"marquee/server/providers/legacygateway"
)

// DefaultAddr is where the shop listens unless MARQUEE_ADDR says otherwise.
const DefaultAddr = "127.0.0.1:8080"

// environment is every variable the shop reads besides MARQUEE_ADDR, which is where it listens.
type environment struct {
	Env          string `env:"MARQUEE_ENV" doc:"production refuses every simulator, wants https and demands every secret"`
	DB           string `env:"MARQUEE_DB" doc:"the SQLite database; data/marquee.db"`
	DataDir      string `env:"MARQUEE_DATA_DIR" doc:"uploaded pictures; the folder of the database"`
	PublicURL    string `env:"MARQUEE_PUBLIC_URL" doc:"the address buyers see; http:// and MARQUEE_ADDR"`
	SimulatorURL string `env:"MARQUEE_SIMULATOR_URL" doc:"providers are simulated at this address"`
	Pepper       string `env:"MARQUEE_PEPPER" doc:"keys the hashes of codes, passwords and cards; at least 16 bytes"`

	ChannelNo     string `env:"MARQUEE_CHANNEL_NO" doc:"the channel that every call of the app carries"`
	ChannelAppKey string `env:"MARQUEE_CHANNEL_APPKEY" doc:"its key for signed calls"`
	ChannelSecret string `env:"MARQUEE_CHANNEL_SECRET" doc:"its secret for signed calls; public, part of the page"`

	GatewayURL    string `env:"MARQUEE_GATEWAY_URL" doc:"the legacy signed gateway"`
	GatewayAppKey string `env:"MARQUEE_GATEWAY_APPKEY" doc:"who the shop is to it"`
	GatewaySecret string `env:"MARQUEE_GATEWAY_SECRET" doc:"signs calls and verifies pushes"`

	GatewayDigest    legacygateway.Digest `env:"MARQUEE_GATEWAY_DIGEST" doc:"how it signs: md5, hmac-md5 or hmac-sha256; md5"`
	GatewayLowerCase bool                 `env:"MARQUEE_GATEWAY_LOWERCASE" doc:"true: its signatures are in lower case; upper case"`
	GatewayWindow    time.Duration        `env:"MARQUEE_GATEWAY_WINDOW" doc:"how far a timestamp may be off; 10m"`

	NewMovieURL       string `env:"MARQUEE_NEWMOVIE_URL" doc:"the newmovie provider"`
	NewMovieEntID     string `env:"MARQUEE_NEWMOVIE_ENT_ID" doc:"who the shop is to it"`
	NewMovieAppSecret string `env:"MARQUEE_NEWMOVIE_APP_SECRET"`

	WeChatAppID     string `env:"MARQUEE_WECHAT_APP_ID" doc:"the messaging app: the public account"`
	WeChatAppSecret string `env:"MARQUEE_WECHAT_APP_SECRET"`
	WeChatMchID     string `env:"MARQUEE_WECHAT_MCH_ID" doc:"the merchant"`
	WeChatMchSerial string `env:"MARQUEE_WECHAT_MCH_SERIAL" doc:"serial number of its certificate"`
	WeChatMchKey    string `env:"MARQUEE_WECHAT_MCH_PRIVATE_KEY" doc:"its key: PEM, or the path of a PEM file"`
	WeChatAPIv3Key  string `env:"MARQUEE_WECHAT_APIV3_KEY" doc:"opens notifies"`

	SMSAccessKeyID     string `env:"MARQUEE_SMS_ACCESS_KEY_ID" doc:"the SMS vendor"`
	SMSAccessKeySecret string `env:"MARQUEE_SMS_ACCESS_KEY_SECRET"`
	SMSSignName        string `env:"MARQUEE_SMS_SIGN_NAME"`
	SMSTemplateCode    string `env:"MARQUEE_SMS_TEMPLATE_CODE"`

	LinkShop    string `env:"MARQUEE_LINK_SHOP" doc:"sites the shop links out to; none: no link"`
	LinkCake    string `env:"MARQUEE_LINK_CAKE"`
	LinkBook    string `env:"MARQUEE_LINK_BOOK"`
	LinkService string `env:"MARQUEE_LINK_SERVICE"`
	Logo        string `env:"MARQUEE_LOGO" envDefault:"/favicon.svg" doc:"address of the logo"`

	Hosts          []string `env:"MARQUEE_HOSTS" doc:"further hosts of the shop, joined by commas"`
	TrustedOrigins []string `env:"MARQUEE_TRUSTED_ORIGINS" doc:"origins that may post besides the shop's own"`
	TrustedProxies []string `env:"MARQUEE_TRUSTED_PROXIES" doc:"networks whose X-Forwarded-For counts"`
	PictureHosts   []string `env:"MARQUEE_PICTURE_HOSTS" doc:"further sources of pictures"`
}

// Variables lists what the environment can say, a line a variable, for a command's help.
func Variables() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-32s %s\n", "MARQUEE_ADDR", "where the shop listens; "+DefaultAddr)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[environment]()) {
		fmt.Fprintf(&b, "  %-32s %s\n", field.Tag.Get("env"), field.Tag.Get("doc"))
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// FromEnvironment reads a shop's configuration out of variables: a process's own, or those that running simulators
// publish for a shop of theirs. What has no variable (clock, logger, web app, build) is left to the caller.
func FromEnvironment(variables map[string]string) (Config, error) {
	e, err := env.ParseAsWithOptions[environment](env.Options{Environment: variables})
	if err != nil {
		return Config{}, fmt.Errorf("read the environment: %w", err)
	}
	if e.WeChatMchKey != "" && !strings.Contains(e.WeChatMchKey, "-----BEGIN") {
		pem, err := os.ReadFile(e.WeChatMchKey)
		if err != nil {
			return Config{}, fmt.Errorf("read MARQUEE_WECHAT_MCH_PRIVATE_KEY: %w", err)
		}
		e.WeChatMchKey = string(pem)
	}
	return e.config(), nil
}

func (e environment) config() Config {
	return Config{
		Env: e.Env, DB: e.DB, DataDir: e.DataDir, PublicURL: e.PublicURL, SimulatorURL: e.SimulatorURL, Pepper: e.Pepper,
		Channel: wire.Channel{No: e.ChannelNo, AppKey: e.ChannelAppKey, Secret: e.ChannelSecret},
		Links:   pages.Links{Shop: e.LinkShop, Cake: e.LinkCake, Book: e.LinkBook, Service: e.LinkService},
		Logo:    e.Logo,
		Gateway: Gateway{BaseURL: e.GatewayURL, AppKey: e.GatewayAppKey, Secret: e.GatewaySecret, Dialect: legacygateway.Dialect{
			Digest: e.GatewayDigest, LowerCase: e.GatewayLowerCase, Window: e.GatewayWindow,
		}},
		NewMovie: NewMovie{BaseURL: e.NewMovieURL, EntID: e.NewMovieEntID, AppSecret: e.NewMovieAppSecret},
		WeChat: WeChat{
			AppID: e.WeChatAppID, AppSecret: e.WeChatAppSecret, MchID: e.WeChatMchID, MchSerial: e.WeChatMchSerial,
			MchPrivateKeyPEM: e.WeChatMchKey, APIv3Key: e.WeChatAPIv3Key,
		},
		SMS: SMS{
			AccessKeyID: e.SMSAccessKeyID, AccessKeySecret: e.SMSAccessKeySecret, SignName: e.SMSSignName, TemplateCode: e.SMSTemplateCode,
		},
		Hosts: e.Hosts, TrustedOrigins: e.TrustedOrigins, TrustedProxies: e.TrustedProxies, PictureHosts: e.PictureHosts,
	}
}

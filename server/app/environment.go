package app

import (
	"fmt"
	"os"
	"strings"

	"github.com/caarlos0/env/v11"

	"marquee/server/httpapi"
)

// DefaultAddr is where the shop listens unless MARQUEE_ADDR says otherwise.
const DefaultAddr = "127.0.0.1:8080"

// environment is every variable the shop reads besides MARQUEE_ADDR, which is where it listens.
type environment struct {
	Env          string `env:"MARQUEE_ENV"`
	DB           string `env:"MARQUEE_DB"`
	DataDir      string `env:"MARQUEE_DATA_DIR"`
	PublicURL    string `env:"MARQUEE_PUBLIC_URL"`
	SimulatorURL string `env:"MARQUEE_SIMULATOR_URL"`
	Pepper       string `env:"MARQUEE_PEPPER"`

	ChannelNo     string `env:"MARQUEE_CHANNEL_NO"`
	ChannelAppKey string `env:"MARQUEE_CHANNEL_APPKEY"`
	ChannelSecret string `env:"MARQUEE_CHANNEL_SECRET"`

	GatewayURL    string `env:"MARQUEE_GATEWAY_URL"`
	GatewayAppKey string `env:"MARQUEE_GATEWAY_APPKEY"`
	GatewaySecret string `env:"MARQUEE_GATEWAY_SECRET"`

	NewMovieURL       string `env:"MARQUEE_NEWMOVIE_URL"`
	NewMovieEntID     string `env:"MARQUEE_NEWMOVIE_ENT_ID"`
	NewMovieAppSecret string `env:"MARQUEE_NEWMOVIE_APP_SECRET"`

	WeChatAppID     string `env:"MARQUEE_WECHAT_APP_ID"`
	WeChatAppSecret string `env:"MARQUEE_WECHAT_APP_SECRET"`
	WeChatMchID     string `env:"MARQUEE_WECHAT_MCH_ID"`
	WeChatMchSerial string `env:"MARQUEE_WECHAT_MCH_SERIAL"`
	WeChatMchKey    string `env:"MARQUEE_WECHAT_MCH_PRIVATE_KEY"` // PEM, or the path of a PEM file
	WeChatAPIv3Key  string `env:"MARQUEE_WECHAT_APIV3_KEY"`

	SMSAccessKeyID     string `env:"MARQUEE_SMS_ACCESS_KEY_ID"`
	SMSAccessKeySecret string `env:"MARQUEE_SMS_ACCESS_KEY_SECRET"`
	SMSSignName        string `env:"MARQUEE_SMS_SIGN_NAME"`
	SMSTemplateCode    string `env:"MARQUEE_SMS_TEMPLATE_CODE"`

	LinkShop    string `env:"MARQUEE_LINK_SHOP"`
	LinkCake    string `env:"MARQUEE_LINK_CAKE"`
	LinkBook    string `env:"MARQUEE_LINK_BOOK"`
	LinkService string `env:"MARQUEE_LINK_SERVICE"`
	Logo        string `env:"MARQUEE_LOGO" envDefault:"/favicon.svg"`

	Hosts          []string `env:"MARQUEE_HOSTS"`
	TrustedOrigins []string `env:"MARQUEE_TRUSTED_ORIGINS"`
	TrustedProxies []string `env:"MARQUEE_TRUSTED_PROXIES"`
	PictureHosts   []string `env:"MARQUEE_PICTURE_HOSTS"`
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
		Channel:  httpapi.Channel{No: e.ChannelNo, AppKey: e.ChannelAppKey, Secret: e.ChannelSecret},
		Links:    httpapi.Links{Shop: e.LinkShop, Cake: e.LinkCake, Book: e.LinkBook, Service: e.LinkService},
		Logo:     e.Logo,
		Gateway:  Gateway{BaseURL: e.GatewayURL, AppKey: e.GatewayAppKey, Secret: e.GatewaySecret},
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

package app

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"marquee/server/account"
	"marquee/server/httpapi"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
	"marquee/server/providers/legacygateway"
)

// Production is the Env of a shop with real buyers.
const Production = "production"

// Config is what a shop is made of. A field either works when it is left empty or makes New fail with its name.
type Config struct {
	Env       string // Production, or nothing
	DB        string // path of the SQLite file; "" is data/marquee.db
	MustExist bool   // New fails when there is no such file, instead of making an empty one
	Beside    bool   // does not serve: while another process does, a database of an older release is refused, not changed
	DataDir   string // uploaded pictures; "" is the folder of DB
	PublicURL string // where buyers and providers reach the shop; required
	Build     string // what is running; "" is "dev"
	Web       fs.FS  // the built web app; nil serves a page that says so

	// SimulatorURL sends every provider call to the simulators. Never in production.
	SimulatorURL string

	Pepper  string // keys hashes of codes, passwords and cards; at least 16 bytes; required without a simulator
	Channel wire.Channel
	Links   pages.Links
	Logo    string

	Gateway  Gateway
	NewMovie NewMovie
	WeChat   WeChat
	SMS      SMS

	Hosts          []string // further host[:port]s under which the shop is opened
	TrustedOrigins []string // origins that may post besides the shop's own
	TrustedProxies []string // networks whose X-Forwarded-For counts
	PictureHosts   []string // further sources of pictures
	Rates          httpapi.Rates
	SMSLimits      account.Limits

	// CallTimeout bounds one exchange with a provider, in real time; 0 is 8 s.
	CallTimeout time.Duration

	// PasswordCost of a new payment password; zero is account.DefaultCost. Less is for measuring and refused in production.
	PasswordCost PasswordCost

	Now    func() time.Time // business time; nil is time.Now
	Logger *slog.Logger     // nil is the default one
}

// Gateway is the legacy ticketing gateway: where it is and who we are to it.
type Gateway struct {
	BaseURL string // "" with a simulator: the simulated one
	AppKey  string
	Secret  string
	Dialect legacygateway.Dialect // how this installation signs
}

// NewMovie is the newmovie provider.
type NewMovie struct {
	BaseURL   string // "" with a simulator: the simulated one
	EntID     string
	AppSecret string
}

// WeChat is the messaging app: the public account and the merchant.
type WeChat struct {
	AppID, AppSecret           string
	MchID, MchSerial, APIv3Key string
	MchPrivateKeyPEM           string // PKCS #8
}

// SMS is the SMS vendor.
type SMS struct{ AccessKeyID, AccessKeySecret, SignName, TemplateCode string }

// PasswordCost is what hashing a payment password takes.
type PasswordCost = account.Cost

// simulatedPepper keeps a simulated shop's database readable between runs. It protects nothing.
const simulatedPepper = "marquee: providers are simulated"

// CheckEnv refuses a MARQUEE_ENV that is neither Production nor nothing: a mistyped one must not open a real shop's doors to
// simulated money.
func CheckEnv(env string) error {
	if env != "" && env != Production {
		return fmt.Errorf("app: MARQUEE_ENV is %q: it can be %s, or not set", env, Production)
	}
	return nil
}

// Check fails as New does where something is missing or wrong, and touches nothing.
func (c Config) Check() error {
	_, err := c.withDefaults()
	return err
}

func (c Config) withDefaults() (Config, error) {
	if err := CheckEnv(c.Env); err != nil {
		return c, err
	}
	if c.SimulatorURL != "" && c.Env == Production {
		return c, errors.New("app: MARQUEE_SIMULATOR_URL must not be set when MARQUEE_ENV is production: buyers' money would not be real")
	}
	c.DB = databasePath(c.DB)
	if c.DataDir == "" {
		c.DataDir = filepath.Dir(c.DB)
	}
	if c.Build == "" {
		c.Build = "dev"
	}
	if c.CallTimeout == 0 {
		c.CallTimeout = 8 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	c.SimulatorURL = strings.TrimSuffix(c.SimulatorURL, "/")
	if c.SimulatorURL != "" {
		c.simulate()
	}
	return c, c.check()
}

// simulate fills in what a simulated world makes known.
func (c *Config) simulate() {
	if c.Gateway.BaseURL == "" {
		c.Gateway.BaseURL = c.SimulatorURL + "/gateway"
	}
	if c.NewMovie.BaseURL == "" {
		c.NewMovie.BaseURL = c.SimulatorURL + "/newmovie"
	}
	if c.Pepper == "" {
		c.Pepper = simulatedPepper
	}
	// One machine plays all the buyers, so limits by address would only be in the way.
	if c.Rates == (httpapi.Rates{}) {
		c.Rates = httpapi.Rates{Calls: -1, Logins: -1}
	}
	if c.SMSLimits == (account.Limits{}) {
		c.SMSLimits = account.Limits{PhoneHour: 5, PhoneDay: 10, IPHour: 100_000, IPDay: 100_000}
	}
	sim, err := url.Parse(c.SimulatorURL)
	if err != nil {
		return // check says so
	}
	c.PictureHosts = append([]string{c.SimulatorURL}, c.PictureHosts...)
	if _, port, err := net.SplitHostPort(sim.Host); err == nil {
		// The simulated phone shows the shop under hosts of its own.
		inApp := []string{"inapp.localhost:" + port}
		if public, err := url.Parse(c.PublicURL); err == nil && public.Port() != "" {
			inApp = append(inApp, public.Port()+".inapp.localhost:"+port, "localhost:"+public.Port(), "127.0.0.1:"+public.Port())
		}
		for _, host := range inApp {
			c.Hosts = append(c.Hosts, host)
			c.TrustedOrigins = append(c.TrustedOrigins, "http://"+host)
		}
	}
}

func (c *Config) check() error {
	public, err := url.Parse(c.PublicURL)
	if err != nil || public.Host == "" || (public.Scheme != "http" && public.Scheme != "https") {
		return fmt.Errorf("app: MARQUEE_PUBLIC_URL %q is not an http address", c.PublicURL)
	}
	if c.Env == Production && public.Scheme != "https" {
		return errors.New("app: MARQUEE_PUBLIC_URL must be https when MARQUEE_ENV is production")
	}
	for _, f := range []struct{ name, value string }{
		{"MARQUEE_PEPPER", c.Pepper},
		{"MARQUEE_CHANNEL_NO", c.Channel.No},
		{"MARQUEE_CHANNEL_APPKEY", c.Channel.AppKey},
		{"MARQUEE_CHANNEL_SECRET", c.Channel.Secret},
		{"MARQUEE_GATEWAY_URL", c.Gateway.BaseURL},
		{"MARQUEE_GATEWAY_APPKEY", c.Gateway.AppKey},
		{"MARQUEE_GATEWAY_SECRET", c.Gateway.Secret},
		{"MARQUEE_NEWMOVIE_URL", c.NewMovie.BaseURL},
		{"MARQUEE_NEWMOVIE_ENT_ID", c.NewMovie.EntID},
		{"MARQUEE_NEWMOVIE_APP_SECRET", c.NewMovie.AppSecret},
		{"MARQUEE_WECHAT_APP_ID", c.WeChat.AppID},
		{"MARQUEE_WECHAT_APP_SECRET", c.WeChat.AppSecret},
		{"MARQUEE_WECHAT_MCH_ID", c.WeChat.MchID},
		{"MARQUEE_WECHAT_MCH_SERIAL", c.WeChat.MchSerial},
		{"MARQUEE_WECHAT_MCH_PRIVATE_KEY", c.WeChat.MchPrivateKeyPEM},
		{"MARQUEE_WECHAT_APIV3_KEY", c.WeChat.APIv3Key},
		{"MARQUEE_SMS_ACCESS_KEY_ID", c.SMS.AccessKeyID},
		{"MARQUEE_SMS_ACCESS_KEY_SECRET", c.SMS.AccessKeySecret},
		{"MARQUEE_SMS_SIGN_NAME", c.SMS.SignName},
		{"MARQUEE_SMS_TEMPLATE_CODE", c.SMS.TemplateCode},
	} {
		if f.value == "" {
			return fmt.Errorf("app: %s is required", f.name)
		}
	}
	if len(c.Pepper) < 16 {
		return errors.New("app: MARQUEE_PEPPER must have at least 16 bytes")
	}
	if less := c.PasswordCost; c.Env == Production && less != (PasswordCost{}) && (less.MemoryKiB < account.DefaultCost.MemoryKiB || less.Passes < account.DefaultCost.Passes) {
		return errors.New("app: PasswordCost is below the default: not when MARQUEE_ENV is production")
	}
	if c.Env == Production && c.Pepper == simulatedPepper {
		return errors.New("app: MARQUEE_PEPPER is the simulated one")
	}
	return nil
}

package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/jackc/pgx/v5"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/httpapi"
	"marquee/server/pepper"
	"marquee/server/providers/captcha"
	"marquee/server/providers/sms"
	"marquee/server/providers/wechat"
	"marquee/server/requestid"
)

// Production is the value of MARQUEE_ENV for a shop with real buyers.
const Production = "production"

// Config configures a shop. It is the only list of the environment variables: the tags of a field contain the variable,
// its default, when it is required ("always" or "production"), whether it is a secret or the address of a provider, and
// its description. `shop -help` is generated from them. Lists are separated by commas. Fields without an env tag are
// set by the program that starts the shop.
type Config struct {
	Env        string        `env:"MARQUEE_ENV" help:"production, or empty; production forbids simulators and plain http"`
	Addr       string        `env:"MARQUEE_ADDR" default:"127.0.0.1:8080" help:"address to listen on"`
	PublicURL  string        `env:"MARQUEE_PUBLIC_URL" required:"production" help:"address for buyers; http:// and MARQUEE_ADDR if empty"`
	AdminAddr  string        `env:"MARQUEE_ADMIN_ADDR" default:"127.0.0.1:8081" help:"private address of metrics and probes; none: off"`
	DrainDelay time.Duration `env:"MARQUEE_DRAIN_DELAY" default:"0s" help:"how long requests are still accepted after SIGTERM"`
	DB         string        `env:"MARQUEE_DB" default:"data/marquee.db" help:"path of the SQLite database, or postgres:// URL"`
	DBMigrate  bool          `env:"MARQUEE_DB_MIGRATE" default:"false" help:"shop run migrates a PostgreSQL database; else shop migrate does"`
	// DBConnections is a limit for each process. All processes together should have about four connections for each
	// core of the database server.
	DBConnections int    `env:"MARQUEE_DB_CONNECTIONS" default:"0" help:"maximum number of connections of this process to PostgreSQL; 0: 4 for each of its cores"`
	Pepper        string `env:"MARQUEE_PEPPER" required:"always" secret:"true" help:"key of hashes and sealed codes; 16 bytes or more"`
	OldPepper     string `env:"MARQUEE_PEPPER_PREVIOUS" secret:"true" help:"second pepper that is accepted during a rotation"`
	// Secrets is read only by WithSecretFiles, which adds the secrets to the variables.
	Secrets string `env:"MARQUEE_SECRETS" help:"folder with a file for each secret, named after its variable; empty: $CREDENTIALS_DIRECTORY"`
	Logo    string `env:"MARQUEE_LOGO" default:"/favicon.svg" help:"address of the logo"`

	SiteFiles string `env:"MARQUEE_SITE_FILES" help:"folder with MP_verify_….txt and security.txt, served under their public paths"`

	Hosts          []string `env:"MARQUEE_HOSTS" help:"hosts[:port], in addition to that of MARQUEE_PUBLIC_URL, under which the shop is opened"`
	TrustedOrigins []string `env:"MARQUEE_TRUSTED_ORIGINS" help:"origins, in addition to the shop, whose pages may post to the shop"`
	TrustedProxies []string `env:"MARQUEE_TRUSTED_PROXIES" required:"production" help:"proxies (CIDR) whose X-Forwarded-For counts, or none"`
	PictureHosts   []string `env:"MARQUEE_PICTURE_HOSTS" required:"production" help:"sources of pictures, in addition to the shop, that pages may show"`

	SimulatorURL string `env:"MARQUEE_SIMULATOR_URL" help:"address of the simulators that replace all providers"`

	LogLevel slog.Level `env:"MARQUEE_LOG_LEVEL" default:"INFO" help:"least severe lines in the log: DEBUG, INFO, WARN or ERROR"`

	// Traces has the standard variable of OpenTelemetry. The exporter itself reads the other variables of
	// OpenTelemetry.
	Traces string `env:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"collector of traces (OTLP over HTTP); empty: no traces"`

	Channel  Channel
	Links    Links
	Gateway  Gateway
	NewMovie NewMovie
	WeChat   WeChat
	SMS      SMS
	Captcha  Captcha
	Rates    Rates

	MustExist bool // New returns an error if the database DB does not exist, instead of creating it
	// ForCommand is set by commands that do not serve buyers. If a shop serves the database, New then returns an error
	// instead of migrating the schema.
	ForCommand bool
	Build      string // version of the program; "" is "dev"
	Web        fs.FS  // the built web app; nil serves a page that reports it as missing

	SMSLimits account.Limits // zero value: account.DefaultLimits; with simulators only limits for each phone
	// CallLimit is the time limit of one call to a provider, with all its exchanges, in real time. 0 means
	// durations.ProviderCall.
	CallLimit time.Duration
	// DBWait is how long a transaction waits for a connection to PostgreSQL, in real time. 0 means 1 s.
	DBWait time.Duration
	// PasswordCost is the cost of hashing a new payment password. The zero value means account.DefaultCost. A lower
	// cost is meant for benchmarks; in production it is an error.
	PasswordCost account.Cost

	queryTracer pgx.QueryTracer // of PostgreSQL; nil: none

	// ObserveUndeclared is called for each error that the operation at the path does not declare. It may be nil.
	ObserveUndeclared func(path, code string)

	Now    func() time.Time // business clock; nil is time.Now
	Logger *slog.Logger     // nil is slog.Default()
}

// Channel identifies the web app in every call, and has the keys with which it signs the calls for which the
// specification requires a signature. It is part of the page and therefore public.
type Channel struct {
	No     string `env:"MARQUEE_CHANNEL_NO" required:"always" help:"channel number of every call of the web app"`
	AppKey string `env:"MARQUEE_CHANNEL_APPKEY" required:"always" help:"key of the channel for signed calls"`
	Secret string `env:"MARQUEE_CHANNEL_SECRET" required:"always" help:"secret of the channel for signed calls; part of the page"`
}

// Links are the addresses of other sites to which the shop has links. An empty address hides the link.
type Links struct {
	Shop    string `env:"MARQUEE_LINK_SHOP" help:"address of the separate shop; empty: no link"`
	Cake    string `env:"MARQUEE_LINK_CAKE" help:"address of the cake shop; empty: no link"`
	Book    string `env:"MARQUEE_LINK_BOOK" help:"address of the book shop; empty: no link"`
	Service string `env:"MARQUEE_LINK_SERVICE" help:"address of customer service; empty: no link"`
}

// Gateway configures the client of the legacy signed gateway.
type Gateway struct {
	BaseURL   string        `env:"MARQUEE_GATEWAY_URL" required:"always" provider:"true" help:"address of the legacy signed gateway"`
	AppKey    string        `env:"MARQUEE_GATEWAY_APPKEY" required:"always" help:"the shop's key at the gateway"`
	Secret    string        `env:"MARQUEE_GATEWAY_SECRET" required:"always" secret:"true" help:"secret that signs calls to the legacy gateway and verifies its pushes"`
	Digest    string        `env:"MARQUEE_GATEWAY_DIGEST" default:"md5" help:"signature of the legacy gateway: md5, hmac-md5 or hmac-sha256"`
	LowerCase bool          `env:"MARQUEE_GATEWAY_LOWERCASE" default:"false" help:"true: signatures of the legacy gateway are in lower-case hex"`
	Window    time.Duration `env:"MARQUEE_GATEWAY_WINDOW" default:"10m" help:"how far the timestamp of a push of the legacy gateway may be off"`
}

// NewMovie configures the client of the newmovie provider.
type NewMovie struct {
	BaseURL   string `env:"MARQUEE_NEWMOVIE_URL" required:"always" provider:"true" help:"address of the newmovie provider"`
	EntID     string `env:"MARQUEE_NEWMOVIE_ENT_ID" required:"always" help:"the shop's id at the newmovie provider"`
	AppSecret string `env:"MARQUEE_NEWMOVIE_APP_SECRET" required:"always" secret:"true" help:"the shop's secret at the newmovie provider"`
}

// WeChat configures the clients of the messaging app: the public account (login, JS-SDK) and the merchant (payment).
type WeChat struct {
	AppID         string `env:"MARQUEE_WECHAT_APP_ID" required:"always" help:"app id of the public account"`
	AppSecret     string `env:"MARQUEE_WECHAT_APP_SECRET" required:"always" secret:"true" help:"secret of the public account"`
	MchID         string `env:"MARQUEE_WECHAT_MCH_ID" required:"always" help:"merchant number at the payment API"`
	MchSerial     string `env:"MARQUEE_WECHAT_MCH_SERIAL" required:"always" help:"serial number of the merchant's API certificate"`
	MchPrivateKey string `env:"MARQUEE_WECHAT_MCH_PRIVATE_KEY" required:"always" secret:"true" help:"private key of the API certificate, PKCS #8: PEM or a path"`
	APIv3Key      string `env:"MARQUEE_WECHAT_APIV3_KEY" required:"always" secret:"true" help:"key that decrypts notifications of the payment API; 32 bytes"`
	PublicKey     string `env:"MARQUEE_WECHAT_PUBLIC_KEY" help:"public key of the payment API: PEM or a path; empty: certificates only"`
	PublicKeyID   string `env:"MARQUEE_WECHAT_PUBLIC_KEY_ID" help:"id of the payment API's public key, PUB_KEY_ID_…"`
	PublicKeyOnly bool   `env:"MARQUEE_WECHAT_PUBLIC_KEY_ONLY" default:"false" help:"true: the payment API has no platform certificates for the merchant"`
	H5            bool   `env:"MARQUEE_WECHAT_H5" default:"false" help:"true: H5 payment, for buyers outside the messaging app"`

	// MchPrivateKeyFile is the path that MchPrivateKey had before it was replaced by the content of the file.
	MchPrivateKeyFile string
}

// SMS configures the client of the SMS vendor.
type SMS struct {
	AccessKeyID     string `env:"MARQUEE_SMS_ACCESS_KEY_ID" required:"always" help:"access key id at the SMS vendor"`
	AccessKeySecret string `env:"MARQUEE_SMS_ACCESS_KEY_SECRET" required:"always" secret:"true" help:"secret of the access key at the SMS vendor"`
	SignName        string `env:"MARQUEE_SMS_SIGN_NAME" required:"always" help:"signature of text messages, registered at the SMS vendor"`
	TemplateCode    string `env:"MARQUEE_SMS_TEMPLATE_CODE" required:"always" help:"template of text messages with ${code}"`
	NewIdentity     string `env:"MARQUEE_SMS_TEMPLATE_NEW_IDENTITY" help:"template with ${time} for notices of a new messaging-app identity; empty: not sent"`
	NewPhone        string `env:"MARQUEE_SMS_TEMPLATE_NEW_PHONE" help:"template with ${time} for notices of a new phone, sent to the former one; empty: not sent"`
	NewPassword     string `env:"MARQUEE_SMS_TEMPLATE_NEW_PASSWORD" help:"template with ${time} for notices of a new payment password; empty: not sent"`
	NewDevice       string `env:"MARQUEE_SMS_TEMPLATE_NEW_DEVICE" help:"template with ${time} for notices of a login on a new device; empty: not sent"`
	HourlyCeiling   int    `env:"MARQUEE_SMS_HOURLY_CEILING" help:"SMS codes of the shop in an hour; empty: 1000, or no limit with simulators"`
}

// Captcha configures the captcha that strangers solve before an SMS code is sent for them. If AppID is 0, there is no
// captcha.
type Captcha struct {
	AppID        uint64 `env:"MARQUEE_CAPTCHA_APP_ID" help:"id at the captcha vendor; empty: codes are sent without a challenge"`
	AppSecretKey string `env:"MARQUEE_CAPTCHA_APP_SECRET_KEY" secret:"true" help:"the shop's key for checking answers to the captcha"`
	SecretID     string `env:"MARQUEE_CAPTCHA_SECRET_ID" help:"id of the API key at the captcha vendor"`
	SecretKey    string `env:"MARQUEE_CAPTCHA_SECRET_KEY" secret:"true" help:"secret of the API key at the captcha vendor"`
	Script       string `env:"MARQUEE_CAPTCHA_SCRIPT" default:"https://turing.captcha.qcloud.com/TJCaptcha.js" help:"address of the captcha vendor's script"`
}

// Rates are the maximum numbers of requests from one network in a minute at this process, as in httpapi.Rates. For a
// field that is 0, the value of httpapi.DefaultRates applies. A mobile carrier may have hundreds of customers behind
// one IPv4 address.
type Rates struct {
	Calls    int `env:"MARQUEE_RATE_CALLS" help:"calls and pages of a network in a minute; empty: 12000, or no limit with simulators; -1: no limit"`
	Logins   int `env:"MARQUEE_RATE_LOGINS" help:"codes, logins and payment passwords of a network in a minute; empty: 300, or no limit with simulators; -1: no limit"`
	Reads    int `env:"MARQUEE_RATE_READS" help:"seat maps and uncached lists of a network without a login in a minute; empty: 900, or no limit with simulators; -1: no limit"`
	Notifies int `env:"MARQUEE_RATE_NOTIFIES" help:"rejected notifications of a network in a minute; empty: 60, or no limit with simulators; -1: no limit"`
}

// invalid calls report for each rule. If its first argument is true, the rule is broken, and report adds the error.
func (r Rates) invalid(production bool, report func(invalid bool, format string, args ...any)) {
	of := httpapi.Rates(r).WithDefaults()
	report(min(r.Calls, r.Logins, r.Reads, r.Notifies) < -1, "MARQUEE_RATE_… must be 1 or more, or -1 for no limit")
	report(of.Calls > 0 && max(of.Logins, of.Reads) > of.Calls,
		"MARQUEE_RATE_CALLS is below MARQUEE_RATE_LOGINS or MARQUEE_RATE_READS, which count as calls too")
	report(production && r.Logins < 0, "MARQUEE_RATE_LOGINS must limit the guesses of codes and passwords in production")
}

// Variable describes an environment variable of Config.
type Variable struct {
	Name     string // of the environment variable
	Default  string // used if the variable is empty or missing
	Required string // "always", "production" or ""
	Secret   bool   // the value must not be logged
	Provider bool   // the address of a provider: https and public in production
	Help     string // one line for operators

	index []int // of the field in Config
}

// Variables lists the environment variables in the order of Config.
func Variables() []Variable { return variablesOf(reflect.TypeFor[Config](), nil) }

func variablesOf(t reflect.Type, path []int) (list []Variable) {
	for i := range t.NumField() {
		field := t.Field(i)
		index := append(append([]int{}, path...), i)
		if name := field.Tag.Get("env"); name != "" {
			list = append(list, Variable{
				Name: name, Default: field.Tag.Get("default"), Required: field.Tag.Get("required"),
				Secret: field.Tag.Get("secret") == "true", Provider: field.Tag.Get("provider") == "true",
				Help: field.Tag.Get("help"), index: index,
			})
		} else if field.Type.Kind() == reflect.Struct {
			list = append(list, variablesOf(field.Type, index)...)
		}
	}
	return list
}

// FromEnvironment reads a configuration from environment variables: those of the process, or those that running
// simulators publish for a shop. It returns an error that names each variable whose value cannot be parsed. Missing
// variables are reported later, by Check and New, because the caller may still set the fields.
func FromEnvironment(variables map[string]string) (Config, error) {
	cfg, err := parse(variables)
	if err == nil {
		return cfg, nil
	}
	// The library's error contains the name of the Go field. Parse each variable separately to report the name of the
	// variable.
	var invalid []error
	for _, v := range Variables() {
		_, err := parse(map[string]string{v.Name: variables[v.Name]})
		var detail env.ParseError
		if errors.As(err, &detail) {
			invalid = append(invalid, fmt.Errorf("app: %s is invalid (%s): %w", v.Name, v.Help, detail.Err))
		}
	}
	if len(invalid) == 0 {
		invalid = append(invalid, fmt.Errorf("app: read the environment: %w", err))
	}
	return Config{}, configurationFault(errors.Join(invalid...))
}

// errConfiguration is matched by every error about the configuration.
var errConfiguration = fault.New(fault.Invalid, "config_invalid", "配置无效").WithExplanation(
	"correct the environment; shop -help lists the variables")

func configurationFault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", errConfiguration, err)
}

// parse reads the tagged fields. An empty variable counts as one that is not set.
func parse(variables map[string]string) (Config, error) {
	variables = maps.Clone(variables)
	maps.DeleteFunc(variables, func(_, value string) bool { return value == "" })
	return env.ParseAsWithOptions[Config](env.Options{Environment: variables, DefaultValueTagName: "default"})
}

// CheckEnv returns an error if a value of MARQUEE_ENV is neither empty nor Production. Without this check, a mistyped
// value could start a shop with real buyers and simulated payments.
func CheckEnv(value string) error {
	if value != "" && value != Production {
		return configurationFault(fmt.Errorf("app: MARQUEE_ENV is %q: it must be %q or empty", value, Production))
	}
	return nil
}

// Check returns an error that names each missing or invalid variable, as New does, but does not open the database or
// create files.
func (c Config) Check() error {
	_, err := c.WithDefaults()
	return err
}

// WithDefaults returns the configuration with every empty field filled in, or an error that names each variable that is
// missing or invalid.
func (c Config) WithDefaults() (Config, error) {
	if err := CheckEnv(c.Env); err != nil {
		return c, err
	}
	if c.PublicURL == "" && c.Env != Production {
		c.PublicURL = "http://" + c.Addr
	}
	if c.Build == "" {
		c.Build = "dev"
	}
	if c.CallLimit == 0 {
		c.CallLimit = durations.ProviderCall
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.Logger = slog.New(requestid.LogHandler(c.Logger.Handler()))
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	c.SimulatorURL = strings.TrimSuffix(c.SimulatorURL, "/")
	addresses := c.normalizeAddresses()
	if c.SimulatorURL != "" && c.Env != Production {
		c.simulate()
	}
	if c.SMSLimits == (account.Limits{}) {
		c.SMSLimits = account.DefaultLimits
	}
	if c.SMS.HourlyCeiling != 0 {
		c.SMSLimits.ShopHour = c.SMS.HourlyCeiling
	}
	return c, configurationFault(errors.Join(c.missing(), addresses, c.WeChat.readKeys(), c.invalid(), c.checkNetwork(),
		c.checkProduction(), checkAdminAddr(c.AdminAddr)))
}

// ProviderAddresses returns the base addresses of the providers by name, for checks of their clocks and certificates.
// If simulators replace the providers, it returns only their address.
func (c Config) ProviderAddresses() map[string]string {
	if c.SimulatorURL != "" {
		return map[string]string{"simulators": c.SimulatorURL}
	}
	addresses := map[string]string{
		"gateway": c.Gateway.BaseURL, "newmovie": c.NewMovie.BaseURL, "sms": "https://" + sms.DefaultEndpoint,
		"wechat_account": "https://" + wechat.APIHost, "wechat_pay": "https://" + wechat.PayHost,
	}
	if c.Captcha.AppID != 0 {
		addresses["captcha"] = "https://" + captcha.Endpoint
	}
	return addresses
}

// simulatedPepper is the pepper of a simulated shop whose configuration has none, so that its database stays readable
// between runs. It is public and protects nothing.
const simulatedPepper = "marquee: providers are simulated"

// simulate fills in the fields that follow from the address of the simulators.
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
	// All simulated buyers share one address, so limits by address are switched off.
	for _, rate := range []*int{&c.Rates.Calls, &c.Rates.Logins, &c.Rates.Reads, &c.Rates.Notifies} {
		*rate = cmp.Or(*rate, -1)
	}
	if c.SMSLimits == (account.Limits{}) {
		c.SMSLimits = account.Limits{PhoneHour: 5, PhoneDay: 10}
	}
	c.PictureHosts = append([]string{c.SimulatorURL}, c.PictureHosts...)
	sim, err := url.Parse(c.SimulatorURL)
	if err != nil {
		return // invalid reports it
	}
	// The simulated phone opens the shop under host names that the simulators serve.
	if port := sim.Port(); port != "" {
		hosts := []string{"inapp.localhost:" + port}
		if public, err := url.Parse(c.PublicURL); err == nil && public.Port() != "" {
			hosts = append(hosts, public.Port()+".inapp.localhost:"+port,
				net.JoinHostPort("localhost", public.Port()), net.JoinHostPort("127.0.0.1", public.Port()))
		}
		for _, host := range hosts {
			c.Hosts = append(c.Hosts, host)
			c.TrustedOrigins = append(c.TrustedOrigins, "http://"+host)
		}
	}
}

// missing returns an error for each required field that is empty.
func (c *Config) missing() error {
	var missing []error
	for _, v := range Variables() {
		required := v.Required == "always" || v.Required == Production && c.Env == Production
		if required && reflect.ValueOf(*c).FieldByIndex(v.index).IsZero() {
			missing = append(missing, fmt.Errorf("app: %s is required: %s", v.Name, v.Help))
		}
	}
	return errors.Join(missing...)
}

// invalid returns an error for each field whose value breaks a rule. The constructors of the providers and of the HTTP
// interface check the other rules.
func (c *Config) invalid() error {
	var errs []error
	report := func(broken bool, format string, args ...any) {
		if broken {
			errs = append(errs, fmt.Errorf("app: "+format, args...))
		}
	}
	public, err := url.Parse(c.PublicURL)
	web := err == nil && public.Host != "" && (public.Scheme == "http" || public.Scheme == "https")
	report(c.PublicURL != "" && !web, "MARQUEE_PUBLIC_URL %q is not an http address", c.PublicURL)
	for name, link := range map[string]string{
		"SHOP": c.Links.Shop, "CAKE": c.Links.Cake, "BOOK": c.Links.Book, "SERVICE": c.Links.Service,
	} {
		u, err := url.Parse(link)
		page := err == nil && slices.Contains([]string{"http", "https", "tel", "mailto", ""}, u.Scheme)
		report(link != "" && !page, "MARQUEE_LINK_%s is not the address of a page", name)
	}
	c.Rates.invalid(c.Env == Production, report)
	report(c.SMS.HourlyCeiling < 0, "MARQUEE_SMS_HOURLY_CEILING must be 1 or more")
	report(c.Pepper != "" && len(c.Pepper) < pepper.MinBytes, "MARQUEE_PEPPER must have at least %d bytes",
		pepper.MinBytes)
	report(c.OldPepper != "" && len(c.OldPepper) < pepper.MinBytes,
		"MARQUEE_PEPPER_PREVIOUS must have at least %d bytes", pepper.MinBytes)
	report(c.OldPepper != "" && c.OldPepper == c.Pepper, "MARQUEE_PEPPER_PREVIOUS must differ from MARQUEE_PEPPER")
	return errors.Join(errs...)
}

package harness

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/httpapi"
	"marquee/simulators/dataset"
)

// Answer is the envelope of an answer of the shop, in any of its formats.
type Answer struct {
	Path   string `json:"-"` // of the request
	Status int    `json:"-"` // of HTTP

	Code  any             `json:"code"` // a number or a string
	Msg   string          `json:"msg"`
	Error any             `json:"error"` // a stable code; "" and null are success
	Data  json.RawMessage `json:"data"`

	Success   bool   `json:"success"`    // only in the format of the gateway's calls, like ErrorCode
	ErrorCode string `json:"error_code"` // the stable code; Error is an object then
}

// Decode decodes the data of a success into the value, which may be nil. It returns an error if the answer is one.
func (a Answer) Decode(into any) error {
	if failed := a.Error != nil && a.Error != ""; failed || a.Status != http.StatusOK {
		return fmt.Errorf("%s answered %d: %v %s", a.Path, a.Status, a.Error, a.Msg)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.Data, into)
}

// Client is an HTTP client of the shop with a separate cookie jar. It does not follow redirects.
type Client struct {
	HTTP *http.Client

	stack *Stack
}

// NewClient returns a client without cookies. It dials the simulators for inapp.localhost, a name that browsers resolve
// and Go's resolver does not.
func (s *Stack) NewClient() *Client {
	jar, err := cookiejar.New(nil)
	require.NoError(s.T, err)
	sim := strings.TrimPrefix(s.Sims.URL(), "http://")
	transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if strings.Contains(addr, "inapp.localhost") {
			addr = sim
		}
		return (&net.Dialer{}).DialContext(ctx, network, addr)
	}}
	s.T.Cleanup(transport.CloseIdleConnections)
	return &Client{stack: s, HTTP: &http.Client{
		Jar: jar, Timeout: patience, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Post posts a form with the channel number, the token and, if the path requires it, the channel's signature.
func (c *Client) Post(token, path string, fields map[string]string) Answer {
	form := url.Values{"channel_no": {c.stack.Channel().ChannelNo}, "token": {token}}
	for name, value := range fields {
		form.Set(name, value)
	}
	c.stack.Seal(path, form)
	resp, err := c.HTTP.PostForm(c.stack.URL+path, form)
	require.NoError(c.stack.T, err)
	return c.Read(resp)
}

// Get gets a path of the shop, without channel number, token or signature.
func (c *Client) Get(path string) Answer {
	resp, err := c.HTTP.Get(c.stack.URL + path)
	require.NoError(c.stack.T, err)
	return c.Read(resp)
}

// Read reads the envelope of a response and closes its body.
func (c *Client) Read(resp *http.Response) Answer {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(c.stack.T, err)
	a := Answer{Path: resp.Request.URL.Path, Status: resp.StatusCode}
	require.NoError(c.stack.T, json.Unmarshal(body, &a), "%s answered %s: %s", a.Path, resp.Status, body)
	return a
}

// call posts a form and decodes the data of the answer into the value, which may be nil. An error fails the test.
func (c *Client) call(token, path string, fields map[string]string, into any) {
	require.NoError(c.stack.T, c.Post(token, path, fields).Decode(into))
}

func (c *Client) get(path string, into any) {
	require.NoError(c.stack.T, c.Get(path).Decode(into))
}

// OAuth is the result of the messaging app's login, which the shop needs to prove an identity.
type OAuth struct{ Code, State string }

// LogInAtApp logs in at the messaging app as the person with the identity, and returns the code. The token may be "".
func (c *Client) LogInAtApp(token, openID string) OAuth {
	var start httpapi.OAuthStart
	c.call(token, "/Login/wxlogin", map[string]string{"url": c.stack.URL + "/quickLogin"}, &start)
	req, err := http.NewRequestWithContext(c.stack.T.Context(), http.MethodGet, start.URL, nil)
	require.NoError(c.stack.T, err)
	req.AddCookie(&http.Cookie{Name: "phone_openid", Value: openID})
	resp, err := c.HTTP.Do(req)
	require.NoError(c.stack.T, err)
	require.NoError(c.stack.T, resp.Body.Close())
	require.Equal(c.stack.T, http.StatusFound, resp.StatusCode)
	back, err := resp.Location()
	require.NoError(c.stack.T, err)
	return OAuth{back.Query().Get("code"), back.Query().Get("state")}
}

// ProveIdentity logs in at the messaging app and lets the shop exchange the code. With a token, the identity is bound
// to that account; without one, the returned proof can be used one time to bind the identity to a phone.
func (c *Client) ProveIdentity(token, openID string) (proof string) {
	way := c.LogInAtApp(token, openID)
	var proven httpapi.OAuthIdentity
	c.call(token, "/Login/getopenid", map[string]string{"code": way.Code, "state": way.State}, &proven)
	require.Equal(c.stack.T, openID, proven.OpenID)
	return proven.Proof
}

// Channel returns the number, the key and the secret with which the shop's web app identifies itself and signs calls.
func (s *Stack) Channel() dataset.ShopCredentials { return s.Sims.Default().Credentials().Shop }

// Seal signs a form for a path that requires the channel's signature, which covers all fields.
func (s *Stack) Seal(path string, form url.Values) {
	if !strings.HasPrefix(path, "/movie/route") {
		return
	}
	Signed(s.Channel(), form)
}

// Signed adds the channel's signature to a form, and returns the form.
func Signed(channel dataset.ShopCredentials, form url.Values) url.Values {
	form.Set("appkey", channel.AppKey)
	form.Set("v", "2.0")
	form.Set("timestamp", time.Now().In(shanghai).Format(time.DateTime))
	form.Set("sign", sign(form, channel.Secret))
	return form
}

// sign is the channel's signature over all fields of a form. It does not use the shop's implementation, in which a
// mistake would then not be found.
func sign(form url.Values, secret string) string {
	text := secret
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if value := form.Get(name); value != "" && name != "sign" {
			text += name + value
		}
	}
	sum := md5.Sum([]byte(text + secret))
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

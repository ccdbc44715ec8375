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

	"marquee/simulators/dataset"
)

// Answer is an envelope of the shop, of any of its backends.
type Answer struct {
	Path   string `json:"-"` // of the request
	Status int    `json:"-"` // of HTTP

	Code    any             `json:"code"` // a number or a string
	Msg     string          `json:"msg"`
	Error   any             `json:"error"`   // a stable code; "" and null are success
	Success bool            `json:"success"` // of the gateway's envelope
	Data    json.RawMessage `json:"data"`
}

// Decode decodes the data of a success into the value, which may be nil. It returns an error for a refusal.
func (a Answer) Decode(into any) error {
	if refused := a.Error != nil && a.Error != ""; refused || a.Status != http.StatusOK {
		return fmt.Errorf("%s answered %d: %v %s", a.Path, a.Status, a.Error, a.Msg)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.Data, into)
}

// NewClient returns a client with cookies of its own. It follows no redirect, and it dials the simulators for
// inapp.localhost, a name that only browsers resolve.
func (s *Stack) NewClient() *http.Client {
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
	return &http.Client{
		Jar: jar, Timeout: patience, Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Post posts a form with the channel number, the token and, where the path asks for it, the channel's signature.
func (s *Stack) Post(token, path string, fields map[string]string) Answer {
	form := url.Values{"channel_no": {s.Channel().ChannelNo}, "token": {token}}
	for name, value := range fields {
		form.Set(name, value)
	}
	s.Seal(path, form)
	resp, err := s.Client.PostForm(s.URL+path, form)
	require.NoError(s.T, err)
	return s.read(resp)
}

// Channel is the channel that the shop knows its web app by.
func (s *Stack) Channel() dataset.ShopCredentials { return s.Sims.Default().Credentials().Shop }

// Seal signs a form for the paths that ask for the channel's signature, which covers all fields.
func (s *Stack) Seal(path string, form url.Values) {
	if !strings.HasPrefix(path, "/movie/route") {
		return
	}
	form.Set("appkey", s.Channel().AppKey)
	form.Set("v", "2.0")
	form.Set("timestamp", time.Now().In(shanghai).Format(time.DateTime))
	form.Set("sign", sign(form, s.Channel().Secret))
}

// Get gets a path of the shop.
func (s *Stack) Get(path string) Answer {
	resp, err := s.Client.Get(s.URL + path)
	require.NoError(s.T, err)
	return s.read(resp)
}

func (s *Stack) read(resp *http.Response) Answer {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(s.T, err)
	a := Answer{Path: resp.Request.URL.Path, Status: resp.StatusCode}
	require.NoError(s.T, json.Unmarshal(body, &a), "%s answered %s: %s", a.Path, resp.Status, body)
	return a
}

// call posts a form and decodes the data of the answer into the value, which may be nil. A refusal fails the test.
func (s *Stack) call(token, path string, fields map[string]string, into any) {
	require.NoError(s.T, s.Post(token, path, fields).Decode(into))
}

func (s *Stack) get(path string, into any) {
	require.NoError(s.T, s.Get(path).Decode(into))
}

// sign is the channel's signature over all fields of a form. It is written here once more, so that a mistake in the
// shop's own signature cannot cancel out.
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

package harness

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
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
	channel := s.Sims.Default().Credentials().Shop
	form := map[string]string{"channel_no": channel.ChannelNo, "token": token}
	for name, value := range fields {
		form[name] = value
	}
	if strings.HasPrefix(path, "/movie/route") {
		form["appkey"], form["v"] = channel.AppKey, "2.0"
		form["timestamp"] = time.Now().In(shanghai).Format(time.DateTime)
		form["sign"] = Sign(form, channel.Secret)
	}
	values := url.Values{}
	for name, value := range form {
		values.Set(name, value)
	}
	resp, err := s.client.PostForm(s.URL+path, values)
	require.NoError(s.T, err)
	return s.read(resp)
}

// Get gets a path of the shop.
func (s *Stack) Get(path string) Answer {
	resp, err := s.client.Get(s.URL + path)
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

// Sign is the channel's signature over all fields of a form. It is written here once more, so that a mistake of the
// shop's own signature cannot cancel out.
func Sign(form map[string]string, secret string) string {
	var names []string
	for name, value := range form {
		if value != "" && name != "sign" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	text := secret
	for _, name := range names {
		text += name + form[name]
	}
	sum := md5.Sum([]byte(text + secret))
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

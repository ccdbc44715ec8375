package stage

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

// answer is the shop's envelope.
type answer struct {
	Msg     string          `json:"msg"`
	Error   any             `json:"error"` // "" and null are success
	Data    json.RawMessage `json:"data"`
	Success *bool           `json:"success"` // the gateway's envelope
}

// newClient follows no redirect, and reaches the messaging app's browser under the name that only browsers resolve.
func (s *Stage) newClient() *http.Client {
	s.T.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(s.T, err)
	sim := strings.TrimPrefix(s.Sims.URL(), "http://")
	return &http.Client{
		Jar: jar, Timeout: patience,
		Transport: &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if strings.Contains(addr, "inapp.localhost") {
				addr = sim
			}
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// call posts a form to the shop as another client of it would, and reads the data of its answer into into.
func (s *Stage) call(token, path string, fields map[string]string, into any) error {
	channel := s.Sims.Default().Credentials().Shop
	form := map[string]string{"channel_no": channel.ChannelNo, "token": token}
	for k, v := range fields {
		form[k] = v
	}
	if strings.HasPrefix(path, "/movie/route") {
		form["appkey"], form["v"] = channel.AppKey, "2.0"
		form["timestamp"] = time.Now().In(shanghai).Format(time.DateTime)
		form["sign"] = sign(form, channel.Secret)
	}
	values := url.Values{}
	for k, v := range form {
		values.Set(k, v)
	}
	resp, err := s.client.PostForm(s.URL+path, values)
	if err != nil {
		return err
	}
	return read(resp, into)
}

func (s *Stage) get(path string, into any) error {
	resp, err := s.client.Get(s.URL + path)
	if err != nil {
		return err
	}
	return read(resp, into)
}

func read(resp *http.Response, into any) error {
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return fmt.Errorf("%s answered %s: %w", resp.Request.URL.Path, resp.Status, err)
	}
	if refused := a.Error != nil && a.Error != ""; refused || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s: %v %s", resp.Request.URL.Path, resp.Status, a.Error, a.Msg)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.Data, into)
}

// sign is the channel's signature over all fields of a form.
func sign(form map[string]string, secret string) string {
	var keys []string
	for k, v := range form {
		if v != "" && k != "sign" {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	text := secret
	for _, k := range keys {
		text += k + form[k]
	}
	sum := md5.Sum([]byte(text + secret))
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

// Code is the newest code that was sent to a phone by SMS.
func (s *Stage) Code(phone string) string {
	s.T.Helper()
	resp, err := s.client.Get(s.Sims.URL() + "/sim/v1/sms/messages?phone=" + phone)
	require.NoError(s.T, err)
	defer resp.Body.Close()
	var inbox struct {
		Messages []struct {
			Code string `json:"code"`
		} `json:"messages"`
	}
	require.NoError(s.T, json.NewDecoder(resp.Body).Decode(&inbox))
	require.NotEmpty(s.T, inbox.Messages, "no SMS came to %s", phone)
	return inbox.Messages[0].Code
}

// patience is how long a machine with much else to do may take.
const patience = time.Minute

// Eventually asks until the answer is yes, in real time.
func (s *Stage) Eventually(what string, yes func() bool) {
	s.T.Helper()
	require.Eventually(s.T, yes, patience, 50*time.Millisecond, what)
}

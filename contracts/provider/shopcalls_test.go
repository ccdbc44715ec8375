//go:build pact

package provider_test

import (
	"encoding/json"
	"fmt"
	"io"
	"marquee/server/demo"
	"net/http"
	"net/url"
	"strconv"
)

// refusedCall is an envelope that says no.
type refusedCall struct{ path, code, msg string }

func (e refusedCall) Error() string { return e.path + ": " + e.code + " " + e.msg }

// call posts a form and reads the data of the answer into into, which may be nil.
func (s *shop) call(token, path string, fields map[string]string, into any) error {
	form := url.Values{"channel_no": {s.sims.Default().Credentials().Shop.ChannelNo}, "token": {token}}
	for k, v := range fields {
		form.Set(k, v)
	}
	s.bound = nil
	s.seal(path, form)
	resp, err := s.client.PostForm(s.url+path, form)
	if err != nil {
		return err
	}
	return s.read(path, resp, into)
}

func (s *shop) read(path string, resp *http.Response, into any) error {
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var a struct {
		Msg   string
		Error any
		Data  json.RawMessage
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return fmt.Errorf("%s: status %d: %w", path, resp.StatusCode, err)
	}
	if a.Error != nil && a.Error != "" {
		return refusedCall{path, fmt.Sprint(a.Error), a.Msg}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.Data, into)
}

// smsCode is the newest code that a phone was sent.
func (s *shop) smsCode(phone string) (string, error) {
	resp, err := http.Get(s.sims.URL() + "/sim/v1/sms/messages?phone=" + phone)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var inbox struct{ Messages []struct{ Code string } }
	if err := json.NewDecoder(resp.Body).Decode(&inbox); err != nil {
		return "", err
	}
	if len(inbox.Messages) == 0 {
		return "", fmt.Errorf("no SMS came to %s", phone)
	}
	return inbox.Messages[0].Code, nil
}

// newPhone is a number nobody has.
func (s *shop) newPhone() string { return fmt.Sprintf("137%08d", 22_220_000+s.last.Add(1)) }

// newCard issues a card with hundredths of a point.
func (s *shop) newCard(points int64) (number, pass string, err error) {
	n := s.last.Add(1)
	number, pass = "80188888"+strconv.FormatInt(10_000_000+n, 10), strconv.FormatInt(20_000_000+n, 10)
	return number, pass, s.app.SeedDemo(s.t.Context(), []demo.Card{{Kahao: number, Pass: pass, PID: 1, Points: points, ExpiresInDays: 365}})
}

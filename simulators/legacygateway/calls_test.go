package legacygateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
	"marquee/simulators/ticketing/ticketingtest"
)

const secret = "0123456789abcdef0123456789abcdef"

// gatewayServer is a gateway on a socket with its clock, plan and journal.
type gatewayServer struct {
	ticketingtest.World
	url     string
	pushURL string
	dialect legacygateway.Dialect
}

func startGateway(t *testing.T, dialect legacygateway.Dialect) *gatewayServer {
	t.Helper()
	r := &gatewayServer{World: ticketingtest.NewWorld(t), dialect: dialect}
	gateway := legacygateway.New(legacygateway.Config{
		Country: r.Country, Clock: r.Clock, Plan: r.Plan, Journal: r.Journal, Dialect: dialect,
		Credentials: dataset.GatewayCredentials{AppKey: "10000001", Secret: secret},
		BaseURL:     func() string { return "http://sim" }, PushURL: func() string { return r.pushURL },
	})
	server := httptest.NewServer(gateway.Handler())
	t.Cleanup(server.Close)
	r.url = server.URL + "/gateway"
	return r
}

// pushTo sets the shop that receives the pushes.
func (r *gatewayServer) pushTo(shop http.Handler) {
	r.Helper()
	server := httptest.NewServer(shop)
	r.Cleanup(server.Close)
	r.pushURL = server.URL
}

// form is a signed call; fields are name, value, name, value…
func (r *gatewayServer) form(method string, fields ...string) url.Values {
	r.Helper()
	form := url.Values{"method": {method}, "appkey": {"10000001"}, "v": {"2.0"},
		"timestamp": {time.Now().In(dataset.Zone).Format(time.DateTime)}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return r.sign(form)
}

func (r *gatewayServer) sign(form url.Values) url.Values {
	r.Helper()
	d := r.dialect
	if m := form.Get("sign_method"); m != "" {
		d.Method = m
	}
	sign, err := legacygateway.Sign(form, secret, d)
	require.NoError(r, err)
	form.Set("sign", sign)
	return form
}

func (r *gatewayServer) post(kind, body string) (int, string) {
	r.Helper()
	response, err := http.Post(r.url, kind, strings.NewReader(body))
	require.NoError(r, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(r, err)
	return response.StatusCode, string(answer)
}

const formType = "application/x-www-form-urlencoded;charset=UTF-8"

// send sends a form. It returns the error code of the answer, "" for success, and the data.
func (r *gatewayServer) send(form url.Values) (string, map[string]any) {
	r.Helper()
	status, text := r.post(formType, form.Encode())
	require.Equal(r, http.StatusOK, status, text)
	var answer struct {
		Success bool
		Error   *struct{ Code, Msg string }
		Data    map[string]any
	}
	require.NoError(r, json.Unmarshal([]byte(text), &answer), text)
	assert.Equal(r, answer.Success, answer.Error == nil)
	if answer.Error != nil {
		assert.Nil(r, answer.Data)
		assert.NotEmpty(r, answer.Error.Msg)
		return answer.Error.Code, nil
	}
	return "", answer.Data
}

func (r *gatewayServer) call(method string, fields ...string) (string, map[string]any) {
	r.Helper()
	return r.send(r.form(method, fields...))
}

// must makes a call that has to succeed.
func (r *gatewayServer) must(method string, fields ...string) map[string]any {
	r.Helper()
	code, data := r.call(method, fields...)
	require.Empty(r, code, method)
	return data
}

// free lists the free single seats in the gateway's seat map of a showing.
func (r *gatewayServer) free(show dataset.Show) []string {
	r.Helper()
	var ids []string
	for _, s := range ticketingtest.List(r, r.must("opi.seat", "opiid", show.ID), "seatList") {
		if s["status"] == 1.0 && s["flag"] == 0.0 {
			ids = append(ids, ticketingtest.Text(r, s, "seatid"))
		}
	}
	require.Greater(r, len(ids), 8)
	return ids
}

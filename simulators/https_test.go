package simulators_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/captcha"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/sms"
	"marquee/simulators/wechat"
)

// trusting is the TLS configuration of a client that trusts what GET /sim/v1/ca.pem answers.
func trusting(t testing.TB, s *simulators.Simulators) *tls.Config {
	t.Helper()
	status, certificate := get(t, s.URL()+"/sim/v1/ca.pem")
	require.Equal(t, http.StatusOK, status)
	trusted := x509.NewCertPool()
	require.True(t, trusted.AppendCertsFromPEM([]byte(certificate)))
	return &tls.Config{RootCAs: trusted}
}

func TestHTTPS_ACertificateForEveryVendorsHostAndEveryOwnName(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{TLSAddr: "127.0.0.1:0", Hosts: []string{"sim", "marquee-sim:9090"}})
	config := trusting(t, s)
	at := strings.TrimPrefix(s.TLSURL(), "https://")
	hosts := []string{"localhost", "sim", "marquee-sim", "127.0.0.1", wechat.PayHost, wechat.PayHostBackup,
		wechat.PayHostOldBackup, wechat.APIHost, wechat.APIHostBackup, wechat.OpenHost, wechat.H5Host, sms.Host,
		sms.TencentHost, "sms.ap-guangzhou.tencentcloudapi.com", "dysmsapi-proxy.cn-beijing.aliyuncs.com",
		captcha.Host, captcha.ScriptHost, strings.ToUpper(wechat.PayHost)}
	for _, host := range hosts {
		connection, err := tls.Dial("tcp", at, &tls.Config{RootCAs: config.RootCAs, ServerName: host})
		require.NoError(t, err, host)
		require.NoError(t, connection.Close())
	}
	_, err := tls.Dial("tcp", at, &tls.Config{RootCAs: config.RootCAs, ServerName: "bank.example"})
	require.ErrorContains(t, err, "unrecognized name", "no certificate is made for a foreign host")
	nameless, err := tls.Dial("tcp", at, &tls.Config{InsecureSkipVerify: true}) // a client that sends no name
	require.NoError(t, err)
	require.NoError(t, nameless.ConnectionState().PeerCertificates[0].VerifyHostname("127.0.0.1"))
	require.NoError(t, nameless.Close())
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	answer, err := client.Get(s.TLSURL() + "/sim/v1/health")
	require.NoError(t, err)
	require.Contains(t, bodyOf(t, answer), `"status":"ok"`)
	require.NoError(t, answer.Body.Close())
}

func TestHosts_TheControlAPIAnswersUnderTheNamesOfAContainer(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{Hosts: []string{"sim", ""}})
	for host, want := range map[string]int{"sim:9090": 200, "SIM": 200, "other": 403, "": 200} {
		request, err := http.NewRequest(http.MethodGet, s.URL()+"/sim/v1/health", http.NoBody)
		require.NoError(t, err)
		request.Host = host
		status, _ := do(t, request)
		assert.Equal(t, want, status, host)
	}
}

// throughProxy is a client that uses the simulators' main address as its proxy.
func throughProxy(t *testing.T, s *simulators.Simulators) *http.Client {
	t.Helper()
	proxy, err := url.Parse(s.URL())
	require.NoError(t, err)
	transport := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: trusting(t, s)}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

func TestProxy_AnswersTheVendorsHostsAndRejectsOthers(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	client := throughProxy(t, s)
	for _, scheme := range []string{"https://", "http://"} {
		answer, err := client.Get(scheme + wechat.APIHost +
			"/cgi-bin/token?grant_type=client_credential&appid=x&secret=y")
		require.NoError(t, err)
		require.Contains(t, bodyOf(t, answer), `"errcode":40013`)
		require.NoError(t, answer.Body.Close())
	}
	answer, err := client.Get("http://bank.example/")
	require.NoError(t, err)
	require.Equal(t, http.StatusForbidden, answer.StatusCode)
	text := bodyOf(t, answer)
	require.NoError(t, answer.Body.Close())
	require.Contains(t, text, `"code":"host_not_simulated"`)
	require.Contains(t, text, wechat.PayHost)
	_, err = client.Get("https://bank.example/")
	require.ErrorContains(t, err, "Forbidden")
	answer, err = client.Get(s.URL() + "/sim/v1/health")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode, "its own address is not a foreign host")
	require.NoError(t, answer.Body.Close())
}

func TestProxy_AnswersOnlyUnderItsNamesAndAtTheVendorsPorts(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{Hosts: []string{"sim"}})
	client := throughProxy(t, s)
	port := s.URL()[strings.LastIndex(s.URL(), ":"):]
	const token = "/cgi-bin/token?grant_type=client_credential&appid=x&secret=y"
	for address, want := range map[string]int{
		"http://sim" + port + "/sim/v1/health": 200, "http://localhost" + port + "/sim/v1/health": 200,
		"http://[::1]" + port + "/sim/v1/health": 200, "http://10.1.2.3" + port + "/sim/v1/health": 403,
		"http://sim:1/sim/v1/health": 403, "http://localhost:1/": 403, "http://other" + port + "/": 403,
		"https://" + wechat.APIHost + ":443" + token:              200,
		"http://" + strings.ToUpper(wechat.APIHost) + "." + token: 200,
		"http://" + wechat.APIHost + ":443" + token:               200, "http://" + wechat.APIHost + ":22" + token: 403,
		"http://" + wechat.AppHost + ":1234/__phone/none":    200,
		"https://" + captcha.ScriptHost + captcha.ScriptName: 200,
	} {
		answer, err := client.Get(address)
		require.NoError(t, err, address)
		text := bodyOf(t, answer)
		require.NoError(t, answer.Body.Close())
		if want == http.StatusForbidden {
			assert.Contains(t, text, `"code":"host_not_simulated"`, address)
		} else {
			assert.NotContains(t, text, "host_not_simulated", address)
		}
		if !strings.Contains(address, wechat.AppHost) {
			assert.Equal(t, want, answer.StatusCode, "%s: %s", address, text)
		}
	}
	for _, at := range []string{":22", ":8443"} {
		_, err := client.Get("https://" + wechat.PayHost + at + "/v3/certificates")
		require.ErrorContains(t, err, "Forbidden", at)
	}
}

func TestHosts_AreTheSameInAnyCase(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, host := range []string{"API.weixin.QQ.com", wechat.APIHost + ".", wechat.APIHost + ":443"} {
		request, err := http.NewRequest(http.MethodGet,
			s.URL()+"/cgi-bin/token?grant_type=client_credential&appid=x&secret=y", http.NoBody)
		require.NoError(t, err)
		request.Host = host
		_, text := do(t, request)
		assert.Contains(t, text, `"errcode":40013`, host)
	}
}

func TestProxy_ASilentConnectionIsClosed(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	require.NoError(t, err)
	defer connection.Close()
	_, err = fmt.Fprintf(connection, "CONNECT %s:443 HTTP/1.1\r\nHost: %s:443\r\n\r\n", wechat.PayHost, wechat.PayHost)
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.NoError(t, connection.SetReadDeadline(time.Now().Add(15*time.Second)))
	_, err = connection.Read(make([]byte, 1))
	if !errors.Is(err, syscall.ECONNRESET) {
		require.ErrorIs(t, err, io.EOF, "the simulators close it before the deadline of the test")
	}
}

func TestHTTPS_FaultsOfTheConnectionReachTheClient(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{TLSAddr: "127.0.0.1:0"})
	direct := &http.Client{Transport: &http.Transport{TLSClientConfig: trusting(t, s), DisableKeepAlives: true}}
	form := func() *strings.Reader { return strings.NewReader(gatewayForm(t, s.Default(), "city.list").Encode()) }
	for _, do := range []string{faults.Reset, faults.ActThenReset} {
		_, err := s.Default().Faults().Add(faults.Fault{Provider: "gateway", Operation: "city.list", Do: do, Times: 1})
		require.NoError(t, err)
		answer, err := direct.Post(s.TLSURL()+"/gateway", "application/x-www-form-urlencoded", form())
		if err == nil {
			_ = answer.Body.Close()
		}
		require.ErrorIs(t, err, syscall.ECONNRESET, do)
	}
	client := throughProxy(t, s)
	_, err := s.Default().Faults().Add(faults.Fault{Provider: "wechat", Operation: "token", Do: faults.Reset, Times: 1})
	require.NoError(t, err)
	answer, err := client.Post("https://"+wechat.APIHost+"/cgi-bin/token", "application/json", http.NoBody)
	if err == nil {
		_ = answer.Body.Close()
	}
	require.ErrorIs(t, err, syscall.ECONNRESET)
	require.Len(t, s.Default().Journal().Entries(journal.Filter{Verdict: journal.Faulted}), 3)
}

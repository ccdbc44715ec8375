package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/cmd/sim/staging"
	"marquee/e2e/harness"
	"marquee/e2e/syncbuffer"
	"marquee/server/httpapi"
	"marquee/simulators"
)

// A shop with the environment that sim staging writes passes the checks of production, reaches every provider over
// HTTPS, and sells tickets of each source.
func TestStaging_AShopAsInProductionBuysFromTheSimulators(t *testing.T) {
	t.Parallel()
	sims, err := simulators.Start(simulators.Options{Hosts: []string{"sim.staging.example"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sims.Close()) })
	address := freeAddress(t)
	backend, err := url.Parse("http://" + address)
	require.NoError(t, err)
	quiet := log.New(io.Discard, "", 0) // until the shop listens
	proxy := &httputil.ReverseProxy{ErrorLog: quiet, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(backend)
		r.Out.Host = r.In.Host
		r.SetXForwarded()
	}}
	front := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Otherwise a fast answer closes the body of the request while the proxy is still looking for its end.
		require.NoError(t, http.NewResponseController(w).EnableFullDuplex())
		proxy.ServeHTTP(w, r)
	}))
	front.Config.ErrorLog = quiet
	t.Cleanup(front.Close)
	folder := filepath.Join(t.TempDir(), "staging")
	write := func() error {
		return staging.Write(t.Context(), staging.Options{
			Folder: folder, Simulators: sims.URL(), Name: "sim.staging.example", PublicURL: front.URL,
		})
	}
	require.NoError(t, write())
	pepper, err := os.ReadFile(filepath.Join(folder, "secrets", "MARQUEE_PEPPER"))
	require.NoError(t, err)
	require.NoError(t, write(), "again")
	kept, err := os.ReadFile(filepath.Join(folder, "secrets", "MARQUEE_PEPPER"))
	require.NoError(t, err)
	require.Equal(t, pepper, kept, "the database depends on it")

	text, err := os.ReadFile(filepath.Join(folder, "environment"))
	require.NoError(t, err)
	environment := append(strings.Fields(string(text)), "MARQUEE_ADDR="+address, "MARQUEE_ADMIN_ADDR=none")
	require.Contains(t, environment, "MARQUEE_ENV=production")
	require.NotContains(t, string(text), "MARQUEE_SIMULATOR_URL")
	require.NotContains(t, string(text), string(pepper))
	program, err := os.Executable()
	require.NoError(t, err)
	shop := exec.CommandContext(t.Context(), program, "run")
	shop.Env = append(environment, asProgram+"=0")
	var printed syncbuffer.Buffer
	shop.Stdout, shop.Stderr = &printed, &printed
	require.NoError(t, shop.Start())
	t.Cleanup(func() {
		_ = shop.Process.Kill() // it has ended, unless the test has failed
		_ = shop.Wait()
		if t.Failed() {
			t.Log(printed.String())
		}
	})

	trusted := x509.NewCertPool()
	trusted.AddCert(front.Certificate())
	authority, err := sims.CertificatePEM()
	require.NoError(t, err)
	require.True(t, trusted.AppendCertsFromPEM(authority))
	s := harness.At(t, sims, front.URL)
	browser := s.HTTP.Transport.(*http.Transport)
	browser.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	browser.Proxy = func(r *http.Request) (*url.URL, error) { // the messaging app is simulated for the buyer, too
		if strings.HasPrefix(front.URL, "https://"+r.URL.Host) || r.URL.Scheme == "http" {
			return nil, nil
		}
		return url.Parse(sims.URL())
	}
	require.Eventually(t, func() bool {
		resp, err := s.HTTP.Get(front.URL + "/readyz")
		return err == nil && resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
	}, time.Minute, 20*time.Millisecond)
	paid := map[string]*harness.Buyer{}
	issued := map[string]string{}
	for _, source := range harness.Sources {
		buyer := s.NewBuyer(harness.WithIdentity("openid-of-" + source.Name))
		order := buyer.LockSomeSeats(source, 2)
		var prepaid httpapi.Prepaid
		buyer.Post("/Film/wxpay", map[string]string{"oid": order, "openid": buyer.OpenID}, &prepaid)
		s.PayInApp(prepaid.Bridge.Package, "pay")
		paid[order], issued[order] = buyer, source.Issued
	}
	for order, buyer := range paid { // notifications fail, because the simulators reject the front's certificate
		buyer.AwaitState(order, issued[order])
	}
	require.NoError(t, shop.Process.Signal(syscall.SIGTERM))
	require.NoError(t, shop.Wait())
}

func TestStaging_RejectsAddressesThatProductionRejects(t *testing.T) {
	t.Parallel()
	sims := simulators.StartForTest(t)
	for _, o := range []staging.Options{
		{Simulators: sims.URL(), PublicURL: "http://shop.staging.example"},
		{Simulators: "https://127.0.0.1:9443", PublicURL: "https://shop.staging.example"},
		{Simulators: "http://127.0.0.1:1", PublicURL: "https://shop.staging.example"},
	} {
		o.Folder, o.Name = filepath.Join(t.TempDir(), "staging"), "sim"
		require.ErrorContains(t, staging.Write(t.Context(), o), "staging: ")
		require.NoDirExists(t, o.Folder)
	}
}

// A name that the simulators do not have would be found out only when the shop's first call to a provider fails.
func TestStaging_RejectsANameThatTheSimulatorsDoNotHave(t *testing.T) {
	t.Parallel()
	sims, err := simulators.Start(simulators.Options{Hosts: []string{"sim.staging.example", "ci-sim"}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sims.Close()) })
	o := staging.Options{
		Folder: filepath.Join(t.TempDir(), "staging"), Simulators: sims.URL(), Name: "sim.stagin.example",
		PublicURL: "https://shop.staging.example",
	}
	err = staging.Write(t.Context(), o)
	require.ErrorContains(t, err, "foreign_host")
	require.ErrorContains(t, err, "sim.stagin.example is not a name")
	require.ErrorContains(t, err, "sim.staging.example, ci-sim")
	require.NoDirExists(t, o.Folder)
	for _, name := range []string{"sim.staging.example", "CI-SIM"} {
		o.Name = name
		require.NoError(t, staging.Write(t.Context(), o))
	}
}

// freeAddress returns an address of this machine on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().String()
}

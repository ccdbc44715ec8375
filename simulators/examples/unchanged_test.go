package examples_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
)

// TestUnchanged_ClientsWithHardCodedAddressesRunThroughTheProxy runs programs that know the vendors' https addresses
// and credentials, and nothing of the simulators.
func TestUnchanged_ClientsWithHardCodedAddressesRunThroughTheProxy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		program []string
		proxy   []string // variables that the client reads
		trust   string
		says    string
	}{
		"Go": {
			[]string{"go", "run", "./unchanged"}, []string{"HTTPS_PROXY"}, "SSL_CERT_FILE",
			`^prepay_id wx\w+\nstatus Ok\n$`,
		},
		"Node": {[]string{"node", "unchanged/send.mjs"}, []string{"http_proxy"}, "NODE_EXTRA_CA_CERTS",
			`^status Ok\nreport SUCCESS\n$`},
		"Python": {[]string{python(t), "unchanged/send.py"}, []string{"https_proxy"}, "SSL_CERT_FILE", `^status Ok\n$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := simulators.StartForTest(t)
			certificate, err := s.CertificatePEM()
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "ca.pem")
			require.NoError(t, os.WriteFile(file, certificate, 0o600))
			program := exec.Command(c.program[0], c.program[1:]...)
			program.Env = append(os.Environ(), c.trust+"="+file)
			for _, name := range c.proxy {
				program.Env = append(program.Env, name+"="+s.URL())
			}
			for name, value := range environmentOf(t, s) {
				program.Env = append(program.Env, name+"="+value)
			}
			out, err := program.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Regexp(t, c.says, string(out))
			require.Zero(t, s.Totals()["refused"])
		})
	}
}

// TestUnchanged_JavaWithASeparateKeyStoreRunsThroughTheProxy runs the lines of the README's section on Java.
func TestUnchanged_JavaWithASeparateKeyStoreRunsThroughTheProxy(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("bash", "../../e2e/setup/java.sh").Output()
	require.NoError(t, err, "no Java is installed, and none can be unpacked")
	home := strings.TrimSpace(string(out))
	s := simulators.StartForTest(t)
	certificate, err := s.CertificatePEM()
	require.NoError(t, err)
	file, trust := filepath.Join(t.TempDir(), "ca.pem"), filepath.Join(t.TempDir(), "trust.jks")
	require.NoError(t, os.WriteFile(file, certificate, 0o600))
	out, err = exec.Command(filepath.Join(home, "bin/keytool"), "-importcert", "-noprompt", "-file", file, "-keystore",
		trust, "-storepass", "changeit").CombinedOutput()
	require.NoError(t, err, "%s", out)
	proxy, err := url.Parse(s.URL())
	require.NoError(t, err)
	program := exec.Command(filepath.Join(home, "bin/java"), "-Djavax.net.ssl.trustStore="+trust,
		"-Djavax.net.ssl.trustStorePassword=changeit", "-Dhttps.proxyHost="+proxy.Hostname(),
		"-Dhttps.proxyPort="+proxy.Port(), "unchanged/Certificates.java")
	program.Env = os.Environ()
	for name, value := range environmentOf(t, s) {
		program.Env = append(program.Env, name+"="+value)
	}
	out, err = program.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Regexp(t, `(?m)^certificate [0-9A-F]+\nsignature true$`, string(out))
	require.Zero(t, s.Totals()["refused"])
}

// environmentOf is the environment of the default world as the catalogue lists it.
func environmentOf(t *testing.T, s *simulators.Simulators) map[string]string {
	t.Helper()
	response, err := http.Get(s.URL() + "/sim/v1/catalogue")
	require.NoError(t, err)
	defer response.Body.Close()
	var catalogue struct {
		Environment map[string]string `json:"environment"`
	}
	require.NoError(t, json.NewDecoder(response.Body).Decode(&catalogue))
	return catalogue.Environment
}

// python is an installed Python, or one that the script unpacks from the distribution's packages into .tools.
func python(t *testing.T) string {
	t.Helper()
	if installed, err := exec.LookPath("python3"); err == nil {
		return installed
	}
	out, err := exec.Command("bash", "../../e2e/setup/python.sh").Output()
	require.NoError(t, err, "no Python is installed, and none can be unpacked")
	return strings.TrimSpace(string(out))
}

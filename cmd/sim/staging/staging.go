// Package staging writes the environment of a shop that runs as in production, with the checks of production, but buys
// from running simulators.
package staging

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"marquee/server/app"
)

// Options describe a staging shop.
type Options struct {
	Folder     string // is written; it may exist
	Simulators string // http address of the simulators, as the shop reaches them
	Name       string // a name of the simulators (-sim-hosts), which needs no DNS
	PublicURL  string // https address of the shop for buyers
}

// Write writes these files into the folder:
//
//   - environment, in the form of systemd, Compose and a shell,
//   - secrets/, with a file for each secret and for each value of several lines,
//   - ca.pem, the authority of the simulators.
//
// Every call of the shop to a provider goes to the simulators, because they are its HTTPS proxy. So the addresses of
// the providers are public https addresses, as the checks of production require. Write also sends the address of the
// shop to the simulators. If the folder already has a pepper, it is kept, because the database depends on it.
func Write(ctx context.Context, o Options) error {
	public, err := url.Parse(o.PublicURL)
	if err != nil || public.Scheme != "https" || public.Host == "" {
		return fmt.Errorf("staging: the public address %q is not an https address", o.PublicURL)
	}
	at, err := url.Parse(o.Simulators)
	if err != nil || at.Scheme != "http" || at.Port() == "" {
		return fmt.Errorf("staging: the address %q of the simulators is not http://host:port", o.Simulators)
	}
	folder, err := filepath.Abs(o.Folder)
	if err != nil {
		return fmt.Errorf("staging: %w", err)
	}
	authority, err := o.call(ctx, http.MethodGet, "/sim/v1/ca.pem", nil)
	if err != nil {
		return err
	}
	text, err := o.call(ctx, http.MethodGet, "/sim/v1/catalogue", nil)
	if err != nil {
		return err
	}
	var catalogue struct{ Environment map[string]string }
	if err := json.Unmarshal(text, &catalogue); err != nil {
		return fmt.Errorf("staging: decode the catalogue: %w", err)
	}
	where, err := json.Marshal(map[string]string{
		"app_url": o.PublicURL, "push_url": strings.TrimSuffix(o.PublicURL, "/") + "/notify/gateway",
	})
	if err != nil {
		return fmt.Errorf("staging: %w", err)
	}
	if _, err := o.call(ctx, http.MethodPatch, "/sim/v1/worlds/default", where); err != nil {
		return err
	}

	secrets, authorityFile := filepath.Join(folder, "secrets"), filepath.Join(folder, "ca.pem")
	if err := os.MkdirAll(secrets, 0o700); err != nil {
		return fmt.Errorf("staging: %w", err)
	}
	if err := os.WriteFile(authorityFile, authority, 0o644); err != nil {
		return fmt.Errorf("staging: %w", err)
	}
	provider := "https://" + o.Name + ":" + at.Port()
	variables := map[string]string{
		"MARQUEE_ENV": app.Production, "MARQUEE_PUBLIC_URL": o.PublicURL,
		"MARQUEE_TRUSTED_PROXIES": "127.0.0.1/32", "MARQUEE_PICTURE_HOSTS": o.Simulators,
		"MARQUEE_DB": filepath.Join(folder, "shop.db"), "MARQUEE_SECRETS": secrets,
		"MARQUEE_GATEWAY_URL": provider + "/gateway", "MARQUEE_NEWMOVIE_URL": provider + "/newmovie",
		"MARQUEE_PEPPER": rand.Text() + rand.Text(),
		"HTTPS_PROXY":    o.Simulators, "NO_PROXY": public.Hostname(), "SSL_CERT_FILE": authorityFile,
	}
	secret := map[string]bool{}
	for _, v := range app.Variables() {
		secret[v.Name] = v.Secret
		if value := catalogue.Environment[v.Name]; value != "" && variables[v.Name] == "" && belongs(v.Name) {
			variables[v.Name] = value
		}
	}
	return save(folder, variables, secret)
}

// belongs reports whether a variable of the simulators' catalogue can be set for a production shop.
// MARQUEE_SIMULATOR_URL cannot, because it would switch the checks of production off, nor can the links to other sites,
// because they are http addresses.
func belongs(name string) bool {
	return name != "MARQUEE_SIMULATOR_URL" && !strings.HasPrefix(name, "MARQUEE_LINK_")
}

// plain matches a value that systemd, Compose and a shell read in the same way without quotes.
var plain = regexp.MustCompile(`^[\p{L}\p{N}._:/,@%+=-]*$`)

// save writes the variables: secrets, and values that are not plain, into one file each, the others into the file
// environment.
func save(folder string, variables map[string]string, secret map[string]bool) error {
	var lines bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		value, file := variables[name], filepath.Join(folder, "secrets", name)
		if !secret[name] && plain.MatchString(value) {
			fmt.Fprintf(&lines, "%s=%s\n", name, value)
			continue
		}
		if _, err := os.Stat(file); name == "MARQUEE_PEPPER" && !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := os.WriteFile(file, []byte(value), 0o600); err != nil {
			return fmt.Errorf("staging: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "environment"), lines.Bytes(), 0o600); err != nil {
		return fmt.Errorf("staging: %w", err)
	}
	return nil
}

// call makes one call of the simulators' control API, without a proxy. The Host header is the name under which the shop
// will call the simulators: they reject a name that is not one of theirs, and the error lists their names.
func (o Options) call(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	address := o.Simulators + path
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("staging: %w", err)
	}
	request.Host = o.Name
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("staging: are the simulators running? %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 8<<20))
	if err == nil && response.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s answered %s: %s", address, response.Status, bytes.TrimSpace(text))
	}
	if err != nil {
		return nil, fmt.Errorf("staging: %w", err)
	}
	return text, nil
}

package app

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// WithSecretFiles returns the variables of a process, together with those that are files in the folder MARQUEE_SECRETS
// or, if that is not set, in systemd's CREDENTIALS_DIRECTORY. A file has the name of its variable; line ends after the
// value are ignored. It returns an error for a variable that is set in both ways, because one of the two values would
// be ignored, and for a file whose name begins with MARQUEE_ but is not that of a variable.
func WithSecretFiles(variables map[string]string) (map[string]string, error) {
	folder := cmp.Or(variables["MARQUEE_SECRETS"], variables["CREDENTIALS_DIRECTORY"])
	if folder == "" {
		return variables, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, configurationFault(fmt.Errorf("app: MARQUEE_SECRETS: %w", err))
	}
	all := maps.Clone(variables)
	known := map[string]bool{}
	for _, v := range Variables() {
		known[v.Name] = true
	}
	var errs []error
	for _, entry := range entries {
		name := entry.Name()
		switch {
		case !strings.HasPrefix(name, "MARQUEE_"): // the file belongs to another program
		case !known[name]:
			errs = append(errs, fmt.Errorf("app: the file %s is not named after a variable", filepath.Join(folder, name)))
		case variables[name] != "":
			errs = append(errs, fmt.Errorf("app: %s is set, and is a file in %s", name, folder))
		default:
			value, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				errs = append(errs, fmt.Errorf("app: %s: %w", name, err))
			}
			all[name] = strings.TrimRight(string(value), "\r\n")
		}
	}
	return all, configurationFault(errors.Join(errs...))
}

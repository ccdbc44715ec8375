package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"unicode/utf8"
)

// largestSiteFile is the size in bytes up to which a file is accepted. Such files are much smaller.
const largestSiteFile = 16 << 10

// verifyFile matches the name of the file that the messaging app requests at the root of a domain before it allows
// OAuth, the JS-SDK or payments there: 网页授权域名, JS接口安全域名 and 业务域名 in the console of the public account.
var verifyFile = regexp.MustCompile(`^MP_verify_[0-9A-Za-z]+\.txt$`)

// readSiteFiles reads the files in the folder MARQUEE_SITE_FILES. The result is keyed by the path under which the shop
// serves a file. A file with another name is an error, because the shop would not serve it.
func readSiteFiles(folder string) (map[string][]byte, error) {
	if folder == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("app: MARQUEE_SITE_FILES: %w", err)
	}
	files := map[string][]byte{}
	var errs []error
	for _, entry := range entries {
		name := entry.Name()
		path := "/" + name
		switch {
		case name[0] == '.': // hidden, as in volumes of Kubernetes
			continue
		case name == "security.txt":
			path = "/.well-known/security.txt" // RFC 9116
		case !verifyFile.MatchString(name):
			errs = append(errs, fmt.Errorf("app: MARQUEE_SITE_FILES has %q; only MP_verify_….txt and security.txt are "+
				"served", name))
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("app: MARQUEE_SITE_FILES: %w", err))
		case len(text) == 0 || len(text) > largestSiteFile || !utf8.Valid(text):
			errs = append(errs, fmt.Errorf("app: MARQUEE_SITE_FILES: %q is empty, larger than %d bytes or not UTF-8",
				name, largestSiteFile))
		}
		files[path] = text
	}
	return files, errors.Join(errs...)
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// part is a library in a program: a Go module or an npm package.
type part struct {
	name    string
	version string
	purl    string // package URL
	license string // SPDX expression
	text    string // of the license, and of a notice file that the license requires to be distributed
}

// partLists returns the lists of the libraries in a binary: sbom.cdx.json in the format of CycloneDX 1.5, for scanners,
// and THIRD_PARTY_NOTICES.txt with the texts of their licenses, whose distribution most licenses require.
func (r *release) partLists(ctx context.Context, p program, binary string) ([]file, error) {
	modules, err := goModules(ctx, binary)
	if err != nil {
		return nil, err
	}
	packages, err := npmPackages(p.licenses)
	if err != nil {
		return nil, err
	}
	parts := slices.Concat(modules, packages)
	bill, err := r.billOfMaterials(p, parts)
	if err != nil {
		return nil, err
	}
	var notices bytes.Buffer
	fmt.Fprintf(&notices, "%s contains these libraries.\n", p.name)
	for _, p := range parts {
		fmt.Fprintf(&notices, "\n%s\n%s %s\n%[2]s is licensed under %[4]s.\n\n%[5]s\n",
			strings.Repeat("-", 80), p.name, p.version, p.license, strings.TrimSpace(p.text))
	}
	return []file{
		{name: "sbom.cdx.json", mode: 0o644, content: bill},
		{name: "THIRD_PARTY_NOTICES.txt", mode: 0o644, content: notices.Bytes()},
	}, nil
}

func (r *release) billOfMaterials(p program, parts []part) ([]byte, error) {
	type license struct {
		Expression string `json:"expression"`
	}
	type component struct {
		Type     string    `json:"type"`
		Name     string    `json:"name"`
		Version  string    `json:"version"`
		PURL     string    `json:"purl,omitempty"`
		Licenses []license `json:"licenses,omitempty"`
	}
	components := make([]component, len(parts))
	for i, p := range parts {
		components[i] = component{"library", p.name, p.version, p.purl, []license{{p.license}}}
	}
	return json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{
			"timestamp": r.time, "component": component{Type: "application", Name: p.name, Version: r.version},
		},
		"components": components,
	}, "", "  ")
}

// goModules returns the modules that the linker recorded in a binary, and the standard library.
func goModules(ctx context.Context, binary string) ([]part, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, fmt.Errorf("read the build information of %s: %w", binary, err)
	}
	root, err := output(ctx, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	version := strings.TrimPrefix(info.GoVersion, "go")
	std := part{name: "std", version: version, purl: "pkg:golang/std@" + version}
	if err := std.readLicense(root); err != nil {
		return nil, err
	}
	folders, err := output(ctx, "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}", "all")
	if err != nil {
		return nil, err
	}
	folderOf := map[string]string{}
	for line := range strings.Lines(folders) {
		module, folder, _ := strings.Cut(strings.TrimSpace(line), " ")
		folderOf[module] = folder
	}
	parts := []part{std}
	for _, m := range info.Deps {
		p := part{name: m.Path, version: m.Version, purl: "pkg:golang/" + m.Path + "@" + m.Version}
		p.license = namedInGuide[m.Path]
		if err := p.readLicense(folderOf[m.Path]); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// licenseFile and noticeFile match the names of licenses and notices in the root folder of a library.
var (
	licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|mit-license|unlicense)([-.].*)?$`)
	noticeFile  = regexp.MustCompile(`(?i)^notice([-.].*)?$`)
)

// namedInGuide are the licenses of the modules that contain no text of their license and only name it in their README.
var namedInGuide = map[string]string{"github.com/alibabacloud-go/endpoint-util": "Apache-2.0"}

// readLicense reads the license texts of a library from its folder, and recognizes the license by its text unless it is
// already known. It returns an error if the license is still unknown.
func (p *part) readLicense(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("read the license of %s: %w", p.name, err)
	}
	var ids []string
	for _, entry := range entries {
		isLicense := licenseFile.MatchString(entry.Name())
		if entry.IsDir() || !isLicense && !noticeFile.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return err
		}
		p.text += strings.TrimSpace(string(text)) + "\n\n"
		if !isLicense {
			continue
		}
		for _, match := range licensecheck.Scan(text).Match {
			if !match.IsURL && !slices.Contains(ids, match.ID) {
				ids = append(ids, match.ID)
			}
		}
	}
	if p.license = cmp.Or(p.license, strings.Join(ids, " AND ")); p.license == "" {
		return fmt.Errorf("the license of %s in %s is not known: a release must name it", p.name, folder)
	}
	return nil
}

// npmPackages returns the packages that the builds of the web app list, and the package vant, which they do not list
// because they contain only its styles.
func npmPackages(lists []string) ([]part, error) {
	byName := map[string]part{}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: build the web app first", err)
		}
		if err != nil {
			return nil, err
		}
		var packages []struct{ Name, Version, Identifier string }
		if err := json.Unmarshal(text, &packages); err != nil {
			return nil, fmt.Errorf("read %s: %w", list, err)
		}
		for _, p := range packages {
			byName[p.Name] = part{name: p.Name, version: p.Version, license: p.Identifier}
		}
	}
	text, err := os.ReadFile(filepath.Join("node_modules", "vant", "package.json"))
	if err != nil {
		return nil, err
	}
	var vant struct{ Version, License string }
	if err := json.Unmarshal(text, &vant); err != nil {
		return nil, err
	}
	byName["vant"] = part{name: "vant", version: vant.Version, license: vant.License}
	parts := make([]part, 0, len(byName))
	for name, p := range byName {
		// In a package URL the @ of a scope is escaped.
		p.purl = "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.version
		if err := p.readLicense(filepath.Join("node_modules", filepath.FromSlash(name))); err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"

	"marquee/web"
)

var (
	tagged   = regexp.MustCompile(`(?:src|href)="/(assets/[^"]+\.js)"`)
	imported = regexp.MustCompile(`(?:from|import)\s*["']\./([^"']+\.js)["']`)
)

// firstRouteLimit is the maximum size of the first route's JavaScript in bytes, as the shop sends it with gzip. It is
// above the wanted size, because React Router assigns a name to each of its components, and such an assignment keeps a
// component in the bundle even if the app does not use it. Rolldown's propertyWriteSideEffects would drop these
// components, 2.3 kB, but then the page of the seats does not start; bundling the router's parts separately is not
// worth it.
const (
	firstRouteWanted = 130_000
	firstRouteLimit  = 134_000
)

// measureJavaScript reports the size of the first route's JavaScript.
func measureJavaScript(context.Context, settings) ([]figure, error) {
	total, files, err := firstRouteSize()
	if err != nil {
		return nil, err
	}
	return []figure{{
		"JavaScript of the first route, gzip", fmt.Sprintf("%.1f kB", float64(total)/1000),
		fmt.Sprintf("≤ %d kB", firstRouteWanted/1000), "115 kB", fmt.Sprintf("%d files", files),
	}}, nil
}

// firstRouteSize adds up what a browser loads for the home page: the entry, what the page preloads, the chunk of the
// home screen, and everything these import. It returns bytes as they are sent with gzip, and the number of files.
func firstRouteSize() (total, files int, err error) {
	dist := web.Dist()
	page, err := fs.ReadFile(dist, "index.html")
	if err != nil {
		return 0, 0, fmt.Errorf("no build of the web app: %w", err)
	}
	var queue []string
	for _, m := range tagged.FindAllSubmatch(page, -1) {
		queue = append(queue, string(m[1]))
	}
	home, err := fs.Glob(dist, "assets/home-screen-*.js")
	if err != nil {
		return 0, 0, err
	}
	if len(queue) == 0 || len(home) != 1 {
		return 0, 0, errors.New("the build has no entry, or not one home screen")
	}
	queue = append(queue, home...)
	seen := map[string]bool{}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		text, err := fs.ReadFile(dist, name)
		if err != nil {
			return 0, 0, err
		}
		sent, err := fs.ReadFile(dist, name+".gz")
		if errors.Is(err, fs.ErrNotExist) {
			sent = text // too small to be compressed
		} else if err != nil {
			return 0, 0, err
		}
		total += len(sent)
		for _, m := range imported.FindAllSubmatch(text, -1) {
			queue = append(queue, path.Join("assets", string(m[1])))
		}
	}
	return total, len(seen), nil
}

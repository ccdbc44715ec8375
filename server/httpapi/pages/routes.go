package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// route is a page of the web app, as web/src/app/routes.ts declares it and the build's routes.json repeats it.
type route struct {
	Path  string      `json:"path"`
	Files []string    `json:"files"` // addresses of the scripts and styles of its screen
	First []firstCall `json:"first"`
	Pays  bool        `json:"pays"` // never shed under load
}

// page is index.html with links to the files of a screen, and the first calls of the screen.
type page struct {
	document
	first []firstCall
	pays  bool
}

// readRoutes returns the pages in the build's routes.json by their screens. It returns nil if the web app has not been
// built, and an error if the file is malformed, has a call that is not in answers, or has a screen with too many calls.
func readRoutes(files fs.FS, html []byte, answers func(path string) (Answer, bool)) (map[string]page, error) {
	if _, err := fs.Stat(files, "index.html"); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	text, err := fs.ReadFile(files, "routes.json")
	if err != nil {
		return nil, fmt.Errorf("httpapi: read the web app's routes: %w", err)
	}
	var list []route
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("httpapi: routes.json, which \"make build\" writes: %w", err)
	}
	pages := map[string]page{}
	for _, rt := range list {
		if len(rt.First) > mostFirstCalls {
			return nil, fmt.Errorf("httpapi: routes.json: the screen %s has more than %d first calls", rt.Path, mostFirstCalls)
		}
		for i, call := range rt.First {
			known := false
			if rt.First[i].answer, known = answers(call.Path); !known {
				return nil, fmt.Errorf("httpapi: routes.json: the screen %s makes the unknown call %s", rt.Path, call.Path)
			}
		}
		pages[screenAt(rt.Path)] = page{newDocument(rt.linkFiles(html)), rt.First, rt.Pays}
	}
	return pages, nil
}

// linkFiles adds links to the files of the route's screen to the head of a page. Otherwise the browser would request
// them one round trip later, when the app has started.
func (rt route) linkFiles(html []byte) []byte {
	var links strings.Builder
	for _, name := range rt.Files {
		if path.Ext(name) == ".css" {
			fmt.Fprintf(&links, `<link rel="stylesheet" crossorigin href="%s">`, name)
		} else {
			fmt.Fprintf(&links, `<link rel="modulepreload" fetchpriority="low" crossorigin href="%s">`, name)
		}
	}
	return bytes.Replace(html, []byte("</head>"), []byte(links.String()+"</head>"), 1)
}

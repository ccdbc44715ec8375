package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"marquee/server/catalog"
)

// route is a page of the web app, as web/src/app/routes.ts and first-calls.ts declare it and the build's routes.json
// repeats it.
type route struct {
	Path   string   `json:"path"`
	Script string   `json:"script"` // address of the module that exports its screen, one of Files
	Files  []string `json:"files"`  // addresses of the scripts and styles of its screen
	// template of what the page shows until the app has started; "" for that of index.html
	Placeholder string             `json:"placeholder"`
	FirstCalls  []firstCall        `json:"firstCalls"`
	page        []byte             // with the placeholder of index.html
	document    document           // the page with the placeholder filled without answers
	placeholder *template.Template // nil for that of index.html
	queryNames  []string           // of the values of the address that the first calls depend on, sorted
}

// firstCall is a call that a screen makes as soon as it opens. A value in braces is a variable: {query.id} for a
// value of the address, {city.id} and {city.legacyId} for the city of a visitor who has chosen none.
type firstCall struct {
	Path    string              `json:"path"`
	Fields  map[string]string   `json:"fields"`  // as the app sends them
	When    map[string][]string `json:"when"`    // query names and the values for which the screen makes the call
	Picture bool                `json:"picture"` // the screen first shows the picture in the answer
	Chosen  []string            `json:"chosen"`  // variables; the first that is not empty selects the picture
	// HiddenBy are query names: the screen does not show the picture if one of them has a value.
	HiddenBy []string `json:"hiddenBy"`
	answer   Answer
}

// readRoutes returns the pages of the build's routes.json by their screen, with the ribbon of a simulated shop if the
// shop is simulated. It returns nil if the web app has not been built, and an error if the file is malformed or has a
// call that is not in answers.
func readRoutes(
	files fs.FS, html []byte, simulated bool, answers func(path string) (Answer, bool),
) (map[string]route, error) {
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
	routes, script := map[string]route{}, scriptSource(html)
	for _, rt := range list {
		for i, c := range rt.FirstCalls {
			known := false
			if rt.FirstCalls[i].answer, known = answers(c.Path); !known {
				return nil, fmt.Errorf("httpapi: routes.json: the screen %s makes the unknown call %s", rt.Path, c.Path)
			}
		}
		if rt.Placeholder != "" {
			functions := template.FuncMap{"positive": isPositive}
			rt.placeholder, err = template.New(rt.Path).Funcs(functions).Parse(rt.Placeholder)
			if err != nil {
				return nil, fmt.Errorf("httpapi: routes.json: the placeholder of %s: %w", rt.Path, err)
			}
			if _, _, found := cutPlaceholder(html); !found {
				return nil, fmt.Errorf("httpapi: index.html has no %s element", placeholderOpen)
			}
		}
		rt.queryNames = queryNames(rt.FirstCalls)
		page, styles, err := inlineStyles(files, rt.linkFiles(html))
		if err != nil {
			return nil, fmt.Errorf("httpapi: the page %s: %w", rt.Path, err)
		}
		rt.page = page
		if rt.placeholder != nil {
			if page, err = rt.fillPlaceholder(page, map[string]any{"simulated": simulated}); err != nil {
				return nil, fmt.Errorf("httpapi: routes.json: the placeholder of %s: %w", rt.Path, err)
			}
		}
		rt.document = newDocument(page, best)
		rt.document.inlined = inlined{styles: styles, script: script}
		routes[screenAt(rt.Path)] = rt
	}
	return routes, nil
}

// fillPlaceholder puts the route's placeholder with the values in the place of the one in the page. It returns an error
// if the template is not valid HTML, or fails for a value that is absent.
func (rt route) fillPlaceholder(page []byte, values map[string]any) ([]byte, error) {
	before, after, _ := cutPlaceholder(page)
	filled := bytes.NewBuffer(slices.Clone(before))
	if err := rt.placeholder.Execute(filled, values); err != nil {
		return nil, err
	}
	filled.Write(after)
	return filled.Bytes(), nil
}

// isPositive reports whether a value of an answer, a text or a number, is a number above 0.
func isPositive(value any) bool {
	number, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	return err == nil && number > 0
}

// screenAt returns the screen at a path of the app: the path in lower case, without slashes at its ends.
func screenAt(urlPath string) string {
	screen := strings.ToLower(strings.TrimPrefix(path.Clean(urlPath), "/"))
	if screen == "" {
		return "index"
	}
	return screen
}

// queryNames returns the names of the values of an address that calls depend on.
func queryNames(calls []firstCall) (names []string) {
	for _, c := range calls {
		for name, values := range c.When {
			names = append(names, name)
			for _, text := range values {
				names = appendVariable(names, text)
			}
		}
		for _, text := range c.Fields {
			names = appendVariable(names, text)
		}
		for _, text := range c.Chosen {
			names = appendVariable(names, text)
		}
		names = append(names, c.HiddenBy...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// appendVariable appends the name in {query.name}.
func appendVariable(names []string, text string) []string {
	if name, found := strings.CutPrefix(text, "{query."); found {
		names = append(names, strings.TrimSuffix(name, "}"))
	}
	return names
}

// usedQuery returns the values of an address that the first calls depend on, and a key made of them.
func (rt route) usedQuery(query url.Values) (used url.Values, key string) {
	used = url.Values{}
	for _, name := range rt.queryNames {
		if value := query.Get(name); value != "" {
			used.Set(name, value)
		}
	}
	return used, used.Encode()
}

// moduleLink is the beginning of the link of a script, with the priority of those that the build links.
const moduleLink = `<link rel="modulepreload" fetchpriority="low" crossorigin`

// linkFiles adds links to the files of the route's screen to the head of a page. Otherwise the browser would request
// them one round trip later, when the app has started. The link of the screen's module carries the route, so that the
// app can load its first screen without the table of all screens.
func (rt route) linkFiles(html []byte) []byte {
	var links strings.Builder
	for _, name := range rt.Files {
		switch {
		case path.Ext(name) == ".css":
			fmt.Fprintf(&links, `<link rel="stylesheet" crossorigin href="%s">`, name)
		case name == rt.Script:
			fmt.Fprintf(&links, moduleLink+` data-screen="%s" href="%s">`, rt.Path, name)
		default:
			fmt.Fprintf(&links, moduleLink+` href="%s">`, name)
		}
	}
	return bytes.Replace(html, []byte("</head>"), []byte(links.String()+"</head>"), 1)
}

// visit holds the values of the variables in one request.
type visit struct {
	query url.Values
	city  func() catalog.City // the zero City if the cities cannot be read
}

func newVisit(ctx context.Context, query url.Values, cities Cities) visit {
	return visit{query: query, city: sync.OnceValue(func() (city catalog.City) {
		if list, err := cities.HotCities(ctx); err == nil && len(list) > 0 {
			city = list[0]
		}
		return city
	})}
}

// value returns the value of a variable, and any other text as it is.
func (v visit) value(text string) string {
	switch {
	case text == "{city.id}":
		return v.city().ID
	case text == "{city.legacyId}":
		return v.city().LegacyID
	case strings.HasPrefix(text, "{query."):
		return v.query.Get(strings.TrimSuffix(strings.TrimPrefix(text, "{query."), "}"))
	}
	return text
}

// chosen returns which of the pictures of a call's answer the screen shows first, "" for the first one.
func (v visit) chosen(c firstCall) string {
	for _, text := range c.Chosen {
		if value := v.value(text); value != "" {
			return value
		}
	}
	return ""
}

// hidesPicture reports whether the address has a value with which the screen does not show the picture of a call.
func (v visit) hidesPicture(c firstCall) bool {
	return slices.ContainsFunc(c.HiddenBy, func(name string) bool { return v.query.Get(name) != "" })
}

// fields returns the fields of a call. It returns false if the screen does not make the call in this visit, or if one
// of the fields has no value.
func (v visit) fields(c firstCall) (url.Values, bool) {
	for name, values := range c.When {
		given := v.query.Get(name)
		if !slices.ContainsFunc(values, func(text string) bool { return v.value(text) == given }) {
			return nil, false
		}
	}
	fields := url.Values{}
	for name, text := range c.Fields {
		value := v.value(text)
		if value == "" {
			return nil, false
		}
		fields.Set(name, value)
	}
	return fields, true
}

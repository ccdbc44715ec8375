package record

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Report lists where the answers of a replay differ from the recorded ones in shape.
type Report struct {
	Provider    string       `json:"provider"`
	Recorded    string       `json:"recorded"` // the address of the recording
	Target      string       `json:"target"`
	Calls       int          `json:"calls"`    // of the recording
	Compared    int          `json:"compared"` // of them
	Differences []Difference `json:"differences"`
	Skipped     []Skip       `json:"skipped"`
	Unseen      []Unseen     `json:"unseen"` // not compared, because only one side had values
}

// Difference is one difference between the recorded and the replayed answers of an operation.
type Difference struct {
	Operation string `json:"operation"`
	// Kind is "missing", "extra", "type" or "sometimes-missing" for a field; "status", "code", "body" or "failure" for
	// an entire answer.
	Kind     string `json:"kind"`
	Path     string `json:"path,omitempty"` // of the field: data.filmList[].score
	Recorded string `json:"recorded"`
	Answered string `json:"answered"`
	Calls    []int  `json:"calls"` // ids of the recorded calls that differ; for a field, of all compared calls
}

// Unseen is a path in the answers of an operation at which only one side had values, such as an array that was always
// empty on the other side.
type Unseen struct {
	Operation string `json:"operation"`
	Path      string `json:"path"`
}

// Compare replays a recording and compares the answers. The error is an *Error.
func Compare(ctx context.Context, rec *Recording, o ReplayOptions) (*Report, error) {
	p, err := newReplay(rec, o)
	if err != nil {
		return nil, err
	}
	report := &Report{
		Provider: rec.Provider, Recorded: rec.Target, Target: plainTarget(p.target), Calls: len(rec.Calls),
		Differences: []Difference{}, Skipped: []Skip{}, Unseen: []Unseen{},
	}
	c := comparison{provider: rec.provider, report: report}
	if err := p.run(ctx, c.compareAnswers, func(s Skip) { report.Skipped = append(report.Skipped, s) }); err != nil {
		return nil, err
	}
	if report.Compared == 0 { // an empty report would look like agreement
		reason := "the recording has no calls"
		if len(report.Skipped) > 0 {
			reason = "the first: " + report.Skipped[0].Reason
		}
		return nil, fail("nothing_compared", "none of %d calls was compared; %s", len(rec.Calls), reason)
	}
	for _, g := range c.groups {
		c.compareShapes(g, "", g.recorded, g.replayed)
	}
	return report, nil
}

// comparison collects the answers of each operation and result code, because the shape of an error differs from that of
// a success.
type comparison struct {
	provider *provider
	report   *Report
	groups   []*group
}

// group collects the answers of one operation with one result code.
type group struct {
	operation, code    string
	recorded, replayed *shape
	calls              []int
}

// compareAnswers compares the status, the result code and the kind of body of two answers. It adds them to the group
// whose shapes are compared later, if they are comparable.
func (c *comparison) compareAnswers(recorded, replayed Call) {
	c.report.Compared++
	differ := func(kind, was, is string) {
		c.addCall(Difference{recorded.Operation, kind, "", was, is, []int{recorded.ID}})
	}
	if replayed.Answer == nil {
		differ("failure", "an answer", replayed.Failure)
		return
	}
	was, is := recorded.Answer, replayed.Answer
	if was.Status != is.Status {
		differ("status", strconv.Itoa(was.Status), strconv.Itoa(is.Status))
	}
	if was.Body.Kind != is.Body.Kind {
		differ("body", was.Body.Kind, is.Body.Kind)
		return
	}
	code, answered := c.provider.code(was.Status, was.Body.JSON), c.provider.code(is.Status, is.Body.JSON)
	if code != answered {
		differ("code", cmp.Or(code, "none"), cmp.Or(answered, "none"))
	}
	if code == answered && was.Status/100 == is.Status/100 && was.Body.Kind == bodyJSON {
		g := c.groupOf(recorded.Operation, code)
		g.recorded.add(was.Body.JSON)
		g.replayed.add(is.Body.JSON)
		g.calls = append(g.calls, recorded.ID)
	}
}

// addCall adds a difference of entire answers to the report. If an earlier call has the same difference, only the
// number of the call is added to it.
func (c *comparison) addCall(d Difference) {
	for i, known := range c.report.Differences {
		if known.Operation == d.Operation && known.Kind == d.Kind && known.Recorded == d.Recorded &&
			known.Answered == d.Answered {
			c.report.Differences[i].Calls = append(known.Calls, d.Calls...)
			return
		}
	}
	c.report.Differences = append(c.report.Differences, d)
}

// groupOf is the group of an operation and a code. It is created when it is missing.
func (c *comparison) groupOf(operation, code string) *group {
	for _, g := range c.groups {
		if g.operation == operation && g.code == code {
			return g
		}
	}
	g := &group{operation: operation, code: code, recorded: newShape(), replayed: newShape()}
	c.groups = append(c.groups, g)
	return g
}

// compareShapes reports where the replayed answers of a group differ in shape from the recorded ones. If only one side
// had elements in an array, that is reported as unseen and not as a difference.
func (c *comparison) compareShapes(g *group, path string, recorded, replayed *shape) {
	unknown, common := false, false
	for t := range replayed.types {
		unknown, common = unknown || !recorded.types[t], common || recorded.types[t]
	}
	if unknown || !common {
		c.addField(g, "type", path, recorded.typeNames(), replayed.typeNames())
	}
	if recorded.objects > 0 && replayed.objects > 0 {
		c.compareFields(g, path, recorded, replayed)
	}
	switch {
	case recorded.element != nil && replayed.element != nil:
		c.compareShapes(g, path+"[]", recorded.element, replayed.element)
	case recorded.element != nil && replayed.types["array"], replayed.element != nil && recorded.types["array"]:
		c.report.Unseen = append(c.report.Unseen, Unseen{g.operation, path + "[]"})
	}
}

// compareFields reports the fields that only one side has, and those that are always recorded but sometimes missing in
// the replay. It compares the shapes of the other fields.
func (c *comparison) compareFields(g *group, path string, recorded, replayed *shape) {
	names := maps.Clone(recorded.fields)
	maps.Copy(names, replayed.fields)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		inner := strings.TrimPrefix(path+"."+name, ".")
		was, is := recorded.fields[name], replayed.fields[name]
		switch {
		case is == nil:
			c.addField(g, "missing", inner, was.typeNames(), "")
		case was == nil:
			c.addField(g, "extra", inner, "", is.typeNames())
		default:
			if was.seen == recorded.objects && is.seen < replayed.objects {
				c.addField(g, "sometimes-missing", inner, "always", "not always")
			}
			c.compareShapes(g, inner, was, is)
		}
	}
}

// addField adds a difference of a field, with all calls of the group.
func (c *comparison) addField(g *group, kind, path, recorded, answered string) {
	c.report.Differences = append(c.report.Differences,
		Difference{g.operation, kind, path, recorded, answered, g.calls})
}

// shape summarizes many values at the same path: their types, the fields of the objects and the elements of the arrays.
type shape struct {
	seen    int // how many values were added
	types   map[string]bool
	objects int               // how many of the values were objects
	fields  map[string]*shape // of the objects
	element *shape            // of all elements of the arrays; nil while none was seen
}

// newShape returns a shape without values.
func newShape() *shape { return &shape{types: map[string]bool{}, fields: map[string]*shape{}} }

// typeOf is the JSON type of a decoded value.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number, float64:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// add adds a value to the shape.
func (s *shape) add(v any) {
	s.seen++
	s.types[typeOf(v)] = true
	switch v := v.(type) {
	case map[string]any:
		s.objects++
		for name, inner := range v {
			if s.fields[name] == nil {
				s.fields[name] = newShape()
			}
			s.fields[name].add(inner)
		}
	case []any:
		for _, inner := range v {
			if s.element == nil {
				s.element = newShape()
			}
			s.element.add(inner)
		}
	}
}

// typeNames lists the types for a report.
func (s *shape) typeNames() string { return strings.Join(slices.Sorted(maps.Keys(s.types)), " or ") }

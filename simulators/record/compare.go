package record

import (
	"context"
	"slices"
	"strconv"
)

// Report says where the answers of a replay differ from the recorded ones in shape.
type Report struct {
	Provider    string       `json:"provider"`
	Recorded    string       `json:"recorded"` // where the recording is from
	Target      string       `json:"target"`
	Calls       int          `json:"calls"`    // of the recording
	Compared    int          `json:"compared"` // of them
	Differences []Difference `json:"differences"`
	Skipped     []Skip       `json:"skipped"`
	Unseen      []Unseen     `json:"unseen"` // what only one side has shown
}

// Difference is one thing that is another.
type Difference struct {
	Operation string `json:"operation"`
	// Kind is missing, extra, type or sometimes-missing for a field; status, code, body or failure for a whole answer.
	Kind     string `json:"kind"`
	Path     string `json:"path,omitempty"` // of the field: data.filmList[].score
	Recorded string `json:"recorded"`
	Answered string `json:"answered"`
	Calls    []int  `json:"calls"` // the recorded calls that show it, or for a field all that were compared
}

// Unseen is a place whose inside could not be compared.
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
	c := comparison{provider: rec.provider, report: &Report{
		Provider: rec.Provider, Recorded: rec.Target, Target: plainTarget(p.target), Calls: len(rec.Calls),
		Differences: []Difference{}, Skipped: []Skip{}, Unseen: []Unseen{},
	}}
	if err := p.run(ctx, c.call, func(s Skip) { c.report.Skipped = append(c.report.Skipped, s) }); err != nil {
		return nil, err
	}
	if c.report.Compared == 0 { // which must not look like agreement
		why := "the recording has no calls"
		if len(c.report.Skipped) > 0 {
			why = "the first: " + c.report.Skipped[0].Reason
		}
		return nil, fail("nothing_compared", "none of %d calls was compared; %s", len(rec.Calls), why)
	}
	c.shapes()
	return c.report, nil
}

// comparison gathers the answers of one operation that have one verdict: a refusal has another shape than a success.
type comparison struct {
	provider *provider
	report   *Report
	groups   []*group
}

type group struct {
	operation, code string
	recorded, now   *shape
	calls           []int
}

// call compares two answers as wholes, and keeps them for their shapes when they are of one kind.
func (c *comparison) call(recorded, now Call) {
	c.report.Compared++
	other := func(kind, was, is string) {
		c.other(Difference{recorded.Operation, kind, "", was, is, []int{recorded.ID}})
	}
	if now.Answer == nil {
		other("failure", "an answer", now.Failure)
		return
	}
	was, is := recorded.Answer, now.Answer
	alike := true
	if was.Status != is.Status {
		other("status", strconv.Itoa(was.Status), strconv.Itoa(is.Status))
		alike = was.Status/100 == is.Status/100
	}
	if was.Body.Kind != is.Body.Kind {
		other("body", was.Body.Kind, is.Body.Kind)
		return
	}
	code := c.provider.code(was.Status, was.Body.JSON)
	if answered := c.provider.code(is.Status, is.Body.JSON); code != answered {
		other("code", named(code), named(answered))
		alike = false
	}
	if alike && was.Body.Kind == bodyJSON {
		c.gather(recorded, code, is.Body.JSON)
	}
}

func named(code string) string {
	if code == "" {
		return "none"
	}
	return code
}

// other adds a difference of whole answers, or a call to the one that is told already.
func (c *comparison) other(d Difference) {
	for i, told := range c.report.Differences {
		if told.Operation == d.Operation && told.Kind == d.Kind && told.Recorded == d.Recorded && told.Answered == d.Answered {
			c.report.Differences[i].Calls = append(told.Calls, d.Calls...)
			return
		}
	}
	c.report.Differences = append(c.report.Differences, d)
}

func (c *comparison) gather(recorded Call, code string, now any) {
	i := slices.IndexFunc(c.groups, func(g *group) bool { return g.operation == recorded.Operation && g.code == code })
	if i < 0 {
		i = len(c.groups)
		c.groups = append(c.groups, &group{operation: recorded.Operation, code: code, recorded: newShape(), now: newShape()})
	}
	g := c.groups[i]
	g.recorded.add(recorded.Answer.Body.JSON)
	g.now.add(now)
	g.calls = append(g.calls, recorded.ID)
}

// shapes compares what was gathered.
func (c *comparison) shapes() {
	for _, g := range c.groups {
		differ("", g.recorded, g.now,
			func(f finding) {
				c.report.Differences = append(c.report.Differences, Difference{g.operation, f.kind, f.path, f.recorded, f.now, g.calls})
			},
			func(path string) { c.report.Unseen = append(c.report.Unseen, Unseen{g.operation, path}) })
	}
}

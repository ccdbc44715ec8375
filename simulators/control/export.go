package control

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"marquee/simulators/journal"
)

// ExportFormat is a format of exported journal entries.
type ExportFormat string

// Values lists the formats of an exported journal.
func (ExportFormat) Values() []string { return []string{"har", "jsonl"} }

// ExportJournal is the input of exportJournal.
type ExportJournal struct {
	ListJournal
	// Format is har, an HTTP archive (HAR 1.2), or jsonl, a line of JSON for each entry; missing: har.
	Format ExportFormat `query:"format"`
}

// exportJournal returns the entries that match the filter as a file, oldest first: an HTTP archive for browsers and
// proxies, or a line of JSON for each entry. The journal keeps the headers of webhooks, but not those of calls.
func exportJournal(w World, in ExportJournal) (File, error) {
	f, err := in.in(w, in.Limit)
	if err != nil {
		return File{}, err
	}
	entries := w.Journal().Entries(f)
	slices.Reverse(entries)
	if in.Format == "jsonl" {
		var lines bytes.Buffer
		encoder := json.NewEncoder(&lines)
		encoder.SetEscapeHTML(false)
		for _, e := range entries {
			if err := encoder.Encode(e); err != nil {
				return File{}, err
			}
		}
		return File{"application/jsonl; charset=utf-8", "journal-" + w.ID() + ".jsonl", lines.Bytes()}, nil
	}
	body, err := json.MarshalIndent(archiveOf(entries), "", " ")
	return File{"application/json; charset=utf-8", "journal-" + w.ID() + ".har", body}, err
}

// archive is an HTTP archive of version 1.2. Names that begin with _ are custom fields, as the format allows. Lists of
// headers are empty, except for webhooks, because the journal does not keep the headers of calls.
type archive struct {
	Log archiveLog `json:"log"`
}

type archiveLog struct {
	Version string         `json:"version"`
	Creator archiveCreator `json:"creator"`
	Entries []archiveEntry `json:"entries"`
}

type archiveCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type archiveEntry struct {
	Started   time.Time         `json:"startedDateTime"` // real time
	Millis    float64           `json:"time"`
	Request   archiveRequest    `json:"request"`
	Response  archiveResponse   `json:"response"`
	Cache     struct{}          `json:"cache"`
	Timings   archiveTimings    `json:"timings"`
	ID        int64             `json:"_id"`
	At        time.Time         `json:"_businessTime"`
	Provider  string            `json:"_provider"`
	Operation string            `json:"_operation"`
	Verdict   journal.Verdict   `json:"_verdict"`
	Reason    string            `json:"_reason,omitempty"`
	Fault     string            `json:"_fault,omitempty"`
	Signature *journal.Mismatch `json:"_signature,omitempty"`
}

type archiveTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

// archiveNothing contains fields that the format requires of every request and response. The journal keeps none of
// them, except the headers of webhooks.
type archiveNothing struct {
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []struct{} `json:"cookies"`
	Headers     []header   `json:"headers"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int        `json:"bodySize"`
}

type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type archiveRequest struct {
	Method string     `json:"method"`
	URL    string     `json:"url"`
	Query  []struct{} `json:"queryString"`
	Body   *text      `json:"postData,omitempty"`
	archiveNothing
}

type archiveResponse struct {
	Status      int    `json:"status"`
	StatusText  string `json:"statusText"`
	Content     text   `json:"content"`
	RedirectURL string `json:"redirectURL"`
	archiveNothing
}

type text struct {
	Size     int    `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
}

func archiveOf(entries []journal.Entry) archive {
	nothing := archiveNothing{"HTTP/1.1", []struct{}{}, []header{}, -1, -1}
	content := func(body string) text { return text{len(body), mimeTypeOf(body), body} }
	a := archive{archiveLog{"1.2", archiveCreator{"marquee simulators", "1"}, []archiveEntry{}}}
	for _, e := range entries {
		request := archiveRequest{Method: e.Method, URL: e.Path, Query: []struct{}{}, archiveNothing: nothing}
		if !strings.Contains(e.Path, "://") {
			request.URL = "https://" + e.Host + e.Path
		}
		if e.Method == "GET" && e.Request != "" {
			request.URL += "?" + e.Request
		} else if e.Request != "" {
			body := content(e.Request)
			request.Body = &body
		}
		if sent := e.Delivery; sent != nil {
			body := content(sent.Body)
			request.Body = &body
			for _, name := range slices.Sorted(maps.Keys(sent.Headers)) {
				request.Headers = append(request.Headers, header{name, sent.Headers[name]})
			}
		}
		response := archiveResponse{Status: e.Status, Content: content(e.Answer), archiveNothing: nothing}
		a.Log.Entries = append(a.Log.Entries, archiveEntry{
			Started: e.WireAt.Add(-time.Duration(e.Millis * float64(time.Millisecond))), Millis: e.Millis,
			Request: request, Response: response, Timings: archiveTimings{Wait: e.Millis},
			ID: e.ID, At: e.At, Provider: e.Provider, Operation: e.Operation, Verdict: e.Verdict, Reason: e.Reason,
			Fault: e.Fault, Signature: e.Signature,
		})
	}
	return a
}

func mimeTypeOf(body string) string {
	if strings.HasPrefix(strings.TrimSpace(body), "{") {
		return "application/json"
	}
	return "text/plain"
}

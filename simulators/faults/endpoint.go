package faults

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/ownname"
)

// Endpoint serves a provider's handler: it limits the body, applies the planned faults of HTTP and TCP, and writes
// every call into the journal. The handler gets the call's note from journal.From(r.Context()).
type Endpoint struct {
	Provider string
	Plan     *Plan
	Journal  *journal.Journal
	MaxBody  int64 // bytes; 0: 1 MiB
	// Operation returns the call's operation, or "" if the call is not simulated. Faults do not apply to such a call.
	Operation func(r *http.Request, body []byte) string
	// Rejects reports whether the real provider, too, would reject a call that has neither an operation nor a stub, for
	// example because of its method. Next answers such a call. Other calls without an operation or a stub get HTTP 501
	// in the provider's format. Nil means that Rejects is always false.
	Rejects func(r *http.Request) bool
	// Action returns the name of the call in an API whose calls share one path. Hint returns an additional sentence for
	// the developer. Both become part of the error message of a call that is not simulated. "" or nil: none.
	Action func(r *http.Request, body []byte) string
	Hint   func(r *http.Request) string
	// Authenticate checks a call before a stub answers it, like the provider checks its calls. It answers a rejected
	// call itself, and returns false. Nil accepts every call.
	Authenticate func(w http.ResponseWriter, r *http.Request, body []byte) bool
	// Sign adds the provider's signature and other headers to the answer of a stub. Nil adds none.
	Sign func(w http.ResponseWriter, r *http.Request, body []byte)
	// Error answers in the provider's format; code "" means its "busy" code, and CodeNotSimulated that the call is not
	// simulated.
	Error func(w http.ResponseWriter, r *http.Request, code, message string)
	// BadBody is the provider's code for a body that is too large (413) or does not arrive (408).
	BadBody string
	Next    http.Handler
}

// ServeHTTP journals the call, applies planned faults, and passes it to Next.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	limit := e.MaxBody
	if limit == 0 {
		limit = maxBody
	}
	body, err := readBody(r, limit)
	note := &journal.Note{Body: body, Host: ownname.WithoutPort(r.Host)}
	answer := &recorder{ResponseWriter: w}
	record := sync.OnceFunc(func() { e.record(r, note, answer, start) })
	defer func() {
		record()
		if answer.abort {
			panic(http.ErrAbortHandler)
		}
	}()
	r = r.WithContext(journal.With(r.Context(), note))
	if err != nil {
		note.Reject("the body could not be read: " + err.Error())
		status := http.StatusBadRequest
		if tooBig := (*http.MaxBytesError)(nil); errors.As(err, &tooBig) {
			status = http.StatusRequestEntityTooLarge
		} else if errors.Is(err, os.ErrDeadlineExceeded) {
			status = http.StatusRequestTimeout
		}
		e.Error(&withStatus{answer, status}, r, e.BadBody, http.StatusText(status))
		return
	}
	note.Operation = e.Operation(r, body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer.whole = record
	if note.Operation == "" {
		e.serveUnknown(answer, r, note)
		return
	}
	fault, hit := e.Plan.Apply(note, e.Provider, note.Operation, wireNames...)
	if !hit {
		e.Next.ServeHTTP(answer, r)
		return
	}
	e.apply(fault, answer, r, record)
}

// serveUnknown answers a call without an operation: by a stub if one matches, by Next if Rejects says so, otherwise
// with HTTP 501.
func (e *Endpoint) serveUnknown(w http.ResponseWriter, r *http.Request, note *journal.Note) {
	if stub := e.Plan.stubs.take(e.Provider, r, note.Body); stub != nil {
		e.serveStub(stub, w, r, note)
		return
	}
	if e.Rejects != nil && e.Rejects(r) {
		e.Next.ServeHTTP(w, r)
		return
	}
	e.notSimulated(w, r)
}

// serveStub answers a call by a stub, after the provider's authentication and with the provider's signature.
func (e *Endpoint) serveStub(stub *compiledStub, w http.ResponseWriter, r *http.Request, note *journal.Note) {
	if e.Authenticate != nil && !e.Authenticate(w, r, note.Body) {
		return
	}
	wait(r, time.Duration(stub.Answer.LatencyMS)*time.Millisecond)
	body, err := fillBody(stub.Answer.Body, &stubCall{r, note.Body, e.Journal.Now()})
	if err != nil {
		note.Reject("stub " + stub.ID + ": " + err.Error())
		http.Error(w, "stub "+stub.ID+": "+err.Error(), http.StatusInternalServerError)
		return
	}
	note.Verdict, note.Reason = journal.Stubbed, "stub "+stub.ID
	if e.Sign != nil {
		e.Sign(w, r, []byte(body))
	}
	stub.write(w, body)
}

// apply applies a fault, LatencyMS of real time after the call arrived. A call without an answer is recorded before it
// ends, so that it is in the journal when the client gives up.
func (e *Endpoint) apply(f Fault, w *recorder, r *http.Request, record func()) {
	if f.Do != Hang && f.Do != ActThenHang { // for these two kinds, hang waits
		wait(r, time.Duration(f.LatencyMS)*time.Millisecond)
	}
	switch f.Do {
	case Latency:
		e.Next.ServeHTTP(w, r)
	case Error:
		e.Error(w, r, f.Code, f.Message)
	case Status:
		w.WriteHeader(cmp.Or(f.Status, http.StatusInternalServerError))
		_, _ = io.WriteString(w, f.Body)
	case HTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(cmp.Or(f.Status, http.StatusBadGateway))
		if f.Body == "" {
			f.Body = "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad " +
				"Gateway</h1></center></body></html>\n"
		}
		_, _ = io.WriteString(w, f.Body)
	case Reset:
		record()
		reset(w)
	case Hang:
		record()
		hang(f, w, r)
	case ActThenReset:
		e.act(r)
		record()
		reset(w)
	case ActThenHang:
		e.act(r)
		record()
		hang(f, w, r)
	case Truncate:
		answer := e.act(r)
		maps.Copy(w.Header(), answer.header)
		w.Header().Set("Content-Length", strconv.Itoa(answer.body.Len()))
		w.WriteHeader(cmp.Or(answer.status, http.StatusOK))
		_, _ = w.Write(answer.body.Bytes()[:answer.body.Len()/2])
		_ = http.NewResponseController(w).Flush()
		w.abort = true
	case Malformed:
		answer := e.act(r)
		maps.Copy(w.Header(), answer.header)
		w.Header().Del("Content-Length")
		w.WriteHeader(cmp.Or(answer.status, http.StatusOK))
		if f.Body == "" {
			f.Body = `{"success":tru`
		}
		_, _ = io.WriteString(w, f.Body)
	}
}

// act runs the handler and returns its answer without sending it to the client.
func (e *Endpoint) act(r *http.Request) *unsent {
	answer := &unsent{header: http.Header{}}
	e.Next.ServeHTTP(answer, r)
	return answer
}

// record writes a call into the journal.
func (e *Endpoint) record(r *http.Request, note *journal.Note, w *recorder, start time.Time) {
	request := string(note.Body)
	if request == "" {
		request = r.URL.RawQuery
	}
	verdict := note.Verdict
	if verdict == "" {
		verdict = journal.OK
		if w.status >= http.StatusBadRequest {
			verdict = journal.Rejected
		}
	}
	if note.Fault != "" {
		verdict = journal.Faulted
	}
	e.Journal.Add(journal.Entry{
		Provider: e.Provider, Operation: note.Operation, Method: r.Method, Host: note.Host, Path: r.URL.Path,
		Request: request,
		Status:  w.status, Answer: w.kept, Verdict: verdict, Reason: note.Reason, Fault: note.Fault,
		Signature: note.Signature, Millis: float64(time.Since(start).Microseconds()) / 1000,
	})
}

func readBody(r *http.Request, limit int64) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	if r.ContentLength > limit { // with Expect: 100-continue, the client does not send its body
		return nil, &http.MaxBytesError{Limit: limit}
	}
	return io.ReadAll(http.MaxBytesReader(nil, r.Body, limit))
}

// hang waits for the fault's latency (default 60 s) or for the client, and then closes the connection.
func hang(f Fault, w *recorder, r *http.Request) {
	wait(r, time.Duration(cmp.Or(f.LatencyMS, 60_000))*time.Millisecond)
	w.abort = true
}

// reset closes the connection so that the client gets ECONNRESET and not an EOF.
func reset(w *recorder) {
	conn, _, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		w.abort = true
		return
	}
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn() // don't send TLS close_notify
	}
	if tcp, ok := conn.(interface{ SetLinger(sec int) error }); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func wait(r *http.Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// withStatus answers with a fixed status instead of the handler's.
type withStatus struct {
	http.ResponseWriter
	status int
}

// WriteHeader ignores the handler's status.
func (w *withStatus) WriteHeader(int) { w.ResponseWriter.WriteHeader(w.status) }

// Write sends the fixed status before the body.
func (w *withStatus) Write(b []byte) (int, error) {
	w.ResponseWriter.WriteHeader(w.status)
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *withStatus) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// recorder forwards an answer, and keeps its status and its first bytes for the journal.
type recorder struct {
	http.ResponseWriter
	status int
	kept   string
	whole  func() // journals the call before an answer of one write is sent, so that a client with the answer finds it
	abort  bool   // close the connection after the call is recorded
}

const keepAnswer = 2 << 10 // bytes of an answer, for the journal

// WriteHeader keeps the first status, like net/http.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
		w.ResponseWriter.WriteHeader(status)
	}
}

// Write keeps the start of the body, and records the call before it sends an answer that is a single write.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if room := keepAnswer + 1 - len(w.kept); room > 0 {
		w.kept += string(b[:min(room, len(b))]) // rarely more than once: nearly every answer is a single write
	}
	if w.whole != nil && w.Header().Get("Content-Length") == strconv.Itoa(len(b)) {
		w.whole()
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap is for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// unsent is an answer that the client does not receive, or receives only in part.
type unsent struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (u *unsent) Header() http.Header { return u.header }

// WriteHeader keeps the first status, like net/http.
func (u *unsent) WriteHeader(status int) {
	if u.status == 0 {
		u.status = status
	}
}

// Write keeps the body.
func (u *unsent) Write(b []byte) (int, error) { return u.body.Write(b) }

const maxBody = 1 << 20 // default of Endpoint.MaxBody, in bytes

// Peek reads a call's body and leaves it readable for the handler. It returns nil for a body that is larger than 1 MiB
// or ends with an error; the handler can still read such a body.
func Peek(r *http.Request) []byte {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength > maxBody {
		return nil
	}
	all, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(all), r.Body), r.Body}
	if err != nil || len(all) > maxBody {
		return nil
	}
	return all
}

package simulators

import (
	"io"
	"net/http"
	"time"
)

// bodyDeadline limits the real time in which the body of a request has to arrive. A server's ReadTimeout would also end
// long polls and streams.
type bodyDeadline struct {
	timeout time.Duration
	next    http.Handler
}

// ServeHTTP sets the deadline before the handler reads the body.
func (d bodyDeadline) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Body != nil && r.Body != http.NoBody {
		connection := http.NewResponseController(w)
		// A writer without deadlines, as in a test, has no connection that could stall.
		if connection.SetReadDeadline(time.Now().Add(d.timeout)) == nil {
			r.Body = &timedBody{r.Body, connection}
		}
	}
	d.next.ServeHTTP(w, r)
}

// timedBody removes the deadline of its connection after the entire body was read. The deadline of a body that the
// handler does not read completely remains, because the server reads the rest of it after the answer.
type timedBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

// Read removes the deadline at io.EOF.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.connection.SetReadDeadline(time.Time{}) // the handler has no time limit
	}
	return n, err
}

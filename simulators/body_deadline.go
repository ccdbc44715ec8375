package simulators

import (
	"io"
	"net/http"
	"time"
)

// bodyDeadline bounds the real time in which the body of a request has to come. A server's ReadTimeout would also end
// the calls that wait for something, such as long polls and streams.
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

// timedBody removes the deadline of its connection when it has come whole. A body that stays unread keeps the deadline,
// since the server reads the rest of it after the answer.
type timedBody struct {
	io.ReadCloser
	connection *http.ResponseController
}

// Read removes the deadline at io.EOF.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.connection.SetReadDeadline(time.Time{}) // the handler may take as long as it likes
	}
	return n, err
}

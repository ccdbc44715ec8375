// Package webhook sends the calls that a simulated provider makes to the shop: payment notifications, ticket pushes and
// delivery reports. It also lists additional receivers of them, the targets.
package webhook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

const maxAnswer = 4 << 10 // how many bytes of an answer are read at most

// errLinkLocal is the error of a webhook to an address such as 169.254.169.254, where machines of a cloud read their
// credentials. No shop has such an address, and otherwise a caller of the simulators could make them send requests to
// it.
var errLinkLocal = errors.New("link-local addresses get no webhooks")

// client is shared by all worlds, because there may be many short-lived ones. It does not follow redirects: a redirect
// counts as the receiver's answer. Addresses are checked when connecting, because a host name may resolve to any
// address.
var client = http.Client{
	Transport: &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, Control: rejectLinkLocal}).DialContext,
		MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute,
	},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func rejectLinkLocal(_, address string, _ syscall.RawConn) error {
	if to, err := netip.ParseAddrPort(address); err == nil && to.Addr().Unmap().IsLinkLocalUnicast() {
		return errLinkLocal
	}
	return nil
}

// Sender posts webhooks until it is closed. It is safe for concurrent use and must not be copied.
type Sender struct {
	lifetime
	Timeout time.Duration // real time that the receiver has to answer
}

// Post makes one call and returns the HTTP status and the first 4 KiB of the answer. An error means that no complete
// answer came; status is 0 if none came at all. An answer with an error status is not an error of Post.
func (s *Sender) Post(url string, header http.Header, body []byte) (status int, answer string, err error) {
	ctx, cancel := s.newContext(s.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, "", fmt.Errorf("build the webhook: %w", err)
	}
	request.Header = header
	response, err := client.Do(request)
	if err != nil {
		return 0, "", fmt.Errorf("send the webhook: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return response.StatusCode, "", fmt.Errorf("read the answer to the webhook: %w", err)
	}
	return response.StatusCode, string(text), nil
}

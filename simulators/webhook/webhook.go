// Package webhook sends the calls that a simulated provider makes to the shop: payment notifications and ticket pushes.
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

const maxAnswer = 4 << 10 // bytes of an answer that are read

// errLinkLocal means that a webhook was to go to an address such as 169.254.169.254, where machines of a cloud read
// their credentials. No shop is there, and whoever may call the simulators could have them call it.
var errLinkLocal = errors.New("link-local addresses get no webhooks")

// client is shared by all worlds, because there may be many short-lived ones. It does not follow redirects, because a
// redirect is an answer. Addresses are checked when connecting, because a host name may stand for any address.
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

// Post makes one call and returns the status and the first 4 KiB of the answer. The error is that of the connection,
// and status is 0 if no answer came; an error answer of the receiver is a status.
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

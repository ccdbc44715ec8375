package webhook_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/webhook"
)

// Cloud machines read their credentials at a link-local address; a notify_url must not reach it.
func TestPost_NeverToALinkLocalAddress(t *testing.T) {
	t.Parallel()
	sender := webhook.Sender{Timeout: 10 * time.Second}
	t.Cleanup(sender.Close)
	for _, url := range []string{
		"http://169.254.169.254/latest/meta-data", "http://169.254.0.1:8080/notify", "http://[fe80::1]/notify",
		"http://[::ffff:169.254.169.254]/notify",
	} {
		status, _, err := sender.Post(url, nil, nil)
		assert.ErrorContains(t, err, "link-local addresses get no webhooks", url)
		assert.Zero(t, status, url)
	}
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(shop.Close)
	status, _, err := sender.Post(shop.URL, nil, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusNoContent, status)
}

package wechat_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth"
	"github.com/wechatpay-apiv3/wechatpay-go/core/notify"
)

// merchant receives notifications and checks them with the vendor's SDK.
type merchant struct {
	*httptest.Server
	mu       sync.Mutex
	handler  *notify.Handler
	verifier auth.Verifier
	statuses []int // to answer first, before 204
	received []received
}

type received struct {
	event   string
	content map[string]any
	err     error
}

func newMerchant(t *testing.T) *merchant {
	t.Helper()
	m := &merchant{}
	m.Server = httptest.NewServer(m)
	t.Cleanup(m.Close)
	return m
}

// rearm sets the APIv3 key with which the merchant decrypts notifications.
func (m *merchant) rearm(apiV3Key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.handler = notify.NewNotifyHandler(apiV3Key, m.verifier)
}

// answers sets the statuses of the next answers.
func (m *merchant) answers(statuses ...int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.statuses = statuses
}

func (m *merchant) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	content := map[string]any{}
	event := ""
	parsed, err := m.handler.ParseNotifyRequest(r.Context(), r, &content)
	if err == nil {
		event = parsed.EventType
	}
	m.received = append(m.received, received{event, content, err})
	status := http.StatusNoContent
	if len(m.statuses) > 0 {
		status, m.statuses = m.statuses[0], m.statuses[1:]
	} else if err != nil {
		status = http.StatusUnauthorized
	}
	w.WriteHeader(status)
}

// wait polls until n notifications have come.
func (m *merchant) wait(t *testing.T, n int) []received {
	t.Helper()
	var list []received
	require.Eventually(t, func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		list = append([]received{}, m.received...)
		return len(list) >= n
	}, 5*time.Second, 5*time.Millisecond, "notifications")
	require.Len(t, list, n)
	return list
}

package phone

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Messages are recorded as they appear, whether an element enters the live region or its text changes. The copy for
// screen readers does not count.
func TestMessages_AddedAndChanged(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,">
			<div role="status" id="region"></div>
			<p role="status" id="spoken" style="position:fixed; width:1px; height:1px; overflow:hidden"></p>`)
	}))
	t.Cleanup(site.Close)
	p := New(t, Options{})
	require.NoError(t, p.Open(site.URL))
	for _, script := range []string{
		`region.innerHTML = '<div><span>added</span></div>'`,
		`region.querySelector('span').firstChild.data = 'changed'`,
		`region.querySelector('span').textContent = 'replaced'`,
		`spoken.textContent = 'spoken'`,
		`region.textContent = 'last'`,
	} {
		_, err := p.Evaluate(script)
		require.NoError(t, err)
	}
	var texts []string
	require.Eventually(t, func() bool {
		p.messages.mu.Lock()
		defer p.messages.mu.Unlock()
		texts = messageTexts(p.messages.shown)
		return len(texts) > 0 && texts[len(texts)-1] == "last"
	}, Patience, 10*time.Millisecond)
	require.Equal(t, []string{"added", "changed", "replaced", "last"}, texts)
}

package wechat_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRealJSSDK runs bridge.test.mjs: npm's weixin-js-sdk, unchanged, in a page with the simulator's bridge.
func TestRealJSSDK(t *testing.T) {
	t.Parallel()
	r := start(t)
	keys, err := json.Marshal(r.keys)
	require.NoError(t, err)
	node := exec.Command("node", "--test", "--test-reporter=tap", "bridge.test.mjs")
	node.Env = append(os.Environ(), "SIM_URL="+r.server.URL, "SIM_CREDENTIALS="+string(keys), "NO_COLOR=1")
	out, err := node.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "# fail 0")
	t.Log(string(out))
}

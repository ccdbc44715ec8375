package simulators_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
)

func TestSnapshot_APartThatIsMissingOrEmptyIsRefusedByItsName(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	b := newBusy(t, s)
	_, file := get(t, s.URL()+"/sim/v1/worlds/"+b.id+"/snapshot")
	rows := map[string]string{} // the file, by what is said of it
	damage := func(says string, part []string, value any) {
		var whole map[string]any
		require.NoError(t, json.Unmarshal([]byte(file), &whole))
		in := whole
		for _, name := range part[:len(part)-1] {
			inner, ok := in[name].(map[string]any)
			require.True(t, ok, part)
			in = inner
		}
		last := part[len(part)-1]
		require.Contains(t, in, last)
		if in[last] = value; value == nil {
			delete(in, last)
		}
		text, err := json.Marshal(whole)
		require.NoError(t, err)
		rows[says] = string(text)
	}
	for _, part := range []string{"gateway", "newmovie", "sms", "wechat", "faults", "world", "taken", "clock", "founded", "seed", "app_url"} {
		damage("it has no "+part, []string{part}, nil)
		damage("its "+part+" is null", []string{part}, json.RawMessage("null"))
	}
	for part, inside := range map[string]string{"gateway": "office", "newmovie": "office", "sms": "messages", "wechat": "serial", "faults": "faults", "clock": "now"} {
		damage("it has no "+part+"."+inside, []string{part}, map[string]any{})
		damage("its "+part+" is not an object", []string{part}, "x")
	}
	damage("its taken cannot be read", []string{"taken"}, "x")
	damage("its world is", []string{"world"}, "x")
	damage("snapshot.world", []string{"world"}, map[string]any{})
	damage("it has no gateway.office.orders", []string{"gateway", "office", "orders"}, nil)
	damage("its wechat.trades is null", []string{"wechat", "trades"}, json.RawMessage("null"))
	damage("its wechat.trades is not a list", []string{"wechat", "trades"}, map[string]any{})
	damage("its newmovie.tokens is not an object", []string{"newmovie", "tokens"}, []any{})
	damage("it has no wechat.trades[0].order", []string{"wechat", "trades"}, []any{map[string]any{}})
	damage("it has no faults.faults[0].id", []string{"faults", "faults"}, []any{map[string]any{}})
	for says, damaged := range rows {
		for _, path := range []string{"/worlds/restore", "/worlds/" + b.id + "/restore", "/worlds/default/restore"} {
			status, text := post(t, s.URL()+"/sim/v1"+path, "application/json", damaged, nil)
			assert.Equal(t, http.StatusBadRequest, status, says)
			assert.Contains(t, text, `"code":"bad_snapshot"`, says)
			assert.Contains(t, text, says)
		}
	}
	_, list := control(t, s, http.MethodGet, "/worlds", "")
	assert.Len(t, list["worlds"], 2, "nothing was left over")
	assert.Equal(t, "LOCKED", b.state("HELD"), "and the world goes on")
}

func TestSnapshot_AddressesAreThoseThatAWorldMayHave(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, _ := create(t, s, `{"app_url":"http://127.0.0.1:8081","push_url":"http://127.0.0.1:8082"}`)
	_, file := get(t, s.URL()+"/sim/v1/worlds/"+made.ID+"/snapshot")
	for from, to := range map[string]string{
		`"app_url":"http://127.0.0.1:8081"`:  `"app_url":"javascript:alert(1)"`,
		`"push_url":"http://127.0.0.1:8082"`: `"push_url":"file:///etc/passwd"`,
	} {
		require.Contains(t, file, from)
		for _, path := range []string{"/worlds/restore", "/worlds/" + made.ID + "/restore"} {
			status, text := post(t, s.URL()+"/sim/v1"+path, "application/json", strings.Replace(file, from, to, 1), nil)
			assert.Equal(t, http.StatusBadRequest, status, to)
			assert.Contains(t, text, `"code":"bad_address"`, to)
		}
	}
	_, list := control(t, s, http.MethodGet, "/worlds", "")
	assert.Len(t, list["worlds"], 2, "nothing was left over")
}

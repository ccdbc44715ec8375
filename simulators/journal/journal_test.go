package journal_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/journal"
)

func TestJournal_KeepsTheNewestAndFilters(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	j := journal.New(10, func() time.Time { return at })
	for i := range 25 {
		j.Add(journal.Entry{
			Provider: []string{"a", "b"}[i%2], Operation: "op" + strconv.Itoa(i%5), Verdict: []journal.Verdict{journal.OK, journal.Refused, journal.OK}[i%3],
		})
	}
	all := j.Entries(journal.Filter{})
	require.Len(t, all, 10)
	assert.Equal(t, int64(25), all[0].ID, "newest first")
	assert.Equal(t, int64(16), all[9].ID)
	assert.Equal(t, at, all[0].At)
	for _, e := range j.Entries(journal.Filter{Provider: "a", Verdict: journal.OK}) {
		assert.Equal(t, "a", e.Provider)
		assert.Equal(t, journal.OK, e.Verdict)
	}
	assert.Len(t, j.Entries(journal.Filter{Operation: "op3"}), 2)
	assert.Len(t, j.Entries(journal.Filter{Limit: 3}), 3)
	j.Clear()
	assert.Empty(t, j.Entries(journal.Filter{}))
	assert.Equal(t, int64(26), j.Add(journal.Entry{}).ID, "ids go on")
}

func TestRedact_NoSecretIsTold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"entId":"e","appSecret":"hush"}`:                 `{"entId":"e","appSecret":"***"}`,
		`{"access_token": "hu\"sh","expires_in":7200}`:     `{"access_token":"***","expires_in":7200}`,
		`appid=wx1&secret=hush&code=2`:                     `appid=wx1&secret=***&code=2`,
		`/sns?access_token=hush`:                           `/sns?access_token=***`,
		`kahao=8&pass=hush`:                                `kahao=8&pass=***`,
		`{"session_key":"hush`:                             `{"session_key":"***"`,
		`method=city.list&sign=ABC`:                        `method=city.list&sign=ABC`,
		`{"passenger":"kept","note":"the secret is hush"}`: `{"passenger":"kept","note":"the secret is hush"}`,
	} {
		assert.Equal(t, want, journal.Redact(text))
	}
	j := journal.New(5, time.Now)
	j.Add(journal.Entry{Request: `{"appSecret":"hush"}`, Answer: strings.Repeat("x", 9<<10) + `{"token":"hush"}`})
	entry := j.Entries(journal.Filter{})[0]
	assert.NotContains(t, entry.Request+entry.Answer, "hush")
	assert.LessOrEqual(t, len(entry.Answer), 2<<10+3)
}

func TestFrom_OutsideOfACallIsAThrowAway(t *testing.T) {
	t.Parallel()
	journal.From(context.Background()).Refuse("nobody hears it")
	note := &journal.Note{}
	journal.From(journal.With(context.Background(), note)).Refuse("heard")
	assert.Equal(t, "heard", note.Reason)
}

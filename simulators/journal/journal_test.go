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
			Provider: []string{"a", "b"}[i%2], Operation: "op" + strconv.Itoa(i%5),
			Verdict: []journal.Verdict{journal.OK, journal.Rejected, journal.OK}[i%3],
		})
	}
	all := j.Entries(journal.Filter{})
	require.Len(t, all, 10)
	assert.Equal(t, int64(25), all[0].ID, "newest first")
	assert.Equal(t, int64(16), all[9].ID)
	assert.Equal(t, at, all[0].At)
	for id, kept := range map[int64]bool{-1: false, 15: false, 16: true, 25: true, 26: false} {
		found, ok := j.Find(id)
		assert.Equal(t, kept, ok, id)
		assert.Equal(t, kept, found.ID == id, id)
	}
	for _, e := range j.Entries(journal.Filter{Provider: "a", Verdict: journal.OK}) {
		assert.Equal(t, "a", e.Provider)
		assert.Equal(t, journal.OK, e.Verdict)
	}
	assert.Len(t, j.Entries(journal.Filter{Operation: "op3"}), 2)
	assert.Len(t, j.Entries(journal.Filter{Limit: 3}), 3)
	j.Clear()
	assert.Empty(t, j.Entries(journal.Filter{}))
	_, kept := j.Find(25)
	assert.False(t, kept)
	assert.Equal(t, int64(26), j.Add(journal.Entry{}).ID, "ids continue")
}

func TestRedact_RemovesEverySecret(t *testing.T) {
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
	journal.From(context.Background()).Reject("outside a call")
	note := &journal.Note{}
	journal.From(journal.With(context.Background(), note)).Reject("heard")
	assert.Equal(t, "heard", note.Reason)
}

func TestJournal_IsBoundedInBytesToo(t *testing.T) {
	t.Parallel()
	j := journal.New(100, time.Now).Bound(5000)
	for range 30 {
		j.Add(journal.Entry{Answer: strings.Repeat("x", 1000)})
	}
	assert.Equal(t, 5, j.Count(journal.Filter{}))
	j.Add(journal.Entry{Answer: strings.Repeat("x", 2000), Request: strings.Repeat("x", 2000),
		Reason: strings.Repeat("x", 2000)})
	assert.Equal(t, 1, j.Count(journal.Filter{}), "one entry is always kept")
	for range 250 {
		j.Add(journal.Entry{Path: "/x"})
	}
	all := j.Entries(journal.Filter{})
	require.Len(t, all, 100)
	assert.Equal(t, int64(281), all[0].ID)
	assert.Equal(t, int64(182), all[99].ID)
}

func TestJournal_CountsAndFindsByWhatItContains(t *testing.T) {
	t.Parallel()
	j := journal.New(10, time.Now)
	j.Add(journal.Entry{Request: "orderno=A1&secret=hush"})
	j.Add(journal.Entry{Answer: "orderno=A2"})
	j.Add(journal.Entry{Reason: "no A1 here", Provider: "p"})
	assert.Equal(t, 2, j.Count(journal.Filter{Contains: "A1"}))
	assert.Equal(t, 1, j.Count(journal.Filter{Contains: "A1", After: 1}))
	assert.Equal(t, 1, j.Count(journal.Filter{Contains: "A1", Provider: "p"}))
	assert.Zero(t, j.Count(journal.Filter{Contains: "hush"}), "a secret cannot be searched for")
}

func TestJournal_WaitsForWhatIsToCome(t *testing.T) {
	t.Parallel()
	j := journal.New(10, time.Now)
	j.Add(journal.Entry{Operation: "a"})
	assert.Len(t, j.Wait(t.Context(), journal.Filter{Operation: "a"}), 1, "existing entries are returned at once")
	found := make(chan []journal.Entry)
	go func() {
		found <- j.Wait(t.Context(), journal.Filter{Operation: "a", After: j.Last(), Contains: "needle"})
	}()
	for len(found) == 0 {
		j.Add(journal.Entry{Operation: "b", Path: "needle"})
		j.Add(journal.Entry{Operation: "a", Path: "hay"})
		j.Add(journal.Entry{Operation: "a", Path: "a needle"})
		select {
		case entries := <-found:
			assert.Equal(t, "a needle", entries[0].Path)
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			assert.Empty(t, j.Wait(ctx, journal.Filter{Operation: "c"}))
			return
		case <-time.After(time.Millisecond):
		}
	}
}

package legacygateway

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallHall is an answer as the gateway writes it.
const smallHall = `{"success":true,"error":null,"data":{"opi":{"opiid":"o1","moviename":"长夜","areaPrice":"A:4200","price":4000},` +
	`"seatList":[{"seatid":"1-1","name":"1排1座","row":1,"column":1,"rowname":"1","area":"A","status":1,"flag":0},` +
	`{"seatid":"1-2","name":"1排2座","row":1,"column":2,"rowname":"1","area":"A","status":0,"flag":1}]}}`

// agrees fails when the one pass reads something else than encoding/json does, or reads what that refuses. It tells
// whether the one pass read it at all.
func agrees(t *testing.T, body []byte) bool {
	t.Helper()
	var plain, thorough hall
	read := plain.plainAnswer(body)
	if !read {
		assert.Equal(t, hall{}, plain, "%s", body)
		return false
	}
	if !assert.NoError(t, decode(body, reads, "opi.seat", &thorough), "%s", body) {
		return true
	}
	if len(plain.Seats) == 0 && len(thorough.Seats) == 0 {
		plain.Seats, thorough.Seats = nil, nil // to us, none is none
	}
	assert.Equal(t, thorough, plain, "%s", body)
	return true
}

func TestPlainAnswer_ReadsWhatTheGatewayWrites(t *testing.T) {
	t.Parallel()
	assert.True(t, agrees(t, []byte(smallHall)))
	var spaced any
	require.NoError(t, json.Unmarshal([]byte(smallHall), &spaced))
	indented, err := json.MarshalIndent(spaced, "\t", "  ")
	require.NoError(t, err)
	assert.True(t, agrees(t, indented))
	assert.True(t, agrees(t, []byte(`{"success":true,"data":{"opi":{},"seatList":[]}}`)))
}

func TestPlainAnswer_NeverDisagrees(t *testing.T) {
	t.Parallel()
	read := 0
	for i := range smallHall {
		for _, other := range []string{"", "0", "9", ".", "-", "e", "a", "A", `"`, `\`, "{", "}", "[", "]", ",", ":", " ", "\n", "\x00", "\xff", "null", `\u0041`, `,"flag":2`, `,"data":{}`} {
			if agrees(t, []byte(smallHall[:i]+other+smallHall[i+1:])) {
				read++
			}
			agrees(t, []byte(smallHall[:i]+other+smallHall[i:]))
		}
		agrees(t, []byte(smallHall[:i]))
	}
	assert.Positive(t, read)
}

func TestPlainAnswer_LeavesWhatIsOdd(t *testing.T) {
	t.Parallel()
	for _, change := range [][2]string{
		{`"success":true`, `"success":false`},
		{`"error":null`, `"error":{"code":"1","msg":""}`},
		{`"status":1`, `"status":null`},
		{`"row":1`, `"row":1.5`},
		{`"row":1`, `"row":01`},
		{`"row":1`, `"row":12345678901234567890`},
		{`"seatid"`, `"SeatID"`},
		{`1排1座`, `1\u6392`},
		{`"seatList":`, `"seatList":[],"seatList":`},
		{`]}}`, `]},"data":{}}`},
		{`]}}`, `]}}{}`},
		{`长夜`, `长}夜`},
	} {
		body := strings.Replace(smallHall, change[0], change[1], 1)
		require.NotEqual(t, smallHall, body, fmt.Sprint(change))
		assert.False(t, agrees(t, []byte(body)), "%s", body)
	}
}

func FuzzPlainAnswer(f *testing.F) {
	f.Add([]byte(smallHall))
	f.Fuzz(func(t *testing.T, body []byte) { agrees(t, body) })
}

// BenchmarkHall reads a hall of 200 seats in one pass, and by encoding/json.
func BenchmarkHall(b *testing.B) {
	head, seat, _ := strings.Cut(smallHall, `"seatList":[`)
	seat, _, _ = strings.Cut(seat, "},")
	body := []byte(head + `"seatList":[` + strings.Repeat(seat+"},", 199) + seat + "}]}}")
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			require.True(b, new(hall).plainAnswer(body))
		}
	})
	b.Run("thorough", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, decode(body, reads, "opi.seat", new(hall)))
		}
	})
}

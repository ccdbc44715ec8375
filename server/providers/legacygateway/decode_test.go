package legacygateway

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/providers/transport"
)

// hallAnswer is a successful answer of opi.seat with rows of 25 seats.
func hallAnswer(seats int) []byte {
	var list []string
	for i := range seats {
		row, column := i/25+1, i%25+1
		list = append(list, fmt.Sprintf(`{"seatid":"%d-%d","name":"%d排%d座","row":%d,"column":%d,"rowname":"%d",
			"area":"A",`+
			`"status":1,"flag":0}`, row, column, row, column, row, column, row))
	}
	return []byte(`{"success":true,"error":null,"data":{"opi":{"opiid":"o1","moviename":"长夜","areaPrice":"A:4200",
		"price":4000},` +
		`"seatList":[` + strings.Join(list, ",") + `]}}`)
}

// BenchmarkDecodeHall decodes the entire hall, as for a seat map, and one seat of it, as for a lock. README.md has the
// figures.
func BenchmarkDecodeHall(b *testing.B) {
	for _, seats := range []int{200, 1000} {
		body := hallAnswer(seats)
		decode := func(want int, only ...string) func(*testing.B) {
			return func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					hall := hallJSON{Seats: seatList{only: only}}
					require.NoError(b, transport.Decode(transport.Query, body, newEnvelope, &hall))
					require.Len(b, hall.Seats.rows, want)
				}
			}
		}
		b.Run(fmt.Sprint(seats), decode(seats))
		b.Run(fmt.Sprint("1 of ", seats), decode(1, "3-4"))
	}
}

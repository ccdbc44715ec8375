package httpapi

import (
	"math"
	"strings"
	"testing"

	"marquee/server/httpapi/wire"
)

// FuzzFields checks that the readers of places and order numbers return values within their limits.
func FuzzFields(f *testing.F) {
	for _, seed := range []string{
		"", "lat=NaN&lng=1", "lat=1e999&lng=0", "lat=31.2&lng=121.4", "oid=" + strings.Repeat("9", 70), "oid=26050117",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got, err := wire.ParseForm(body)
		if err != nil {
			return
		}
		p, err := position(got.Text("lat"), got.Text("lng"))
		if err == nil && p != nil && !(math.Abs(p.Lat) <= 90 && math.Abs(p.Lng) <= 180) {
			t.Fatalf("%q: %v is not a place", body, p)
		}
		var no OrderNumber
		if no.ReadField(got, "oid"); len(no) > 64 {
			t.Fatalf("%q: a limit was passed", body)
		}
	})
}

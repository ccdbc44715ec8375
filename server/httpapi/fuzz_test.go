package httpapi

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"marquee/server/fault"
)

// FuzzForm holds the decoder to its word: what it accepts is plain text, each field once, and every reader either
// gives a value within its limits or leaves a fault that tells the buyer something.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{
		"", "channel_no=1&token=x", "a=1&a=2", "a=%zz", "a=%ff", "a=%00", "a;b", "seatids=1|2||3", "ka_ids=1,2,3", "ka_ids=9223372036854775808",
		"n=-1", "n=+5", "n=1e3", "n=٣", "lat=NaN&lng=1", "lat=1e999&lng=0", "oid=" + strings.Repeat("9", 70),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got, err := parseForm(body)
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Fatalf("%q: %v is no fault of the caller's", body, err)
			}
			return
		}
		for k, v := range got.fields {
			if !utf8.ValidString(k+v) || strings.ContainsRune(k+v, 0) {
				t.Fatalf("%q: took %q=%q", body, k, v)
			}
		}
		if n := got.integer("n", 0, 10, 3); n < 0 || n > 10 {
			t.Fatalf("%q: n is %d", body, n)
		}
		for _, part := range got.list("seatids", "|", 8) {
			if part == "" {
				t.Fatalf("%q: an empty seat", body)
			}
		}
		for _, id := range got.ids("ka_ids", 8) {
			if id <= 0 {
				t.Fatalf("%q: card %d", body, id)
			}
		}
		if p := got.point(); p != nil && (p.Lat < -90 || p.Lat > 90 || p.Lng < -180 || p.Lng > 180 || p.Lat != p.Lat) {
			t.Fatalf("%q: %v is no place", body, p)
		}
		if len(got.orderNo("oid")) > 64 || len(got.text("keyword")) > maxText {
			t.Fatalf("%q: a limit was passed", body)
		}
		if amount := got.yuan("wxprice"); amount != nil && *amount < 0 {
			t.Fatalf("%q: %s", body, amount)
		}
		var known *fault.Fault
		if got.err != nil && !errors.As(got.err, &known) {
			t.Fatalf("%q: %v is not classified", body, got.err)
		}
	})
}

// FuzzSignature looks for a form that passes without having been signed, or fails although it was.
func FuzzSignature(f *testing.F) {
	f.Add("keyword", "上海", "ABC")
	f.Add("", "", "")
	f.Add("sign", "x", "")
	f.Add("appkey", "1", "0123456789ABCDEF0123456789ABCDEF")
	f.Fuzz(func(t *testing.T, key, value, forged string) {
		fields := map[string]string{"channel_no": testChannel.No}
		if key != "sign" {
			fields[key] = value
		}
		stamp(fields, wireNow)
		right := fields["sign"]
		if err := testChannel.verify(fields, wireNow); err != nil {
			t.Fatalf("%q: refused its own signature: %v", fields, err)
		}
		fields["sign"] = forged
		if err := testChannel.verify(fields, wireNow); (err == nil) != (forged == right) {
			t.Fatalf("%q: verdict %v on a forged signature", fields, err)
		}
		fields["sign"] = right
		fields["added"] = "later"
		if err := testChannel.verify(fields, wireNow); err == nil && key != "added" {
			t.Fatalf("%q: a field was added after signing", fields)
		}
	})
}

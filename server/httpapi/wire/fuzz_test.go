package wire

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"marquee/server/beijing"
	"marquee/server/fault"
)

// FuzzForm checks that an accepted form is plain text, and that every reader returns a value within its limits or
// records a classified fault.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{
		"", "channel_no=1&token=x", "a=1&a=2", "a=%zz", "a=%ff", "a=%00", "a;b", "seatids=1|2||3",
		"ka_ids=1,2,3", "ka_ids=9223372036854775808",
		"n=-1", "n=+5", "n=1e3", "n=٣", "keyword=" + strings.Repeat("9", 600),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got, err := ParseForm(body)
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				t.Fatalf("%q: %v is not a fault of the caller", body, err)
			}
			return
		}
		for k, v := range got.fields {
			if !utf8.ValidString(k+v) || strings.ContainsRune(k+v, 0) {
				t.Fatalf("%q: took %q=%q", body, k, v)
			}
		}
		if n := got.Integer("n", 0, 10, 3); n < 0 || n > 10 {
			t.Fatalf("%q: n is %d", body, n)
		}
		for _, part := range got.List("seatids", "|", 8) {
			if part == "" {
				t.Fatalf("%q: an empty seat", body)
			}
		}
		for _, id := range got.IDs("ka_ids", 8) {
			if id <= 0 {
				t.Fatalf("%q: card %d", body, id)
			}
		}
		if len(got.Text("keyword")) > maxText {
			t.Fatalf("%q: a limit was passed", body)
		}
		if amount := got.Yuan("wxprice"); amount != nil && *amount < 0 {
			t.Fatalf("%q: %s", body, amount)
		}
		var known *fault.Fault
		if got.err != nil && !errors.As(got.err, &known) {
			t.Fatalf("%q: %v is not classified", body, got.err)
		}
	})
}

// FuzzSignature looks for a form that passes although it was not signed, or is rejected although it was.
func FuzzSignature(f *testing.F) {
	channel := Channel{No: "ch1", AppKey: "200001", Secret: "channel secret"}
	now := time.Date(2026, 4, 30, 4, 0, 0, 0, time.UTC)
	f.Add("keyword", "上海", "ABC")
	f.Add("", "", "")
	f.Add("sign", "x", "")
	f.Add("appkey", "1", "0123456789ABCDEF0123456789ABCDEF")
	f.Fuzz(func(t *testing.T, key, value, forged string) {
		fields := map[string]string{"channel_no": channel.No}
		if key != "sign" {
			fields[key] = value
		}
		fields["appkey"], fields["v"] = channel.AppKey, "2.0"
		fields["timestamp"] = now.In(beijing.Time).Format(TimeLayout)
		fields["sign"] = channel.Sign(fields)
		right := fields["sign"]
		if err := channel.Verify(fields, now); err != nil {
			t.Fatalf("%q: rejected its own signature: %v", fields, err)
		}
		fields["sign"] = forged
		if err := channel.Verify(fields, now); (err == nil) != (forged == right) {
			t.Fatalf("%q: verdict %v on a forged signature", fields, err)
		}
		fields["sign"] = right
		fields["added"] = "later"
		if err := channel.Verify(fields, now); err == nil && key != "added" {
			t.Fatalf("%q: a field was added after signing", fields)
		}
	})
}

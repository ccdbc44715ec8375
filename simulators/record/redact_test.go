package record

import (
	"strings"
	"testing"
)

func FuzzRedactor_NoPhoneStays(f *testing.F) {
	f.Add("", "")
	f.Add(`{"a":"`, `"}`)
	f.Add("+86", ",13812345678")
	f.Add("0086", " 13812345678 13812345678")
	f.Add("token=", "&x=1")
	f.Fuzz(func(t *testing.T, before, after string) {
		const number = "13812345678"
		r := newRedactor(gateway)
		if digits := strings.TrimRight(before, "0123456789"); digits != before && !strings.HasSuffix(before, "86") {
			return // a part of a longer number
		}
		if after != "" && strings.ContainsRune("0123456789", rune(after[0])) {
			return
		}
		if trimmed := strings.TrimSuffix(strings.TrimSuffix(before, "86"), "00"); trimmed != before &&
			strings.TrimRight(trimmed, "0123456789") != trimmed {
			return
		}
		clean := r.nested(before + number + after)
		if strings.Contains(clean, number) && !strings.Contains(before+after, number) {
			t.Fatalf("%q became %q", before+number+after, clean)
		}
		if again := r.nested(clean); again != clean {
			t.Fatalf("%q became %q and then %q", before+number+after, clean, again)
		}
	})
}

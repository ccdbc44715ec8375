package catalog

import (
	"flag"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mozillazg/go-pinyin"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write readings.txt")

// TestReadings_AreThoseOfTheDictionary compares readings.txt with go-pinyin for the characters U+4E00 to U+9FFF.
func TestReadings_AreThoseOfTheDictionary(t *testing.T) {
	t.Parallel()
	args := pinyin.NewArgs()
	args.Heteronym = true
	letters := regexp.MustCompile(`^[a-z]+$`) // not "m̀" and the like, which are interjections
	characters := map[string][]rune{}
	for r := rune(0x4E00); r <= 0x9FFF; r++ {
		for _, syllable := range pinyin.SinglePinyin(r, args) {
			if !letters.MatchString(syllable) {
				continue
			}
			characters[syllable] = append(characters[syllable], r)
			if other := strings.ReplaceAll(syllable, "v", "u"); other != syllable {
				characters[other] = append(characters[other], r)
			}
		}
	}
	var want strings.Builder
	for _, syllable := range slices.Sorted(maps.Keys(characters)) {
		slices.Sort(characters[syllable])
		want.WriteString(syllable + " " + string(slices.Compact(characters[syllable])) + "\n")
	}
	if *update {
		require.NoError(t, os.WriteFile("readings.txt", []byte(want.String()), 0o644))
		return
	}
	require.Equal(t, want.String(), readingsTXT, "write it with: go test ./server/catalog -run TestReadings -update")
}

func TestInitials_OfNamesWhoseReadingsOrSyllablesAreAmbiguous(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, pinyin, want string }{
		{"上海市", "shanghai", "sh"},
		{"重庆市", "chongqing", "cq"},
		{"济南市", "jinan", "jn"},
		{"延安市", "yanan", "ya"},
		{"西安市", "xian", "xa"},
		{"兴安盟", "xingan", "xa"},
		{"吕梁市", "lvliang", "ll"},
		{"吕梁市", "luliang", "ll"},
		{"长沙(Changsha)", "changsha", "cs"},
		{"上海市", "paris", "p"}, // no readings spell it
		{"上海市", "", ""},
	} {
		require.Equal(t, c.want, initials(City{Name: c.name, Pinyin: c.pinyin}), c.name)
	}
}

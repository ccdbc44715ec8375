package catalog

import (
	"strings"

	"github.com/mozillazg/go-pinyin"
)

// initials returns the first letter of each syllable of a city's pinyin: "sh" for 上海. A character may have several
// readings (重 is zhong or chong), so it searches for the readings that spell the whole pinyin.
func initials(c City) string {
	args := pinyin.NewArgs()
	args.Heteronym = true
	readings := pinyin.Pinyin(c.Name, args)
	letters, ok := spell(readings, c.Pinyin)
	if !ok && c.Pinyin != "" {
		return c.Pinyin[:1]
	}
	return letters
}

// spell returns the first letter of each reading, if one reading of each character in turn spells text.
func spell(readings [][]string, text string) (string, bool) {
	if text == "" {
		return "", true // the remaining characters are the suffix 市, which the pinyin does not have
	}
	if len(readings) == 0 {
		return "", false
	}
	for _, r := range readings[0] {
		// Some lists write ü as v, others as u.
		for _, spelling := range []string{r, strings.ReplaceAll(r, "v", "u")} {
			if spelling == "" || !strings.HasPrefix(text, spelling) {
				continue
			}
			if rest, ok := spell(readings[1:], text[len(spelling):]); ok {
				return spelling[:1] + rest, true
			}
		}
	}
	return "", false
}

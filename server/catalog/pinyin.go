package catalog

import (
	"strings"

	"github.com/mozillazg/go-pinyin"
)

// initials are the first letters of a city's pinyin: "sh" for 上海. Where to cut the pinyin is known only from the
// readings of each character (重 is zhong or chong), so the cut that spells the whole pinyin is looked for.
func initials(c City) string {
	args := pinyin.NewArgs()
	args.Heteronym = true
	readings := pinyin.Pinyin(c.Name, args)
	spelled, ok := cut(readings, c.Pinyin)
	if !ok && c.Pinyin != "" {
		return c.Pinyin[:1]
	}
	return spelled
}

func cut(readings [][]string, text string) (string, bool) {
	if text == "" {
		return "", true // what is left of the name is its suffix, which the pinyin leaves out
	}
	if len(readings) == 0 {
		return "", false
	}
	for _, r := range readings[0] {
		// ü is written v in some lists and u in others.
		for _, spelling := range []string{r, strings.ReplaceAll(r, "v", "u")} {
			if spelling == "" || !strings.HasPrefix(text, spelling) {
				continue
			}
			if rest, ok := cut(readings[1:], text[len(spelling):]); ok {
				return spelling[:1] + rest, true
			}
		}
	}
	return "", false
}

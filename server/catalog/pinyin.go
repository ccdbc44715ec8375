package catalog

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
)

// readingsTXT lists the syllables of pinyin without tones, each on a line with the characters that are read so. A
// syllable with ü is listed with v and with u, since lists of cities use both. TestReadings writes the file from the
// dictionary of go-pinyin. The shop does not link that library, whose table costs 10 ms at every process start.
//
//go:embed readings.txt
var readingsTXT string

// readings maps each syllable to the characters that are read so. The strings point into the embedded text.
var readings = sync.OnceValue(func() map[string]string {
	characters := make(map[string]string, 420)
	for line := range strings.Lines(readingsTXT) {
		syllable, list, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		characters[syllable] = list
	}
	return characters
})

// longestSyllable is the number of letters of syllables such as "zhuang".
const longestSyllable = 6

// initials returns the first letter of each syllable of a city's pinyin: "sh" for 上海. A character may have several
// readings (重 is zhong or chong), so it searches for the readings that spell the complete pinyin.
func initials(c City) string {
	var characters []rune
	for _, r := range c.Name {
		if unicode.Is(unicode.Han, r) {
			characters = append(characters, r)
		}
	}
	letters, ok := spell(characters, c.Pinyin)
	if !ok && c.Pinyin != "" {
		return c.Pinyin[:1]
	}
	return letters
}

// spell finds one reading for each character, in order, so that the readings together spell text, and returns the first
// letters of these readings. It reports false if there are no such readings.
func spell(characters []rune, text string) (string, bool) {
	if text == "" {
		return "", true // the remaining characters are the suffix 市, which the pinyin does not have
	}
	if len(characters) == 0 {
		return "", false
	}
	for length := 1; length <= min(longestSyllable, len(text)); length++ {
		if !strings.ContainsRune(readings()[text[:length]], characters[0]) {
			continue
		}
		if rest, ok := spell(characters[1:], text[length:]); ok {
			return text[:1] + rest, true
		}
	}
	return "", false
}

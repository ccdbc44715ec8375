package visiting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// The clauses of the legal texts are referred to by their numbers, so the lists of the back office keep their markers
// and have room for them.
func TestLegalTexts_KeepTheirMarkers(t *testing.T) {
	t.Parallel()
	visit := pages.Plain(pages.NewStack(t), phone.Options{Lean: true})
	for path, sees := range map[string]string{"/useexplain": "购票指南", "/yinsizhengce": "隐私政策"} {
		visit.Open(path)
		visit.SeesText(sees)
		var markers []string
		visit.Stack.Eventually(path+" has lists", func() bool {
			visit.Phone.Decode(t, `() => [...new Set([...document.querySelectorAll('.policy li')].map((item) => {
				const { display, listStyleType } = getComputedStyle(item)
				const room = parseFloat(getComputedStyle(item.parentElement).paddingInlineStart) >= 16
				return [item.parentElement.tagName, display, listStyleType, room].join(' ')
			}))]`, &markers)
			return len(markers) > 0
		})
		require.Subset(t, []string{"OL list-item decimal true", "UL list-item disc true"}, markers, path)
	}
}

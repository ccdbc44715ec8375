package content_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/content"
	"marquee/server/fault"
	"marquee/server/store/sqlite/sqlitetest"
)

func newService(t *testing.T) *content.Service {
	t.Helper()
	return content.New(sqlitetest.Open(t).Contents())
}

func TestTexts_ANewShopHasThem(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for _, key := range []content.Key{content.Privacy, content.UsageRules, content.BuyingGuide, content.ViewingGuide,
		content.TicketWarning} {
		text, err := s.Text(t.Context(), key)
		require.NoError(t, err)
		require.NotEmpty(t, text.Title)
		require.Greater(t, len(text.HTML), 100, key)
	}
	for _, key := range []content.Key{content.UsageRules, content.BuyingGuide, content.ViewingGuide} {
		text, err := s.Text(t.Context(), key)
		require.NoError(t, err)
		require.Contains(t, text.HTML, "不支持退票", key)
		require.Contains(t, text.HTML, "不支持改签", key)
	}
	_, err := s.Text(t.Context(), "nothing")
	require.ErrorIs(t, err, content.ErrTextNotFound)
}

func TestSetText_TakesOutWhatCouldRun(t *testing.T) {
	t.Parallel()
	s := newService(t)
	evil := `<p onclick="x()">好<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:x()">点</a><iframe src="//e.example"></iframe></p>`
	require.NoError(t, s.SetText(t.Context(), content.Privacy, content.Text{Title: "隐私", HTML: evil}, content.Editor{}))
	text, err := s.Text(t.Context(), content.Privacy)
	require.NoError(t, err)
	require.Equal(t, "隐私", text.Title)
	require.Contains(t, text.HTML, "好")
	for _, word := range []string{"script", "onerror", "onclick", "javascript", "iframe"} {
		require.NotContains(t, strings.ToLower(text.HTML), word)
	}
	require.ErrorIs(t, s.SetText(t.Context(), "nothing", content.Text{}, content.Editor{}), content.ErrTextNotFound)
	for _, title := range []string{"", " \t"} {
		err := s.SetText(t.Context(), content.Privacy, content.Text{Title: title, HTML: "<p>好</p>"}, content.Editor{})
		require.ErrorContains(t, err, "the title: it is empty")
		require.Equal(t, "title_invalid", fault.Of(err).Code)
	}
}

func TestSeed_FillsWhatIsEmptyAndNothingElse(t *testing.T) {
	t.Parallel()
	s := newService(t)
	seed := content.Seed{
		HomeBanners: []content.Banner{{Title: "一", ImageURL: "/1.svg", LinkURL: "/index"}, {Title: "二"}},
		FirstTiles:  []content.Tile{{Title: "卡", Price: "10.00"}},
	}
	require.NoError(t, s.Seed(t.Context(), seed))
	seed.HomeBanners = seed.HomeBanners[:1]
	seed.CinemaBanners = []content.Banner{{Title: "三"}}
	require.NoError(t, s.Seed(t.Context(), seed))

	home, err := s.Banners(t.Context(), content.Home)
	require.NoError(t, err)
	require.Len(t, home, 2, "the present banners stay")
	require.Equal(t, "一", home[0].Title)
	require.NotEqual(t, home[0].ID, home[1].ID)
	cinemas, err := s.Banners(t.Context(), content.Cinemas)
	require.NoError(t, err)
	require.Len(t, cinemas, 1)
	tiles, err := s.Tiles(t.Context(), content.FirstRow)
	require.NoError(t, err)
	require.Equal(t, "10.00", tiles[0].Price)
	none, err := s.Tiles(t.Context(), content.SecondRow)
	require.NoError(t, err)
	require.Empty(t, none)
}

// Browsers read a backslash as a slash and remove tabs and line ends, so that an address that looks like a page of the
// shop may lead anywhere.
func TestCheckAddress(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"/", "/a.svg", "/couponsDetail?id=1&from=a%5Cb", "/hotlist#top", "http://a.example/1.png", "https://a.example",
		"/图片/一.png",
	} {
		require.NoError(t, content.CheckAddress(good), good)
	}
	for _, bad := range []string{
		"", "a.svg", "//evil.example", `/\evil.example`, `\\evil.example`, `/\/evil.example`,
		`https://shop.example\@evil.example`, `/a\b`, `/a?b=\`, `/a#\`,
		"/\t/evil.example", "/a#\n", "/a\u0085b", "/a?\u202e", "/a\xff", "javascript:alert(1)", "data:text/html,x",
		"https:", "https:evil.example", "https:///evil.example", "ftp://a.example/1",
	} {
		require.ErrorIs(t, content.CheckAddress(bad), content.ErrAddress, "%q", bad)
	}
}

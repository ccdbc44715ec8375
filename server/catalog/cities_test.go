package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
)

func names(list []catalog.City) (n []string) {
	for _, c := range list {
		n = append(n, c.Name)
	}
	return n
}

func TestCities_BothSourcesByDivisionCode(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	all, err := s.Cities(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, []string{"北京市", "重庆市", "大连市", "杭州市", "上海市", "西安市"}, names(all), "by pinyin")
	require.Equal(t, catalog.City{ID: "330100", Name: "杭州市", Pinyin: "hangzhou", LegacyID: "330100", NewMovieID: "2002",
		Hot: true}, all[3])
	hot, err := s.HotCities(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"杭州市", "上海市"}, names(hot))
}

func TestCities_Search(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	for keyword, want := range map[string][]string{
		"上海": {"上海市"}, "海": {"上海市"}, "shang": {"上海市"}, "SH": {"上海市"}, " sh ": {"上海市"}, "cq": {"重庆市"}, "zq": nil,
		"chongq": {"重庆市"},
		"xa":     {"西安市"}, "dl": {"大连市"}, "h": {"杭州市"}, "hz": {"杭州市"}, "anghai": nil, "火星": nil, "%": nil,
	} {
		got, err := s.Cities(t.Context(), keyword)
		require.NoError(t, err)
		require.Equal(t, want, names(got), "%q", keyword)
	}
}

func TestCity_ByAnyOfItsIDs(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	for _, id := range []string{"310100", "2001"} {
		c, err := s.City(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "上海市", c.Name)
	}
	for _, id := range []string{"", "0", "2099"} {
		_, err := s.City(t.Context(), id)
		require.ErrorIs(t, err, catalog.ErrCityNotFound, "%q", id)
	}
}

func TestCities_FailIfOneSourceFails(t *testing.T) {
	t.Parallel()
	s, src := newService(t)
	src.fail("newmovie", fault.ErrUnavailable)
	_, err := s.Cities(t.Context(), "")
	require.ErrorIs(t, err, fault.ErrUnavailable)
	src.fail("newmovie", nil)
	all, err := s.Cities(t.Context(), "")
	require.NoError(t, err, "the failure was not kept")
	require.Len(t, all, 6)
}

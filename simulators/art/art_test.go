package art_test

import (
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/art"
	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
)

func draw(t *testing.T, a *art.Artist, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestPictures_EveryOneIsWellFormedAndItsOwn(t *testing.T) {
	t.Parallel()
	w := dataset.NewCountry(1, testclock.New())
	a := art.New(w)
	paths := []string{"/art/banner/welcome.svg", "/art/banner/1301.svg", "/art/tile/super.svg", "/art/tile/book.svg",
		"/art/goods/melody.svg", "/art/category/music.svg"}
	for _, f := range w.Films() {
		paths = append(paths, f.Poster(), f.Director.Avatar)
		for _, p := range f.Cast {
			paths = append(paths, p.Avatar)
		}
	}
	for _, d := range w.Dramas() {
		paths = append(paths, d.Poster())
	}
	seen := map[string]string{}
	for _, path := range paths {
		answer := draw(t, a, path)
		require.Equal(t, http.StatusOK, answer.Code, path)
		assert.Equal(t, "image/svg+xml; charset=utf-8", answer.Header().Get("Content-Type"))
		picture := answer.Body.String()
		assert.Less(t, len(picture), 20<<10, path)
		assert.Less(t, strings.Count(picture, "<"), 220, "%s: a phone lays out and paints every element", path)
		assert.NotContains(t, picture, "%!", path)
		assert.Empty(t, seen[picture], "%s is the same picture", path)
		seen[picture] = path
		decoder := xml.NewDecoder(strings.NewReader(picture))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
	}
}

func TestPictures_PackedIfTheClientAcceptsGzip(t *testing.T) {
	t.Parallel()
	a := art.New(dataset.NewCountry(1, testclock.New()))
	const path = "/art/banner/welcome.svg"
	plain := draw(t, a, path)
	require.Empty(t, plain.Header().Get("Content-Encoding"))

	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", "gzip, br")
	packed := httptest.NewRecorder()
	a.Handler().ServeHTTP(packed, r)
	require.Equal(t, "gzip", packed.Header().Get("Content-Encoding"))
	assert.Equal(t, "Accept-Encoding", packed.Header().Get("Vary"))
	assert.Less(t, packed.Body.Len(), 3<<10)
	unpacked, err := gzip.NewReader(packed.Body)
	require.NoError(t, err)
	picture, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	assert.Equal(t, plain.Body.String(), string(picture))

	r.Header.Set("If-None-Match", packed.Header().Get("ETag"))
	unchanged := httptest.NewRecorder()
	a.Handler().ServeHTTP(unchanged, r)
	assert.Equal(t, http.StatusNotModified, unchanged.Code)
}

// Goods differ by their drawing, and goods of a category have the same colors.
func TestPictures_GoodsAndCategoriesHaveDrawings(t *testing.T) {
	t.Parallel()
	a := art.New(dataset.NewCountry(1, testclock.New()))
	picture := func(path string) string {
		answer := draw(t, a, "/art/"+path+".svg")
		require.Equal(t, http.StatusOK, answer.Code, path)
		return answer.Body.String()
	}
	ground := regexp.MustCompile(`<linearGradient id="bg".*?</linearGradient>`)
	const note = "M158 92l116-26" // the beginning of the drawing of a musical note
	category, goods := picture("category/music"), picture("goods/melody")
	assert.Contains(t, goods, note)
	assert.Contains(t, category, note)
	assert.NotContains(t, category, "<text", "a drawing instead of a character")
	assert.Equal(t, ground.FindString(category), ground.FindString(goods))
	assert.Equal(t, ground.FindString(goods), ground.FindString(picture("goods/sing")))
	assert.NotContains(t, picture("goods/sing"), note)
	grounds := map[string]bool{}
	for _, name := range []string{"music", "reading", "learning", "tools", "recharge", "food", "video"} {
		grounds[ground.FindString(picture("category/"+name))] = true
	}
	assert.Len(t, grounds, 7)
}

func TestPictures_FollowFromTheSeed(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	picture := func(seed uint64) string {
		return draw(t, art.New(dataset.NewCountry(seed, clock)), "/art/poster/1305.svg").Body.String()
	}
	assert.Equal(t, picture(5), picture(5))
	assert.NotEqual(t, picture(5), picture(6))
}

func TestPictures_UnknownOnesAreNotFound(t *testing.T) {
	t.Parallel()
	a := art.New(dataset.NewCountry(1, testclock.New()))
	for _, path := range []string{
		"/art/poster/1.svg", "/art/poster/1301", "/art/", "/art/avatar/1301-99.svg", "/art/avatar/1301--1.svg",
		"/art/tile/x.svg", "/art/goods/x.svg", "/art/category/x.svg", "/art/banner/x.svg", "/art/drama/1.svg",
	} {
		assert.Equal(t, http.StatusNotFound, draw(t, a, path).Code, path)
	}
}

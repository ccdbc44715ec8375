package avatars

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/httpapi/wire"
)

const (
	goodToken = "a-live-token"
	channelNo = "ch1"
)

// fakeAccounts has one buyer.
type fakeAccounts struct {
	shown    string // the address of the buyer's picture
	pictures map[string][]byte
	err      error // of every call but Session
}

func (a *fakeAccounts) Session(_ context.Context, token string) (account.User, error) {
	if token == goodToken {
		return account.User{ID: 1}, nil
	}
	return account.User{}, account.ErrLoginRequired
}

func (a *fakeAccounts) SetAvatar(_ context.Context, _ int64, url string, picture []byte) error {
	if a.err != nil {
		return a.err
	}
	delete(a.pictures, a.shown)
	a.shown, a.pictures[url] = url, picture
	return nil
}

func (a *fakeAccounts) Avatar(_ context.Context, url string) (picture []byte, found bool, err error) {
	picture, found = a.pictures[url]
	return picture, found, a.err
}

// server serves the handler at its two paths.
type server struct {
	*httptest.Server
	accounts *fakeAccounts
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{accounts: &fakeAccounts{pictures: map[string][]byte{}}}
	h := New(Config{
		Sessions: s.accounts, Pictures: s.accounts, ChannelNo: channelNo,
		NotFound: func(w http.ResponseWriter, r *http.Request) {
			wire.Refuse(w, r, http.StatusNotFound, wire.ErrPathUnknown)
		},
	})
	r := chi.NewRouter()
	r.Post("/Member/uploadimg", h.Upload)
	r.Get("/avatars/{name}", h.Serve)
	s.Server = httptest.NewServer(r)
	t.Cleanup(s.Close)
	return s
}

// answer is an envelope, or a picture in Body.
type answer struct {
	Status int         `json:"-"`
	Header http.Header `json:"-"`
	Body   string      `json:"-"`
	Code   any         `json:"code"`
	Error  any         `json:"error"`
	Data   struct{ Img string }
}

func (s *server) do(t *testing.T, method, path, contentType string, body io.Reader) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, body)
	require.NoError(t, err)
	req.Header.Set("Content-Type", contentType)
	resp, err := s.Client().Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	a := answer{Status: resp.StatusCode, Header: resp.Header, Body: string(text)}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		require.NoError(t, json.Unmarshal(text, &a), "%s", text)
	}
	return a
}

func (s *server) get(t *testing.T, path string) answer {
	t.Helper()
	return s.do(t, http.MethodGet, path, "", nil)
}

func (s *server) upload(t *testing.T, token, channel string, img []byte) answer {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	require.NoError(t, w.WriteField("token", token))
	require.NoError(t, w.WriteField("channel_no", channel))
	if img != nil {
		part, err := w.CreateFormFile("img", "../../evil.php")
		require.NoError(t, err)
		_, err = part.Write(img)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return s.do(t, http.MethodPost, "/Member/uploadimg", w.FormDataContentType(), &body)
}

func picture(t *testing.T, w, h int, encode func(*bytes.Buffer, image.Image) error) []byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, color.NRGBA{200, 30, 60, 255})
		}
	}
	var b bytes.Buffer
	require.NoError(t, encode(&b, img))
	return b.Bytes()
}

func asPNG(b *bytes.Buffer, i image.Image) error  { return png.Encode(b, i) }
func asJPEG(b *bytes.Buffer, i image.Image) error { return jpeg.Encode(b, i, nil) }

// bomb is a small PNG whose header says that it is huge.
func bomb(t *testing.T, w, h uint32) []byte {
	t.Helper()
	b := picture(t, 1, 1, asPNG)
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

func TestAvatar_IsDrawnAnewAndServed(t *testing.T) {
	t.Parallel()
	for name, img := range map[string][]byte{
		"png":                      picture(t, 900, 600, asPNG),
		"jpeg":                     picture(t, 300, 700, asJPEG),
		"png with a script behind": append(picture(t, 10, 10, asPNG), "<script>alert(1)</script>"...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			a := s.upload(t, goodToken, channelNo, img)
			require.EqualValues(t, 200, a.Code, a.Body)
			require.Regexp(t, `^/avatars/[0-9a-f]{32}\.jpg$`, a.Data.Img)
			served := s.get(t, a.Data.Img)
			require.Equal(t, "image/jpeg", served.Header.Get("Content-Type"))
			drawn, err := jpeg.Decode(strings.NewReader(served.Body))
			require.NoError(t, err)
			require.Equal(t, drawn.Bounds().Dx(), drawn.Bounds().Dy())
			require.LessOrEqual(t, drawn.Bounds().Dx(), avatarSide)
			red, _, _, _ := drawn.At(2, 2).RGBA()
			require.InDelta(t, 200, red>>8, 8)
			require.NotContains(t, served.Body, "script")
		})
	}
}

func TestAvatar_Refusals(t *testing.T) {
	t.Parallel()
	good := picture(t, 4, 4, asPNG)
	for name, c := range map[string]struct {
		token, channel string
		img            []byte
		want           string
	}{
		"no session":         {"an-old-token", channelNo, good, "login_required"},
		"no channel":         {goodToken, "", good, "channel_unknown"},
		"no picture":         {goodToken, channelNo, nil, "image_invalid"},
		"text":               {goodToken, channelNo, []byte("hello"), "image_invalid"},
		"svg":                {goodToken, channelNo, defaultPicture, "image_invalid"},
		"half a picture":     {goodToken, channelNo, good[:len(good)/2], "image_invalid"},
		"40,000 pixels wide": {goodToken, channelNo, bomb(t, 40_000, 10), "image_too_large"},
		"100 million pixels": {goodToken, channelNo, bomb(t, 10_000, 10_000), "image_too_large"},
		"more than fits":     {goodToken, channelNo, bomb(t, 1<<31-1, 1<<31-1), "image_invalid"},
		"7 MB":               {goodToken, channelNo, make([]byte, 7<<20), "body_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			a := s.upload(t, c.token, c.channel, c.img)
			require.Equal(t, http.StatusOK, a.Status)
			require.Equal(t, c.want, a.Error, a.Body)
			require.Empty(t, s.accounts.pictures)
		})
	}
	const formType = "application/x-www-form-urlencoded"
	form := newServer(t).do(t, http.MethodPost, "/Member/uploadimg", formType, strings.NewReader("channel_no=ch1"))
	require.Equal(t, "unsupported_media_type", form.Error)
}

func TestAvatar_ALostDatabase(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	a := s.upload(t, goodToken, channelNo, picture(t, 4, 4, asPNG))
	require.EqualValues(t, 200, a.Code)
	require.Contains(t, s.get(t, a.Data.Img).Header.Get("Cache-Control"), "immutable")
	s.accounts.err = errors.New("the database is gone")
	require.Equal(t, http.StatusInternalServerError, s.upload(t, goodToken, channelNo, picture(t, 4, 4, asPNG)).Status)
	lost := s.get(t, a.Data.Img)
	require.Equal(t, http.StatusInternalServerError, lost.Status)
	require.NotContains(t, lost.Header.Get("Cache-Control"), "immutable")
}

func TestAvatar_OnlyPicturesAreServed(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.accounts.pictures["/avatars/secret.txt"] = []byte("x")
	for _, name := range []string{"secret.txt", "..%2fshop.db", "%2e%2e", strings.Repeat("a", 32) + ".jpg"} {
		missing := s.get(t, "/avatars/"+name)
		require.Equal(t, http.StatusNotFound, missing.Status, name)
		require.Equal(t, "path_unknown", missing.Error, name)
	}
	require.Contains(t, s.get(t, "/avatars/default.svg").Body, "<svg")
}

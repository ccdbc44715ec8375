package avatars

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
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
	access   account.Access
}

func (a *fakeAccounts) Session(_ context.Context, token string) (account.Session, error) {
	if token == goodToken {
		return account.Session{User: account.User{ID: 1}, Access: a.access}, nil
	}
	return account.Session{}, account.ErrLoginRequired
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
			wire.FailWithStatus(w, r, http.StatusNotFound, wire.ErrPathUnknown)
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

// bomb is a small PNG with the dimensions of a huge one in its header.
func bomb(t *testing.T, w, h uint32) []byte {
	t.Helper()
	b := picture(t, 1, 1, asPNG)
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}

func TestAvatar_IsDrawnAgainAndServed(t *testing.T) {
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

func TestAvatar_Errors(t *testing.T) {
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
	require.Equal(t, "private, max-age=86400, immutable", s.get(t, a.Data.Img).Header.Get("Cache-Control"),
		"no shared cache keeps the picture of an account")
	require.Equal(t, "public, max-age=31536000, immutable", s.get(t, DefaultURL).Header.Get("Cache-Control"))
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

// part is a part of a multipart body.
func part(name, content string) string {
	file := ""
	if name == "img" {
		file = `; filename="me.jpg"`
	}
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"" + file + "\r\n\r\n" + content + "\r\n"
}

// An upload with an invalid session, channel or form is rejected before the server reads the picture.
func TestAvatar_IsRejectedBeforeThePictureIsRead(t *testing.T) {
	t.Parallel()
	channel, token := part("channel_no", channelNo), part("token", goodToken)
	for name, c := range map[string]struct{ fields, want string }{
		"no token":          {channel, "login_required"},
		"an old token":      {channel + part("token", "old"), "login_required"},
		"another channel":   {part("channel_no", "x") + token, "channel_unknown"},
		"the picture first": {"", "channel_unknown"},
		"a long field":      {part("token", strings.Repeat("x", 600)), "form_invalid"},
		"a repeated token":  {channel + token + part("token", "other"), "form_invalid"},
		"too many fields":   {channel + manyParts(), "form_invalid"},
		"a header of 1 MB":  {"--b\r\nX: " + strings.Repeat("x", 1<<20) + "\r\n", "channel_unknown"},
		"not multipart":     {strings.Repeat("x", 1<<20), "form_invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			picture := &countedReader{left: 5 << 20}
			body := io.MultiReader(strings.NewReader(c.fields+part("img", "")), picture)
			r := httptest.NewRequest(http.MethodPost, "/Member/uploadimg", io.NopCloser(body))
			r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
			accounts := &fakeAccounts{}
			h := New(Config{Sessions: accounts, Pictures: accounts, ChannelNo: channelNo})
			_, err := h.upload(httptest.NewRecorder(), r)
			require.Equal(t, c.want, fault.Of(err).Code, "%v", err)
			require.Less(t, picture.read, wire.MaxForm)
		})
	}
}

func manyParts() string {
	var b strings.Builder
	for i := range 20 {
		b.WriteString(part("field"+strconv.Itoa(i), "x"))
	}
	return b.String()
}

// countedReader counts what is read of a body.
type countedReader struct{ left, read int }

func (c *countedReader) Read(p []byte) (int, error) {
	n := min(len(p), c.left)
	if n == 0 {
		return 0, io.EOF
	}
	c.left, c.read = c.left-n, c.read+n
	return n, nil
}

// Uploads that hang are bounded in number and in memory: their bytes are in files.
func TestAvatar_HangingUploadsAreBounded(t *testing.T) { // not parallel: it counts what the process has in memory
	accounts := &fakeAccounts{pictures: map[string][]byte{}}
	h := New(Config{Sessions: accounts, Pictures: accounts, ChannelNo: channelNo})
	runtime.GC()
	var before, during runtime.MemStats
	runtime.ReadMemStats(&before)
	var uploads sync.WaitGroup
	var hanging []*io.PipeWriter
	begin := func() <-chan error {
		body, sender := io.Pipe()
		hanging = append(hanging, sender)
		r := httptest.NewRequest(http.MethodPost, "/Member/uploadimg", body)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		ended := make(chan error, 1)
		uploads.Go(func() {
			_, err := h.upload(httptest.NewRecorder(), r)
			_ = body.Close()
			ended <- err
		})
		return ended
	}
	head := part("channel_no", channelNo) + part("token", goodToken) + strings.TrimSuffix(part("img", ""), "\r\n")
	content := make([]byte, 1<<20)
	for range maxUploads {
		begin()
		sender := hanging[len(hanging)-1]
		_, err := io.WriteString(sender, head)
		require.NoError(t, err)
		_, err = sender.Write(content)
		require.NoError(t, err)
	}
	runtime.GC()
	runtime.ReadMemStats(&during)
	require.Less(t, int(during.HeapAlloc)-int(before.HeapAlloc), 16<<20, "bytes for %d MB of uploads", maxUploads)
	require.ErrorIs(t, <-begin(), ErrUploadBusy)
	for _, sender := range hanging {
		_ = sender.CloseWithError(io.ErrUnexpectedEOF)
	}
	uploads.Wait()
	require.True(t, h.uploads.TryAcquire(maxUploads), "every slot is free again")
}

// One picture is decoded at a time and a bounded number waits. A picture whose client has disconnected does not wait.
func TestAvatar_OneIsDecodedAtATime(t *testing.T) {
	t.Parallel()
	h := New(Config{})
	require.NoError(t, h.decoding.Acquire(t.Context(), 1))
	file := func() io.ReadSeeker { return bytes.NewReader(picture(t, 4, 4, asPNG)) }
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, maxQueue+1)
	for range maxQueue + 1 {
		go func() {
			_, err := h.convert(ctx, file())
			ended <- err
		}()
	}
	require.ErrorIs(t, <-ended, ErrUploadBusy, "the first that ends is the one that finds the queue full")
	leave()
	for range maxQueue {
		require.ErrorIs(t, <-ended, context.Canceled)
	}
	h.decoding.Release(1)
	_, err := h.convert(t.Context(), file())
	require.NoError(t, err)
}

// A photo is rotated and mirrored as its EXIF orientation says. An orientation outside 1 to 8 is ignored.
func TestAvatar_IsUpright(t *testing.T) {
	t.Parallel()
	corners := func(picture []byte) (colors [4]string) {
		img, _, err := image.Decode(bytes.NewReader(picture))
		require.NoError(t, err)
		last := img.Bounds().Dx() - 3
		for i, at := range []image.Point{{2, 2}, {last, 2}, {2, last}, {last, last}} {
			r, g, b, _ := img.At(at.X, at.Y).RGBA()
			colors[i] = fmt.Sprint(r>>15, g>>15, b>>15)
		}
		return colors
	}
	const red, green, blue, white = "1 0 0", "0 1 0", "0 0 1", "1 1 1"
	// The corners of a stored picture, from left to right and from top to bottom.
	stored := [4]color.NRGBA{{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}}
	for orientation, want := range map[int][4]string{
		0: {red, green, blue, white}, 1: {red, green, blue, white}, 2: {green, red, white, blue},
		3: {white, blue, green, red}, 4: {blue, white, red, green}, 5: {red, blue, green, white},
		6: {blue, red, white, green}, 7: {white, green, blue, red}, 8: {green, white, red, blue},
		9: {red, green, blue, white},
	} {
		for _, side := range []int{120, 600} { // the first is stored in its size, the second is scaled
			img := image.NewNRGBA(image.Rect(0, 0, side, side))
			for y := range side {
				for x := range side {
					img.SetNRGBA(x, y, stored[2*y/side*2+2*x/side])
				}
			}
			var b bytes.Buffer
			require.NoError(t, jpeg.Encode(&b, img, nil))
			exif := tiff(uint16(orientation))
			jpegExif := slices.Concat([]byte{0xff, 0xe1, 0, byte(2 + 6 + len(exif))}, []byte("Exif\x00\x00"), exif)
			photo, err := squareJPEG(slices.Concat(b.Bytes()[:2], jpegExif, b.Bytes()[2:]))
			require.NoError(t, err)
			require.Equal(t, want, corners(photo), "JPEG of %d pixels, orientation %d", side, orientation)

			b.Reset()
			require.NoError(t, png.Encode(&b, img))
			const afterHeader = 8 + 25
			pngExif := chunk("eXIf", exif)
			photo, err = squareJPEG(slices.Concat(b.Bytes()[:afterHeader], pngExif, b.Bytes()[afterHeader:]))
			require.NoError(t, err)
			require.Equal(t, want, corners(photo), "PNG of %d pixels, orientation %d", side, orientation)
		}
	}
}

// tiff is an EXIF block with an orientation.
func tiff(orientation uint16) []byte {
	b := []byte("MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	return append(binary.BigEndian.AppendUint16(b, orientation), 0, 0, 0, 0, 0, 0)
}

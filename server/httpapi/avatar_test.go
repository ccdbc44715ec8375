package httpapi

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
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pictures is what the accounts keep of avatars.
type pictures struct {
	shown string
	idle  map[string]bool
	fails error // of the next SetAvatar
}

func (a *fakeAccounts) PlanAvatar(_ context.Context, url string) error {
	a.idle = map[string]bool{url: true}
	return nil
}

func (a *fakeAccounts) SetAvatar(_ context.Context, _ int64, url string) (before string, err error) {
	if a.fails != nil {
		return "", a.fails
	}
	before, a.shown = a.shown, url
	delete(a.idle, url)
	a.idle[before] = before != ""
	return before, nil
}

func (a *fakeAccounts) ForgetAvatar(_ context.Context, url string) error {
	delete(a.idle, url)
	return nil
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

func (r *rig) upload(t *testing.T, token, channel string, img []byte) answer {
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
	req := r.request(t, http.MethodPost, "/Member/uploadimg", body.String())
	req.Header.Set("Content-Type", w.FormDataContentType())
	return r.do(t, req)
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
			r := newRig(t, nil)
			a := r.upload(t, goodToken, testChannel.No, img)
			require.EqualValues(t, 200, a.Code, a.Body)
			var got struct{ Img string }
			require.NoError(t, json.Unmarshal(a.Data, &got))
			require.Regexp(t, `^/avatars/[0-9a-f]{32}\.jpg$`, got.Img)
			served := r.get(t, got.Img)
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
		"no session":         {"an-old-token", testChannel.No, good, "login_required"},
		"no channel":         {goodToken, "", good, "channel_unknown"},
		"no picture":         {goodToken, testChannel.No, nil, "image_invalid"},
		"text":               {goodToken, testChannel.No, []byte("hello"), "image_invalid"},
		"svg":                {goodToken, testChannel.No, []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "image_invalid"},
		"half a picture":     {goodToken, testChannel.No, good[:len(good)/2], "image_invalid"},
		"40,000 pixels wide": {goodToken, testChannel.No, bomb(t, 40_000, 10), "image_too_large"},
		"100 million pixels": {goodToken, testChannel.No, bomb(t, 10_000, 10_000), "image_too_large"},
		"more than fits":     {goodToken, testChannel.No, bomb(t, 1<<31-1, 1<<31-1), "image_invalid"},
		"7 MB":               {goodToken, testChannel.No, make([]byte, 7<<20), "body_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			r := newRig(t, func(cfg *Config) { cfg.AvatarDir = dir })
			a := r.upload(t, c.token, c.channel, c.img)
			require.Equal(t, http.StatusOK, a.Status)
			require.Equal(t, c.want, a.Error, a.Body)
			kept, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, kept)
		})
	}
	r := newRig(t, nil)
	require.Equal(t, "unsupported_media_type", r.form(t, "/Member/uploadimg", nil).Error)
}

func TestAvatar_TheOldOneGoes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := newRig(t, func(c *Config) { c.AvatarDir = dir })
	other := strings.Repeat("b", 32) + ".jpg"
	require.NoError(t, os.WriteFile(filepath.Join(dir, other), []byte("another buyer's"), 0o600))
	files := func() (names []string) {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, e := range entries {
			names = append(names, "/avatars/"+e.Name())
		}
		return names
	}
	for range 3 {
		require.EqualValues(t, 200, r.upload(t, goodToken, testChannel.No, picture(t, 4, 4, asPNG)).Code)
		require.ElementsMatch(t, []string{r.accounts.shown, "/avatars/" + other}, files())
	}
	r.accounts.fails = errors.New("the database is gone")
	require.Equal(t, http.StatusInternalServerError, r.upload(t, goodToken, testChannel.No, picture(t, 4, 4, asPNG)).Status)
	require.Len(t, files(), 3)
	for url := range r.accounts.idle {
		require.Contains(t, files(), url, "a file that nobody shows is known to be idle")
	}
}

// A small progressive JPEG can ask for a pass over the whole picture with every few bytes.
func TestAvatar_ScansAreCountedBeforeDecoding(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	for scans, want := range map[int]any{10: nil, 64: nil, 65: "image_too_large", 1000: "image_too_large"} {
		a := r.upload(t, goodToken, testChannel.No, progressive(64, 64, scans))
		require.Equal(t, want, a.Error, "%d scans: %s", scans, a.Body)
	}
	costly := progressive(800, 800, 1000)
	began := time.Now()
	_, _, err := image.Decode(bytes.NewReader(costly))
	require.NoError(t, err)
	decoding := time.Since(began)
	began = time.Now()
	require.Equal(t, "image_too_large", r.upload(t, goodToken, testChannel.No, costly).Error)
	require.Less(t, time.Since(began), decoding, "it was decoded first")
	require.Equal(t, "image_too_large", r.upload(t, goodToken, testChannel.No, progressive(4800, 4800, 64)).Error, "pixels times scans")
}

func TestJPEGScans_MetadataIsPassedOver(t *testing.T) {
	t.Parallel()
	plain := picture(t, 40, 40, asJPEG)
	require.Equal(t, 1, jpegScans(plain))
	inner := progressive(8, 8, 900) // a thumbnail, say
	exif := append([]byte{0xff, 0xe1, byte((len(inner) + 2) >> 8), byte(len(inner) + 2)}, inner...)
	require.Equal(t, 1, jpegScans(slices.Concat(plain[:2], exif, plain[2:])))
	require.Equal(t, 1, jpegScans(append(bytes.Clone(plain), inner...)), "what stands behind the picture is not drawn")
	for n := range plain {
		jpegScans(plain[:n]) // a torn file
	}
}

// progressive is a grey JPEG of so many scans: the first says that every block is even, the others refine it.
func progressive(w, h, scans int) []byte {
	b := []byte{0xff, 0xd8, 0xff, 0xdb, 0, 67, 0}
	for range 64 {
		b = append(b, 1)
	}
	b = append(b, 0xff, 0xc2, 0, 11, 8, byte(h>>8), byte(h), byte(w>>8), byte(w), 1, 1, 0x11, 0)
	lengths := make([]byte, 16)
	lengths[0] = 1 // one code, of one bit
	b = append(b, 0xff, 0xc4, 0, 20, 0x00)
	b = append(append(b, lengths...), 0) // DC: no difference
	b = append(b, 0xff, 0xc4, 0, 20, 0x10)
	b = append(append(b, lengths...), 0) // AC: the block is over
	blocks := ((w + 7) / 8) * ((h + 7) / 8)
	for n := range scans {
		spectrum := []byte{1, 5, 0x00}
		if n == 0 {
			spectrum = []byte{0, 0, 0x00}
		}
		b = append(append(b, 0xff, 0xda, 0, 8, 1, 1, 0x00), spectrum...)
		b = append(b, make([]byte, (blocks+7)/8)...)
	}
	return append(b, 0xff, 0xd9)
}

func TestAvatar_OnlyPicturesAreServed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(dir+"/secret.txt", []byte("x"), 0o600))
	r := newRig(t, func(c *Config) { c.AvatarDir = dir })
	for _, name := range []string{"secret.txt", "..%2fshop.db", "%2e%2e", strings.Repeat("a", 32) + ".jpg"} {
		missing := r.get(t, "/avatars/"+name)
		require.Equal(t, http.StatusNotFound, missing.Status, name)
		require.Equal(t, "path_unknown", missing.Error, name)
	}
	require.Contains(t, r.get(t, "/avatars/default.svg").Body, "<svg")
}

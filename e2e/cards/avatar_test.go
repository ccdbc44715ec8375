package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/pages"
)

// picture is a PNG of a size, with more than one color.
func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			img.Set(x, y, color.RGBA{uint8(x), uint8(y), 120, 255})
		}
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	return b.Bytes()
}

// photo is a JPEG of 50 megapixels whose left side is dark. Its EXIF orientation means that the camera was turned
// to the right, so that the left side is at the top when it is shown.
func photo(t *testing.T) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 8660, 5774))
	for y := range 5774 {
		row := img.Pix[y*img.Stride:][:8660]
		for x := 4330; x < 8660; x++ {
			row[x] = 0xff
		}
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, img, nil))
	exif := "\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01" +
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	return slices.Concat(b.Bytes()[:2], []byte(exif), b.Bytes()[2:])
}

func TestAvatar(t *testing.T) {
	t.Parallel()
	pages.BothBrowsers(t, func(t *testing.T, open pages.Opener) {
		s := pages.NewStack(t)
		buyer := s.NewBuyer()
		visit := open(s, buyer)
		before := buyer.Avatar()
		visit.Open("/personCenter")
		me := visit.Me()
		for _, row := range []struct {
			name, mime string
			content    []byte
			toast      string
		}{
			{"me.gif", "image/gif", []byte("GIF89a"), "请上传 JPG 或 PNG 格式的图片"},
			{"big.png", "image/png", make([]byte, 5<<20+1), "图片过大，请换一张"}, // the page itself rejects these two
			{"text.png", "image/png", []byte("no picture at all"), "请上传 JPG 或 PNG 格式的图片"},
		} {
			me.ChooseAvatar(row.name, row.mime, row.content)
			visit.SeesToast(row.toast)
			require.Equal(t, before, buyer.Avatar(), row.name)
		}
		me.ChooseAvatar("photo", "", photo(t)) // also without a type, and wider than the shop accepts
		visit.SeesToast("修改头像成功")
		require.NotEqual(t, before, buyer.Avatar())
		me.ShowsAvatar(buyer.Avatar())
		stored, err := jpeg.Decode(bytes.NewReader(buyer.Picture()))
		require.NoError(t, err)
		top, _, _, _ := stored.At(240, 40).RGBA()
		bottom, _, _, _ := stored.At(240, 440).RGBA()
		require.Less(t, top>>8, bottom>>8, "the photo is upright")
		before = buyer.Avatar()
		me.ChooseAvatar("me.png", "image/png", picture(t, 640, 640))
		visit.SeesToast("修改头像成功")
		require.NotEqual(t, before, buyer.Avatar())
		me.ShowsAvatar(buyer.Avatar())
	})
}

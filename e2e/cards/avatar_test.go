package cards

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/pages"
)

// picture is a PNG of a size, not of one colour alone.
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
			says       string
		}{
			{"me.gif", "image/gif", []byte("GIF89a"), "请上传 JPG 或 PNG 格式的图片"},
			{"big.png", "image/png", make([]byte, 5<<20+1), "图片过大，请换一张"}, // these two the page itself refuses
			{"text.png", "image/png", []byte("no picture at all"), "请上传 JPG 或 PNG 格式的图片"},
			{"wide.png", "image/png", picture(t, 10_001, 1), "图片过大，请换一张"},
		} {
			me.ChooseAvatar(row.name, row.mime, row.content)
			visit.SeesToast(row.says)
			require.Equal(t, before, buyer.Avatar(), row.name)
		}
		me.ChooseAvatar("me.png", "image/png", picture(t, 640, 640))
		visit.SeesToast("修改头像成功")
		require.NotEqual(t, before, buyer.Avatar())
		me.ShowsAvatar(buyer.Avatar())
	})
}

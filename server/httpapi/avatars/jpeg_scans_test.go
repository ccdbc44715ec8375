package avatars

import (
	"bytes"
	"image"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A small progressive JPEG can ask for a pass over the whole picture with every few bytes.
func TestAvatar_ScansAreCountedBeforeDecoding(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for scans, want := range map[int]any{10: nil, 64: nil, 65: "image_too_large", 1000: "image_too_large"} {
		a := s.upload(t, goodToken, channelNo, progressive(64, 64, scans))
		require.Equal(t, want, a.Error, "%d scans: %s", scans, a.Body)
	}
	costly := progressive(800, 800, 1000)
	began := time.Now()
	_, _, err := image.Decode(bytes.NewReader(costly))
	require.NoError(t, err)
	decoding := time.Since(began)
	began = time.Now()
	require.Equal(t, "image_too_large", s.upload(t, goodToken, channelNo, costly).Error)
	require.Less(t, time.Since(began), decoding, "it was decoded first")
	large := s.upload(t, goodToken, channelNo, progressive(4800, 4800, 64))
	require.Equal(t, "image_too_large", large.Error, "pixels times scans")
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

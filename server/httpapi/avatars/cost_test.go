package avatars

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Each scan of a progressive JPEG takes few bytes and makes the decoder pass over the entire picture. A picture with
// too many scans is rejected before it is decoded.
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

func TestJPEGHeader_MetadataIsPassedOver(t *testing.T) {
	t.Parallel()
	plain := picture(t, 40, 40, asJPEG)
	require.Equal(t, 1, readJPEGHeader(plain).scans)
	inner := progressive(8, 8, 900) // such as a thumbnail
	exif := append([]byte{0xff, 0xe1, byte((len(inner) + 2) >> 8), byte(len(inner) + 2)}, inner...)
	require.Equal(t, 1, readJPEGHeader(slices.Concat(plain[:2], exif, plain[2:])).scans)
	withRest := append(bytes.Clone(plain), inner...)
	require.Equal(t, 1, readJPEGHeader(withRest).scans, "scans after the end of the picture do not count")
	for n := range plain {
		readJPEGHeader(plain[:n]) // a truncated file
	}
}

// The memory that a picture takes is bounded, whatever its pixels cost.
func TestAvatar_MemoryIsBounded(t *testing.T) { // not parallel: it counts what the process allocates
	const others = 16 << 20 // the scaler, the tables of a decoder and the result
	// The counter is that of the process. Other goroutines may allocate in some of the rounds, so the smallest result
	// counts.
	allocated := func(picture []byte) (taken int, err error) {
		taken = math.MaxInt
		for range 3 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = squareJPEG(picture)
			runtime.ReadMemStats(&after)
			taken = min(taken, int(after.TotalAlloc-before.TotalAlloc))
		}
		return taken, err
	}
	for name, c := range map[string]struct {
		perPixel int // bytes
		draw     func(side int) []byte
	}{
		"8 bits, transparent":  {4, func(side int) []byte { return blackPNG(side, 8, 6, 0) }},
		"16 bits":              {8, func(side int) []byte { return blackPNG(side, 16, 6, 0) }},
		"16 bits, interlaced":  {16, func(side int) []byte { return blackPNG(side, 16, 6, 1) }},
		"baseline":             {3, func(side int) []byte { return evenJPEG(side, side, 3, false, 1) }},
		"progressive":          {15, func(side int) []byte { return evenJPEG(side, side, 3, true, 1) }},
		"progressive gray":     {5, func(side int) []byte { return evenJPEG(side, side, 1, true, 1) }},
		"progressive with ink": {24, func(side int) []byte { return evenJPEG(side, side, 4, true, 1) }},
	} {
		t.Run(name, func(t *testing.T) {
			fits := int(math.Sqrt(float64(maxMemory/c.perPixel))) &^ 15
			taken, err := allocated(c.draw(fits))
			require.NoError(t, err, "%d pixels square", fits)
			require.Less(t, taken, maxMemory+others, "%d pixels square", fits)
			taken, err = allocated(c.draw(fits + 32))
			require.ErrorIs(t, err, ErrImageTooLarge)
			require.Less(t, taken, 1<<20)
			taken, err = allocated(c.draw(5016))
			require.ErrorIs(t, err, ErrImageTooLarge)
			require.Less(t, taken, 1<<20)
		})
	}
}

// The largest photo that phones write by default passes: 24 million pixels, baseline, with the colors at half the
// resolution.
func TestAvatar_APhotoOfAPhoneFits(t *testing.T) {
	t.Parallel()
	var photo bytes.Buffer
	require.NoError(t, asJPEG(&photo, image.NewYCbCr(image.Rect(0, 0, 5712, 4284), image.YCbCrSubsampleRatio420)))
	_, err := squareJPEG(photo.Bytes())
	require.NoError(t, err)
}

// blackPNG is a square PNG of zeros.
func blackPNG(side, depth, colorType, interlace int) []byte {
	samples := map[int]int{0: 1, 3: 1, 6: 4}[colorType]
	var pixels bytes.Buffer
	z := zlib.NewWriter(&pixels)
	passes := [][4]int{{0, 0, 1, 1}}
	if interlace != 0 {
		passes = [][4]int{
			{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
		}
	}
	for _, p := range passes {
		wide, high := (side-p[0]+p[2]-1)/p[2], (side-p[1]+p[3]-1)/p[3]
		row := make([]byte, 1+wide*samples*depth/8)
		for range high {
			_, _ = z.Write(row)
		}
	}
	_ = z.Close()
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(side)), uint32(side))
	header = append(header, byte(depth), byte(colorType), 0, 0, byte(interlace))
	return slices.Concat([]byte("\x89PNG\r\n\x1a\n"),
		chunk("IHDR", header), chunk("IDAT", pixels.Bytes()), chunk("IEND", nil))
}

func chunk(name string, content []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(content)))
	b = append(append(b, name...), content...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// progressive is a gray JPEG with a number of scans.
func progressive(w, h, scans int) []byte { return evenJPEG(w, h, 1, true, scans) }

// evenJPEG is a JPEG with a number of components and scans. The first scan gives every block one even color, and the
// others refine it.
func evenJPEG(w, h, components int, progressive bool, scans int) []byte {
	b := []byte{0xff, 0xd8}
	if components == 4 {
		b = append(b, 0xff, 0xee, 0, 14)
		b = append(b, "Adobe\x00\x64\x00\x00\x00\x00\x00"...)
	}
	b = append(b, 0xff, 0xdb, 0, 67, 0)
	for range 64 {
		b = append(b, 1)
	}
	frame := byte(0xc0)
	if progressive {
		frame = 0xc2
	}
	b = append(b, 0xff, frame, 0, byte(8+3*components), 8, byte(h>>8), byte(h), byte(w>>8), byte(w), byte(components))
	for c := range components {
		b = append(b, byte(c+1), 0x11, 0)
	}
	lengths := make([]byte, 16)
	lengths[0] = 1 // one code, of one bit
	b = append(b, 0xff, 0xc4, 0, 20, 0x00)
	b = append(append(b, lengths...), 0) // DC: no difference
	b = append(b, 0xff, 0xc4, 0, 20, 0x10)
	b = append(append(b, lengths...), 0) // AC: end of block
	blocks := ((w + 7) / 8) * ((h + 7) / 8)
	for n := range scans {
		if n > 0 {
			b = append(b, 0xff, 0xda, 0, 8, 1, 1, 0x00, 1, 5, 0x00)
			b = append(b, make([]byte, (blocks+7)/8)...)
			continue
		}
		b = append(b, 0xff, 0xda, 0, byte(6+2*components), byte(components))
		for c := range components {
			b = append(b, byte(c+1), 0x00)
		}
		bits := blocks * components
		if progressive {
			b = append(b, 0, 0, 0)
		} else {
			b = append(b, 0, 63, 0)
			bits *= 2
		}
		b = append(b, make([]byte, (bits+7)/8)...)
	}
	return append(b, 0xff, 0xd9)
}

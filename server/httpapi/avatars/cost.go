package avatars

import (
	"encoding/binary"
	"image"
	"image/color"
)

// The cost of a picture is computed from its header, before anything is decoded: a file of 200 KB can demand 650 MB.
// Neither image/jpeg, image/png nor golang.org/x/image can limit it.
const (
	// maxMemory is how many bytes a decoder may allocate for a picture. A photo of 24 million pixels, as phones write
	// it (baseline JPEG, 4:2:0), takes 36 MB.
	maxMemory = 64 << 20
	maxPixels = 24 << 20 // bounds the time of pictures that have one byte for each pixel
	maxSide   = 10_000   // pixels
	// Each scan of a progressive JPEG makes the decoder pass over the entire picture, and costs the sender only a few
	// bytes. Cameras and editors write about ten scans.
	maxScans = 64
	maxWork  = 400 << 20 // pixels times scans
)

// affordable reports whether a picture can be decoded with bounded memory and work.
func affordable(picture []byte, head image.Config, format string) bool {
	if head.Width > maxSide || head.Height > maxSide || head.Width*head.Height > maxPixels {
		return false
	}
	pixels := head.Width * head.Height
	if format == "png" {
		return pngMemory(picture, pixels) <= maxMemory
	}
	h := readJPEGHeader(picture)
	return h.memory(head) <= maxMemory && h.scans <= maxScans && h.scans*pixels <= maxWork
}

// pngMemory returns how many bytes image/png allocates, at most, for a picture whose header it has accepted. IHDR is
// always the first chunk (ISO/IEC 15948, 11.2.2).
func pngMemory(picture []byte, pixels int) int {
	const depth, colorType, interlace = 24, 25, 28
	const palette = 3
	perPixel := 4 // even for gray: a later chunk can add transparency, which makes it four bytes
	switch {
	case picture[depth] == 16:
		perPixel = 8
	case picture[colorType] == palette:
		perPixel = 1
	}
	if picture[interlace] != 0 {
		perPixel *= 2 // each pass is decoded to a picture, which is then copied into the result
	}
	return pixels * perPixel
}

// jpegHeader is what the costs of a JPEG depend on.
type jpegHeader struct {
	scans       int
	progressive bool
	components  []sampling
}

// sampling is the horizontal and the vertical sampling factor of a component.
type sampling struct{ h, v int }

// memory returns how many bytes image/jpeg allocates for a picture. A progressive one also needs its coefficients, each
// of which has four bytes. Pictures in CMYK and RGB are decoded as YCbCr and then converted.
func (j jpegHeader) memory(head image.Config) int {
	const block = 8 // pixels of a side
	if len(j.components) == 0 {
		return maxMemory + 1
	}
	first := j.components[0]
	if len(j.components) == 1 {
		first = sampling{1, 1} // image/jpeg ignores the factors of a single component
	}
	units := ceil(head.Width, block*first.h) * ceil(head.Height, block*first.v)
	samples := 0
	for _, c := range j.components {
		samples += units * c.h * c.v * block * block
	}
	if len(j.components) == 1 {
		samples = units * block * block
	}
	memory := samples
	if j.progressive {
		memory += 4 * samples
	}
	if head.ColorModel == color.CMYKModel || head.ColorModel == color.RGBAModel {
		memory += 4 * head.Width * head.Height
	}
	return memory
}

func ceil(a, b int) int { return (a + b - 1) / b }

// readJPEGHeader counts the scans (SOS markers) up to the end of the picture, and reads its frame (SOF). It walks over
// the markers as image/jpeg does: a segment, which may hold a thumbnail with scans in it, is skipped by its length (ITU
// T.81, B.1.1).
func readJPEGHeader(b []byte) (j jpegHeader) {
	const (
		sof0, sof1, sof2 = 0xc0, 0xc1, 0xc2 // image/jpeg rejects the other frames
		rst0, rst7       = 0xd0, 0xd7
		soi, eoi         = 0xd8, 0xd9
		sos              = 0xda
	)
	for i := 0; i+1 < len(b); {
		if b[i] != 0xff {
			i++
			continue
		}
		switch m := b[i+1]; {
		case m == 0xff:
			i++ // a fill byte
		case m == 0x00, m == soi, m >= rst0 && m <= rst7:
			i += 2 // a stuffed byte, a start or a restart: these have no segment
		case m == eoi:
			return j
		default:
			if i+3 >= len(b) {
				return j
			}
			end := i + 2 + max(2, int(binary.BigEndian.Uint16(b[i+2:])))
			switch m {
			case sos:
				j.scans++
			case sof0, sof1, sof2:
				if j.components == nil { // image/jpeg rejects a second frame
					j.progressive = m == sof2
					j.components = readSampling(b[i+4 : max(i+4, min(end, len(b)))])
				}
			}
			i = end
		}
	}
	return j
}

// readSampling reads the components of a frame (ITU T.81, B.2.2). It returns none for a truncated frame.
func readSampling(frame []byte) (list []sampling) {
	const fixed, each = 6, 3
	for i := fixed; i+each <= len(frame); i += each {
		factors := frame[i+1]
		list = append(list, sampling{max(1, int(factors>>4)), max(1, int(factors&0xf))})
	}
	return list
}

package avatars

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	_ "image/png" // uploads may be PNG

	"golang.org/x/image/draw"
)

const (
	maxPixels   = 24 << 20 // checked before decoding: a small file can hold a huge picture
	maxSide     = 10_000   // pixels
	avatarSide  = 480      // pixels
	jpegQuality = 88
)

// squareJPEG returns the middle square of a JPEG or PNG as a JPEG of at most 480 by 480 pixels; transparent pixels
// become white. It returns ErrImageInvalid or ErrImageTooLarge. The size, and for a JPEG the work, is checked before
// anything is decoded.
func squareJPEG(picture []byte) ([]byte, error) {
	head, format, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil || (format != "jpeg" && format != "png") || head.Width < 1 || head.Height < 1 {
		return nil, ErrImageInvalid
	}
	if head.Width > maxSide || head.Height > maxSide || head.Width*head.Height > maxPixels {
		return nil, ErrImageTooLarge
	}
	if format == "jpeg" && !affordable(picture, head.Width*head.Height) {
		return nil, ErrImageTooLarge
	}
	img, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, ErrImageInvalid
	}
	b := img.Bounds()
	side := min(b.Dx(), b.Dy())
	middle := image.Rect(0, 0, side, side).Add(b.Min).Add(image.Pt((b.Dx()-side)/2, (b.Dy()-side)/2))
	scaled := image.NewRGBA(image.Rect(0, 0, min(side, avatarSide), min(side, avatarSide)))
	draw.Draw(scaled, scaled.Bounds(), image.White, image.Point{}, draw.Src)
	draw.BiLinear.Scale(scaled, scaled.Bounds(), img, middle, draw.Over, nil)
	var out bytes.Buffer
	if err := jpeg.Encode(&out, scaled, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

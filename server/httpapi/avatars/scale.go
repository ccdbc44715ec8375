package avatars

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	_ "image/png" // uploads may be PNG

	"github.com/bep/imagemeta"
	"golang.org/x/image/draw"
)

const (
	avatarSide  = 480 // pixels
	jpegQuality = 88
	// bands is the number of horizontal bands that are scaled one after the other, to save memory: for each band, the
	// scaler allocates 32 bytes times the columns of the result times the rows of the source.
	bands = 8
)

// squareJPEG returns the middle square of a JPEG or PNG as a JPEG of at most 480 by 480 pixels, upright; transparent
// pixels become white. It returns ErrImageInvalid or ErrImageTooLarge. What the picture costs is checked before
// anything is decoded.
func squareJPEG(picture []byte) ([]byte, error) {
	head, format, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil || (format != "jpeg" && format != "png") || head.Width < 1 || head.Height < 1 {
		return nil, ErrImageInvalid
	}
	if !affordable(picture, head, format) {
		return nil, ErrImageTooLarge
	}
	img, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, ErrImageInvalid
	}
	upright := turn(middleSquare(img), orientation(picture, format))
	var out bytes.Buffer
	if err := jpeg.Encode(&out, upright, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

// middleSquare returns the middle square of a picture, scaled down to avatarSide if it is larger.
func middleSquare(img image.Image) *image.RGBA {
	b := img.Bounds()
	side := min(b.Dx(), b.Dy())
	if side > avatarSide {
		side -= side % bands
	}
	from := b.Min.Add(image.Pt((b.Dx()-side)/2, (b.Dy()-side)/2))
	square := image.NewRGBA(image.Rect(0, 0, min(side, avatarSide), min(side, avatarSide)))
	draw.Draw(square, square.Bounds(), image.White, image.Point{}, draw.Src)
	if side <= avatarSide {
		draw.Draw(square, square.Bounds(), img, from, draw.Over)
		return square
	}
	high, sourceHigh := avatarSide/bands, side/bands
	scaler := draw.BiLinear.NewScaler(avatarSide, high, side, sourceHigh)
	for i := range bands {
		band := image.Rect(0, 0, avatarSide, high).Add(image.Pt(0, i*high))
		source := image.Rect(0, 0, side, sourceHigh).Add(from).Add(image.Pt(0, i*sourceHigh))
		scaler.Scale(square, band, img, source, draw.Over, nil)
	}
	return square
}

// orientation returns how a camera was held: the EXIF tag Orientation, 1 to 8 (CIPA DC-008, 4.6.4 A). It returns 1 for
// a picture without a valid one.
func orientation(picture []byte, format string) int {
	const name = "Orientation"
	formats := map[string]imagemeta.ImageFormat{"jpeg": imagemeta.JPEG, "png": imagemeta.PNG}
	found := 1
	// An error means that the metadata is damaged: the picture is shown as it is stored, as browsers show it.
	_, _ = imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(picture), ImageFormat: formats[format], Sources: imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return tag.Namespace == "IFD0" && tag.Tag == name },
		HandleTag: func(tag imagemeta.TagInfo) error {
			n, isNumber := tag.Value.(uint16)
			if !isNumber || n < 1 || n > 8 {
				return errors.New("the orientation is not a number from 1 to 8")
			}
			found = int(n)
			return imagemeta.ErrStopWalking
		},
	})
	return found
}

// turn rotates and mirrors a square picture as the EXIF orientation requires.
func turn(img *image.RGBA, orientation int) *image.RGBA {
	last := img.Bounds().Dx() - 1
	source := map[int]func(x, y int) (int, int){
		2: func(x, y int) (int, int) { return last - x, y },
		3: func(x, y int) (int, int) { return last - x, last - y },
		4: func(x, y int) (int, int) { return x, last - y },
		5: func(x, y int) (int, int) { return y, x },
		6: func(x, y int) (int, int) { return y, last - x },
		7: func(x, y int) (int, int) { return last - y, last - x },
		8: func(x, y int) (int, int) { return last - y, x },
	}[orientation]
	if source == nil {
		return img
	}
	turned := image.NewRGBA(img.Bounds())
	for y := range last + 1 {
		for x := range last + 1 {
			turned.SetRGBA(x, y, img.RGBAAt(source(x, y)))
		}
	}
	return turned
}

package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // buyers' pictures come as PNG too
	"io"
	"mime"
	"net/http"

	"marquee/server/fault"
)

const (
	maxUpload     = 6 << 20
	maxPixels     = 24 << 20 // looked at before anything is decoded: a small file can hold a huge picture
	maxSide       = 10_000
	avatarSide    = 480
	avatarQuality = 88
)

// ErrImageInvalid refuses what is not a JPEG or PNG of a reasonable size.
var ErrImageInvalid = fault.New(fault.Invalid, "image_invalid", "请上传 JPG 或 PNG 格式的图片")

// ErrImageTooLarge refuses pictures with too many bytes or pixels.
var ErrImageTooLarge = fault.New(fault.Invalid, "image_too_large", "图片过大，请换一张")

// Avatars keeps the addresses of buyers' pictures, and of files that nobody shows until they are gone.
type Avatars interface {
	// PlanAvatar says that a file is about to be written, so that a crash leaves no file that nobody knows of.
	PlanAvatar(ctx context.Context, url string) error
	// SetAvatar also tells the address that stood there before, whose file can go; "" for none.
	SetAvatar(ctx context.Context, userID int64, url string) (before string, err error)
	// ForgetAvatar says that a file is gone.
	ForgetAvatar(ctx context.Context, url string) error
}

// uploadAvatar takes the one multipart call. The picture is decoded and drawn anew, so that nothing but pixels
// survives: no metadata, no place it was taken, no second file behind it.
func (h *handler) uploadAvatar(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), callLimit)
	defer cancel()
	data, err := h.takeAvatar(ctx, w, r)
	if err != nil {
		h.fail(w, r, mainBackend, err)
		return
	}
	writeJSON(w, http.StatusOK, mainBackend.success(data))
}

func (h *handler) takeAvatar(ctx context.Context, w http.ResponseWriter, r *http.Request) (any, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "multipart/form-data" {
		return nil, ErrMediaType
	}
	if r.ContentLength > maxUpload {
		return nil, ErrBodyTooLarge
	}
	r = r.WithContext(ctx)
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	if err := r.ParseMultipartForm(maxUpload); err != nil {
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			return nil, ErrBodyTooLarge
		}
		return nil, fmt.Errorf("%w: not multipart", ErrFormInvalid)
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }() // all of it is in memory
	if r.MultipartForm.Value["channel_no"] == nil || r.MultipartForm.Value["channel_no"][0] != h.Channel.No {
		return nil, ErrChannel
	}
	user, err := h.Accounts.Session(ctx, r.PostFormValue("token"))
	if err != nil {
		return nil, err
	}
	file, _, err := r.FormFile("img")
	if err != nil {
		return nil, ErrImageInvalid
	}
	defer file.Close()
	picture, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	drawn, err := h.redrawn(ctx, picture)
	if err != nil {
		return nil, err
	}
	url := newAvatarURL()
	if err := h.Accounts.PlanAvatar(ctx, url); err != nil {
		return nil, err
	}
	if err := h.avatars.keep(url, drawn); err != nil {
		return nil, err
	}
	before, err := h.Accounts.SetAvatar(ctx, user.ID, url)
	if err != nil {
		return nil, err // the file is swept later: whether the write has happened is not known
	}
	if err := h.dropAvatar(ctx, before); err != nil {
		h.Logger.WarnContext(ctx, "an old picture stays until it is swept", "error", err)
	}
	return struct {
		Img string `json:"img"`
	}{url}, nil
}

func (h *handler) dropAvatar(ctx context.Context, url string) error {
	if url == "" {
		return nil
	}
	if err := h.avatars.Remove(url); err != nil {
		return err
	}
	return h.Accounts.ForgetAvatar(ctx, url)
}

// redrawn is the picture as a square JPEG. Only some are decoded at a time: the largest takes about 100 MB.
func (h *handler) redrawn(ctx context.Context, picture []byte) ([]byte, error) {
	if err := h.drawing.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("wait to draw: %w", err)
	}
	defer h.drawing.Release(1)
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
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("wait to draw: %w", err) // whoever asked has gone
	}
	img, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, ErrImageInvalid
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, squared(img), &jpeg.Options{Quality: avatarQuality}); err != nil {
		return nil, fmt.Errorf("encode the picture: %w", err)
	}
	return out.Bytes(), nil
}

// squared cuts the middle out and shrinks it by averaging; transparency becomes white.
func squared(img image.Image) image.Image {
	b := img.Bounds()
	side := min(b.Dx(), b.Dy())
	x0, y0 := b.Min.X+(b.Dx()-side)/2, b.Min.Y+(b.Dy()-side)/2
	n := min(side, avatarSide)
	out := image.NewRGBA(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			out.Set(x, y, average(img, image.Rect(x0+x*side/n, y0+y*side/n, x0+(x+1)*side/n, y0+(y+1)*side/n)))
		}
	}
	return out
}

func average(img image.Image, area image.Rectangle) color.Color {
	var r, g, b, n uint64
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			cr, cg, cb, ca := img.At(x, y).RGBA() // already multiplied by alpha
			white := uint64(0xffff - ca)
			r, g, b, n = r+uint64(cr)+white, g+uint64(cg)+white, b+uint64(cb)+white, n+1
		}
	}
	return color.RGBA{uint8(r / n >> 8), uint8(g / n >> 8), uint8(b / n >> 8), 0xff} // #nosec G115 -- averages of 16 bits
}

package httpapi

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // buyers' pictures come as PNG too
	"io"
	"mime"
	"net/http"
	"os"
	"regexp"

	"github.com/go-chi/chi/v5"

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

// Avatars keeps the address of a buyer's picture.
type Avatars interface {
	SetAvatar(ctx context.Context, userID int64, url string) error
}

//go:embed default-avatar.svg
var defaultAvatar []byte

// uploadAvatar takes the one multipart call. The picture is decoded and drawn anew, so that nothing but pixels
// survives: no metadata, no place it was taken, no second file behind it.
func (h *handler) uploadAvatar(w http.ResponseWriter, r *http.Request) {
	data, err := h.takeAvatar(w, r)
	if err != nil {
		h.fail(w, r, mainBackend, err)
		return
	}
	writeJSON(w, http.StatusOK, mainBackend.success(data))
}

func (h *handler) takeAvatar(w http.ResponseWriter, r *http.Request) (any, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "multipart/form-data" {
		return nil, ErrMediaType
	}
	if r.ContentLength > maxUpload {
		return nil, ErrBodyTooLarge
	}
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
	user, err := h.Accounts.Session(r.Context(), r.PostFormValue("token"))
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
	drawn, err := h.redrawn(r.Context(), picture)
	if err != nil {
		return nil, err
	}
	url, err := h.keepAvatar(drawn)
	if err != nil {
		return nil, err
	}
	return struct {
		Img string `json:"img"`
	}{url}, h.Accounts.SetAvatar(r.Context(), user.ID, url)
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

func (h *handler) keepAvatar(picture []byte) (url string, err error) {
	if err := os.MkdirAll(h.AvatarDir, 0o750); err != nil {
		return "", fmt.Errorf("make the avatar folder: %w", err)
	}
	root, err := os.OpenRoot(h.AvatarDir)
	if err != nil {
		return "", fmt.Errorf("open the avatar folder: %w", err)
	}
	defer root.Close()
	var random [16]byte
	_, _ = rand.Read(random[:]) // crypto/rand.Read never fails: it ends the program instead
	name := hex.EncodeToString(random[:]) + ".jpg"
	if err := root.WriteFile(name, picture, 0o640); err != nil {
		return "", fmt.Errorf("keep the avatar: %w", err)
	}
	return "/avatars/" + name, nil
}

var avatarName = regexp.MustCompile(`^[0-9a-f]{32}\.jpg$`)

func (h *handler) serveAvatar(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "name")
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if name == "default.svg" {
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write(defaultAvatar) // the reader may be gone
		return
	}
	root, err := os.OpenRoot(h.AvatarDir)
	if err != nil || !avatarName.MatchString(name) {
		w.Header().Del("Cache-Control")
		http.NotFound(w, r)
		return
	}
	defer root.Close()
	picture, err := root.ReadFile(name)
	if err != nil {
		w.Header().Del("Cache-Control")
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	_, _ = w.Write(picture) // the reader may be gone
}

// Package avatars takes the pictures that buyers upload, scales them, stores them and serves them.
package avatars

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/semaphore"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

const maxUpload = 6 << 20 // bytes of the whole multipart body

// DefaultURL is the address of the picture that stands for a missing upload.
const DefaultURL = urlPrefix + defaultName

const defaultName = "default.svg"

//go:embed default.svg
var defaultPicture []byte

// cacheForever fits the pictures: a name never gets other content.
const cacheForever = "public, max-age=31536000, immutable"

// Errors of an upload, besides those of reading a form.
var (
	ErrImageInvalid  = fault.New(fault.Invalid, "image_invalid", "请上传 JPG 或 PNG 格式的图片")
	ErrImageTooLarge = fault.New(fault.Invalid, "image_too_large", "图片过大，请换一张")
)

// Sessions finds the buyer of a token.
type Sessions interface {
	// Session returns account.ErrLoginRequired unless the token belongs to a live session.
	Session(ctx context.Context, token string) (account.User, error)
}

// Pictures keeps the picture of each buyer where every replica finds it.
type Pictures interface {
	// SetAvatar stores a picture under a new address, makes it the buyer's, and deletes the one that it replaces.
	SetAvatar(ctx context.Context, userID int64, url string, picture []byte) error
	// Avatar returns the picture of an address, and false if there is none.
	Avatar(ctx context.Context, url string) (picture []byte, found bool, err error)
}

// Config has no optional fields.
type Config struct {
	Sessions  Sessions
	Pictures  Pictures
	ChannelNo string
	NotFound  http.HandlerFunc // answers for a picture that does not exist
}

// Handler serves the upload and the pictures.
type Handler struct {
	sessions  Sessions
	pictures  Pictures
	channelNo string
	notFound  http.HandlerFunc
	decoding  *semaphore.Weighted
}

// decodings is how many pictures are decoded at a time. The largest PNG was measured to allocate 170 MB: 96 MB of
// pixels, and the rest for the scaler.
const decodings = 2

// New returns a handler.
func New(c Config) *Handler {
	return &Handler{
		sessions: c.Sessions, pictures: c.Pictures, channelNo: c.ChannelNo, notFound: c.NotFound,
		decoding: semaphore.NewWeighted(decodings),
	}
}

// Upload answers POST /Member/uploadimg, the only multipart call: fields token, channel_no and the file img. The
// answer's data is {img}, the new address. The stored picture holds new pixels only: no metadata, no location, no data
// behind the picture. Errors: wire.ErrMediaType, wire.ErrBodyTooLarge, wire.ErrFormInvalid, wire.ErrChannel,
// account.ErrLoginRequired, ErrImageInvalid, ErrImageTooLarge.
func (h *Handler) Upload(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), wire.CallTimeout)
	defer cancel()
	url, err := h.upload(w, r.WithContext(ctx))
	if err != nil {
		wire.Fail(w, r, err)
		return
	}
	wire.WriteJSON(w, http.StatusOK, wire.Main.Success(struct {
		Img string `json:"img"`
	}{url}))
}

func (h *Handler) upload(w http.ResponseWriter, r *http.Request) (url string, err error) {
	ctx := r.Context()
	upload, err := h.readUpload(w, r)
	if err != nil {
		return "", err
	}
	picture, err := h.convert(ctx, upload.picture)
	if err != nil {
		return "", err
	}
	url = newURL()
	return url, h.pictures.SetAvatar(ctx, upload.user.ID, url, picture)
}

type upload struct {
	user    account.User
	picture []byte
}

func (h *Handler) readUpload(w http.ResponseWriter, r *http.Request) (upload, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "multipart/form-data" {
		return upload{}, wire.ErrMediaType
	}
	if r.ContentLength > maxUpload {
		return upload{}, wire.ErrBodyTooLarge
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	if err := r.ParseMultipartForm(maxUpload); err != nil {
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			return upload{}, wire.ErrBodyTooLarge
		}
		return upload{}, fmt.Errorf("%w: not multipart", wire.ErrFormInvalid)
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }() // never fails: all of it is in memory
	if no := r.MultipartForm.Value["channel_no"]; len(no) == 0 || no[0] != h.channelNo {
		return upload{}, wire.ErrChannel
	}
	user, err := h.sessions.Session(r.Context(), r.PostFormValue("token"))
	if err != nil {
		return upload{}, err
	}
	file, _, err := r.FormFile("img")
	if err != nil {
		return upload{}, ErrImageInvalid
	}
	defer file.Close()
	picture, err := io.ReadAll(file)
	if err != nil {
		return upload{}, fmt.Errorf("read the picture: %w", err)
	}
	return upload{user, picture}, nil
}

// convert decodes, crops and scales a picture while at most one other is being converted.
func (h *Handler) convert(ctx context.Context, picture []byte) ([]byte, error) {
	if err := h.decoding.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("wait to decode the picture: %w", err)
	}
	defer h.decoding.Release(1)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("wait to decode the picture: %w", err) // the client has disconnected meanwhile
	}
	return squareJPEG(picture)
}

// Serve answers GET /avatars/{name}.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "name")
	if name == defaultName {
		writePicture(w, "image/svg+xml", defaultPicture)
		return
	}
	if !pictureName.MatchString(name) {
		h.notFound(w, r)
		return
	}
	picture, found, err := h.pictures.Avatar(r.Context(), urlPrefix+name)
	switch {
	case err != nil:
		wire.Fail(w, r, err)
	case !found:
		h.notFound(w, r)
	default:
		writePicture(w, "image/jpeg", picture)
	}
}

const urlPrefix = "/avatars/"

var pictureName = regexp.MustCompile(`^[0-9a-f]{32}\.jpg$`)

// newURL returns a new address, which cannot be guessed.
func newURL() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // crypto/rand.Read never returns an error: it ends the program instead
	return urlPrefix + hex.EncodeToString(random[:]) + ".jpg"
}

func writePicture(w http.ResponseWriter, contentType string, picture []byte) {
	w.Header().Set("Cache-Control", cacheForever)
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(picture) // an error means that the client has disconnected
}

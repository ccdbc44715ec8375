// Package avatars takes the pictures that buyers upload, scales them, stores them as files and serves them.
package avatars

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"

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

// Accounts keeps the address of each buyer's picture, and a list of the files that are not shown any more or not yet,
// so that a crash between writing a file and saving its address leaves a file that the sweep removes.
type Accounts interface {
	// PlanAvatar records that a file is about to be written.
	PlanAvatar(ctx context.Context, url string) error
	// SetAvatar saves the new address and returns the previous one, "" for none, whose file may be removed.
	SetAvatar(ctx context.Context, userID int64, url string) (previous string, err error)
	// ForgetAvatar records that a file has been removed.
	ForgetAvatar(ctx context.Context, url string) error
}

// Config has no optional fields.
type Config struct {
	Sessions  Sessions
	Accounts  Accounts
	Files     Files
	ChannelNo string
	Logger    *slog.Logger
	NotFound  http.HandlerFunc // answers for a picture that does not exist
}

// Handler serves the upload and the pictures.
type Handler struct {
	sessions  Sessions
	accounts  Accounts
	files     Files
	channelNo string
	logger    *slog.Logger
	notFound  http.HandlerFunc
	decoding  *semaphore.Weighted
}

// decodings is how many pictures are decoded at a time. The largest PNG was measured to allocate 170 MB: 96 MB of
// pixels, and the rest for the scaler.
const decodings = 2

// New returns a handler.
func New(c Config) *Handler {
	return &Handler{
		sessions: c.Sessions, accounts: c.Accounts, files: c.Files, channelNo: c.ChannelNo, logger: c.Logger,
		notFound: c.NotFound, decoding: semaphore.NewWeighted(decodings),
	}
}

// Upload answers POST /Member/uploadimg, the only multipart call: fields token, channel_no and the file img. The
// answer's data is {img}, the new address. The stored file holds new pixels only: no metadata, no location, no data
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
	if err := h.accounts.PlanAvatar(ctx, url); err != nil {
		return "", err
	}
	if err := h.files.write(url, picture); err != nil {
		return "", err
	}
	previous, err := h.accounts.SetAvatar(ctx, upload.user.ID, url)
	if err != nil {
		return "", err // it is unknown whether the address was saved: the sweep removes the file if it was not
	}
	if err := h.remove(ctx, previous); err != nil {
		h.logger.WarnContext(ctx, "remove the previous avatar failed, the sweep will remove it", "error", err)
	}
	return url, nil
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

func (h *Handler) remove(ctx context.Context, url string) error {
	if url == "" {
		return nil
	}
	if err := h.files.Remove(url); err != nil {
		return err
	}
	return h.accounts.ForgetAvatar(ctx, url)
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
	picture, err := h.files.read(name)
	if err != nil {
		h.notFound(w, r)
		return
	}
	writePicture(w, "image/jpeg", picture)
}

func writePicture(w http.ResponseWriter, contentType string, picture []byte) {
	w.Header().Set("Cache-Control", cacheForever)
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(picture) // an error means that the client has disconnected
}

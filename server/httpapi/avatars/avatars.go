// Package avatars receives the pictures that buyers upload, scales them, stores them and serves them.
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
	"mime/multipart"
	"net/http"
	"os"
	"regexp"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/semaphore"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

const maxUpload = 6 << 20 // bytes of the entire multipart body

// DefaultURL is the address of the picture of buyers who have not uploaded one.
const DefaultURL = urlPrefix + defaultName

const defaultName = "default.svg"

//go:embed default.svg
var defaultPicture []byte

// The content of a name never changes, but a buyer's picture is deleted with the account or by the next upload. So
// shared caches must not keep it, and a browser keeps it for a day.
const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheOfOwner = "private, max-age=86400, immutable"
)

// Errors of an upload, in addition to those of reading a form.
var (
	ErrImageInvalid  = fault.New(fault.Invalid, "image_invalid", "请上传 JPG 或 PNG 格式的图片")
	ErrImageTooLarge = fault.New(fault.Invalid, "image_too_large", "图片过大，请换一张")
	// ErrUploadBusy means that too many pictures are being received or wait to be decoded.
	ErrUploadBusy = fault.New(fault.Limited, "upload_busy", "上传人数较多，请稍后再试").WithRetryAfter(durations.BusyRetry)
)

// Sessions finds the buyer of a token.
type Sessions interface {
	// Session returns account.ErrLoginRequired unless the token belongs to a live session.
	Session(ctx context.Context, token string) (account.Session, error)
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
	uploads   *semaphore.Weighted
	queue     *semaphore.Weighted // the picture that is being decoded, and those that wait
	decoding  *semaphore.Weighted // of weight 1: one picture at a time may take maxMemory
}

const (
	// maxUploads is how many uploads are received at a time. Each one takes some 50 KB, because the picture goes to a
	// temporary file.
	maxUploads = 64
	// maxQueue bounds the wait: decoding the most expensive picture takes about a second.
	maxQueue = 8
)

// New returns a handler.
func New(c Config) *Handler {
	return &Handler{
		sessions: c.Sessions, pictures: c.Pictures, channelNo: c.ChannelNo, notFound: c.NotFound,
		uploads: semaphore.NewWeighted(maxUploads), queue: semaphore.NewWeighted(maxQueue),
		decoding: semaphore.NewWeighted(1),
	}
}

// UploadPicture is the form of an upload, after token and channel_no, which precede the file.
type UploadPicture struct {
	Img []byte `form:"img" required:"true"` // a JPEG or PNG picture; the form has at most 6 MiB
}

// UploadedPicture is the picture that the buyer has now.
type UploadedPicture struct {
	Img string `json:"img"` // the address of the picture
}

// Upload stores the middle square of a picture as the buyer's, and returns its address. The stored picture is encoded
// again, without the metadata, the location and any data after the picture. It is the only call with a multipart form,
// whose fields precede the file.
func (h *Handler) Upload(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), durations.Call)
	defer cancel()
	url, err := h.upload(w, r.WithContext(ctx))
	if err != nil {
		wire.Fail(w, r, err)
		return
	}
	wire.WriteJSON(w, http.StatusOK, wire.Main.Success(UploadedPicture{url}))
}

func (h *Handler) upload(w http.ResponseWriter, r *http.Request) (url string, err error) {
	if !h.uploads.TryAcquire(1) {
		return "", ErrUploadBusy
	}
	defer h.uploads.Release(1)
	spool, err := os.CreateTemp("", "marquee-upload-")
	if err != nil {
		return "", fmt.Errorf("spool the picture: %w", err)
	}
	defer func() { _ = errors.Join(spool.Close(), os.Remove(spool.Name())) }() // a file left behind only takes space
	user, err := h.receive(w, r, spool)
	if err != nil {
		return "", err
	}
	picture, err := h.convert(r.Context(), spool)
	if err != nil {
		return "", err
	}
	url = newURL()
	return url, h.pictures.SetAvatar(r.Context(), user.ID, url, picture)
}

const (
	maxField = 512 // bytes of a field other than the picture
	maxParts = 16
	// fieldsTime is how long the fields in front of the picture may take, in real time, and pictureTime the picture.
	fieldsTime  = 5 * time.Second
	pictureTime = 30 * time.Second
)

// receive writes the picture of a buyer to spool. It checks the channel and the session before it reads any of the
// picture.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request, spool io.Writer) (account.User, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "multipart/form-data" {
		return account.User{}, wire.ErrMediaType
	}
	if r.ContentLength > maxUpload {
		return account.User{}, wire.ErrBodyTooLarge
	}
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(fieldsTime)) // response recorders in tests do not support it
	body := &io.LimitedReader{R: r.Body, N: wire.MaxForm}
	r.Body = io.NopCloser(body)
	parts, err := r.MultipartReader()
	if err != nil {
		return account.User{}, fmt.Errorf("%w: not multipart", wire.ErrFormInvalid)
	}
	img, fields, err := readFields(parts)
	if err != nil {
		return account.User{}, err
	}
	if fields["channel_no"] != h.channelNo {
		return account.User{}, wire.ErrChannel
	}
	session, err := h.sessions.Session(r.Context(), fields["token"])
	if err == nil {
		err = session.Owner()
	}
	if err != nil {
		return account.User{}, err
	}
	if img == nil {
		return account.User{}, ErrImageInvalid
	}
	body.N = maxUpload
	_ = conn.SetReadDeadline(time.Now().Add(pictureTime))
	if _, err := io.Copy(spool, img); err != nil {
		if body.N == 0 {
			return account.User{}, wire.ErrBodyTooLarge
		}
		return account.User{}, fmt.Errorf("%w: receive the picture: %w", wire.ErrFormInvalid, err)
	}
	return session.User, nil
}

// readFields reads a form up to the picture, whose content it leaves unread. The picture is nil if there is none.
func readFields(parts *multipart.Reader) (img *multipart.Part, fields map[string]string, err error) {
	fields = map[string]string{}
	for range maxParts {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil, fields, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%w: not multipart", wire.ErrFormInvalid)
		}
		name := part.FormName()
		if name == "img" {
			return part, fields, nil
		}
		value, err := io.ReadAll(io.LimitReader(part, maxField+1))
		if _, repeated := fields[name]; err != nil || repeated || len(value) > maxField {
			return nil, nil, fmt.Errorf("%w: a field is repeated, torn or too long", wire.ErrFormInvalid)
		}
		fields[name] = string(value)
	}
	return nil, nil, fmt.Errorf("%w: more than %d parts", wire.ErrFormInvalid, maxParts)
}

// convert decodes, crops and scales a picture. It first waits for the pictures that came before. It returns
// ErrUploadBusy if too many wait.
func (h *Handler) convert(ctx context.Context, spool io.ReadSeeker) ([]byte, error) {
	if !h.queue.TryAcquire(1) {
		return nil, ErrUploadBusy
	}
	defer h.queue.Release(1)
	if err := h.decoding.Acquire(ctx, 1); err != nil {
		return nil, fmt.Errorf("wait to decode the picture: %w", err)
	}
	defer h.decoding.Release(1)
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("wait to decode the picture: %w", err) // the client has disconnected since
	}
	_, err := spool.Seek(0, io.SeekStart)
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	picture, err := io.ReadAll(spool)
	if err != nil {
		return nil, fmt.Errorf("read the picture: %w", err)
	}
	return squareJPEG(picture)
}

// Serve answers GET /avatars/{name}.
func (h *Handler) Serve(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "name")
	if name == defaultName {
		writePicture(w, cacheForever, "image/svg+xml", defaultPicture)
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
		writePicture(w, cacheOfOwner, "image/jpeg", picture)
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

func writePicture(w http.ResponseWriter, caching, contentType string, picture []byte) {
	w.Header().Set("Cache-Control", caching)
	w.Header().Set("Content-Type", contentType)
	_, _ = w.Write(picture) // an error means that the client has disconnected
}

package httpapi

import (
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"
)

//go:embed default-avatar.svg
var defaultAvatar []byte

// AvatarFiles is the folder of uploaded pictures. Only names that it gave itself are ever opened or removed in it.
type AvatarFiles struct{ Dir string }

const avatarPath = "/avatars/"

var avatarName = regexp.MustCompile(`^[0-9a-f]{32}\.jpg$`)

func newAvatarURL() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // crypto/rand.Read never fails: it ends the program instead
	return avatarPath + hex.EncodeToString(random[:]) + ".jpg"
}

// keep writes the picture at an address.
func (a AvatarFiles) keep(url string, picture []byte) error {
	if err := os.MkdirAll(a.Dir, 0o750); err != nil {
		return fmt.Errorf("make the avatar folder: %w", err)
	}
	root, err := os.OpenRoot(a.Dir)
	if err != nil {
		return fmt.Errorf("open the avatar folder: %w", err)
	}
	defer root.Close()
	if err := root.WriteFile(strings.TrimPrefix(url, avatarPath), picture, 0o640); err != nil {
		return fmt.Errorf("keep the avatar: %w", err)
	}
	return nil
}

// Remove removes the picture at an address, if it is one of ours and still there.
func (a AvatarFiles) Remove(url string) error {
	name, ours := strings.CutPrefix(url, avatarPath)
	if !ours || !avatarName.MatchString(name) {
		return nil
	}
	root, err := os.OpenRoot(a.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the avatar folder: %w", err)
	}
	defer root.Close()
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a picture: %w", err)
	}
	return nil
}

func (a AvatarFiles) read(name string) ([]byte, error) {
	if !avatarName.MatchString(name) {
		return nil, fs.ErrNotExist
	}
	root, err := os.OpenRoot(a.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(name)
}

func (h *handler) serveAvatar(w http.ResponseWriter, r *http.Request) {
	name := chi.URLParam(r, "name")
	if name == "default.svg" {
		w.Header().Set("Cache-Control", avatarCache)
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write(defaultAvatar) // the reader may be gone
		return
	}
	picture, err := h.avatars.read(name)
	if err != nil {
		if opened(r) {
			h.pages.document(w, r, http.StatusNotFound)
			return
		}
		h.nothing(w, r)
		return
	}
	w.Header().Set("Cache-Control", avatarCache)
	w.Header().Set("Content-Type", "image/jpeg")
	_, _ = w.Write(picture) // the reader may be gone
}

// avatarCache: a name never gets other content.
const avatarCache = "public, max-age=31536000, immutable"

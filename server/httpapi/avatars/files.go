package avatars

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

// Files is the folder of uploaded pictures. Only names of the form that newURL gives are opened or removed in it.
type Files struct{ Dir string }

const urlPrefix = "/avatars/"

var fileName = regexp.MustCompile(`^[0-9a-f]{32}\.jpg$`)

// newURL returns a new address, which cannot be guessed.
func newURL() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // crypto/rand.Read never returns an error: it ends the program instead
	return urlPrefix + hex.EncodeToString(random[:]) + ".jpg"
}

// write stores the picture of an address that newURL returned.
func (f Files) write(url string, picture []byte) error {
	if err := os.MkdirAll(f.Dir, 0o750); err != nil {
		return fmt.Errorf("make the avatar folder: %w", err)
	}
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return fmt.Errorf("open the avatar folder: %w", err)
	}
	defer root.Close()
	if err := root.WriteFile(strings.TrimPrefix(url, urlPrefix), picture, 0o640); err != nil {
		return fmt.Errorf("write the avatar: %w", err)
	}
	return nil
}

// Remove removes the picture of an address. It does nothing for an address of another form and for a file that does
// not exist.
func (f Files) Remove(url string) error {
	name, found := strings.CutPrefix(url, urlPrefix)
	if !found || !fileName.MatchString(name) {
		return nil
	}
	root, err := os.OpenRoot(f.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the avatar folder: %w", err)
	}
	defer root.Close()
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the avatar: %w", err)
	}
	return nil
}

func (f Files) read(name string) ([]byte, error) {
	if !fileName.MatchString(name) {
		return nil, fs.ErrNotExist
	}
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(name)
}

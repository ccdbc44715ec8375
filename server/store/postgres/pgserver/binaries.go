package pgserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// linkLibraries makes the symbolic links that pg-symlinks.json of the package lists. Links that exist are kept.
func linkLibraries(native string) error {
	text, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if err != nil {
		return fmt.Errorf("postgres: links of the package: %w", err)
	}
	var links []struct{ Source, Target string } // relative to the package
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("postgres: links of the package: %w", err)
	}
	for _, l := range links {
		target := filepath.Join(filepath.Dir(native), l.Target)
		if _, err := os.Lstat(target); err == nil {
			continue
		}
		if err := os.Symlink(filepath.Base(l.Source), target); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("postgres: links of the package: %w", err)
		}
	}
	return nil
}

// copyBinaries copies the package to a folder that every user can read, because the module may lie in a folder of
// root. The copy is made once for each version of the package.
func copyBinaries(bin string) (string, error) {
	native := filepath.Dir(bin)
	info, err := os.Stat(filepath.Join(bin, "postgres"))
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("marquee-postgres-bin-%d-%d", info.Size(), info.ModTime().Unix())
	to := filepath.Join(os.TempDir(), name)
	if info, err := os.Lstat(to); err == nil {
		if !ownedByThisUser(info) {
			return "", fmt.Errorf("postgres: copy the binaries: %s belongs to another user", to)
		}
		return filepath.Join(to, "bin"), nil
	}
	fresh, err := os.MkdirTemp("", name)
	if err != nil {
		return "", fmt.Errorf("postgres: copy the binaries: %w", err)
	}
	// Another process may make the copy meanwhile; either copy serves.
	copied := filepath.Join(fresh, "native")
	if err := errors.Join(os.CopyFS(copied, os.DirFS(native)), makeReadable(copied)); err != nil {
		return "", fmt.Errorf("postgres: copy the binaries: %w", errors.Join(err, os.RemoveAll(fresh)))
	}
	if err := os.Rename(copied, to); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("postgres: copy the binaries: %w", errors.Join(err, os.RemoveAll(fresh)))
	}
	return filepath.Join(to, "bin"), os.RemoveAll(fresh)
}

// makeReadable lets every user read and run what is in a folder, whatever the umask was.
func makeReadable(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if entry.IsDir() || info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		return os.Chmod(path, mode)
	})
}

package pgserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// linkLibraries creates the symbolic links that are listed in pg-symlinks.json of the package. Existing links are kept.
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

// copyBinaries copies the package to a folder that all users can read, because the module may be in a folder of root.
// The copy is made once for each version of the package.
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
	// Another process may be making the same copy; either one will do.
	copied := filepath.Join(fresh, "native")
	if err := errors.Join(os.CopyFS(copied, os.DirFS(native)), makeReadable(copied)); err != nil {
		return "", fmt.Errorf("postgres: copy the binaries: %w", errors.Join(err, os.RemoveAll(fresh)))
	}
	if err := os.Rename(copied, to); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("postgres: copy the binaries: %w", errors.Join(err, os.RemoveAll(fresh)))
	}
	return filepath.Join(to, "bin"), os.RemoveAll(fresh)
}

// makeReadable makes the files of a folder readable for all users, whatever the umask is. Files that their owner can
// execute, and folders, become executable for all users.
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

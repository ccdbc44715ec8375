package ops

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"

	"marquee/server/fault"
)

// Faults of backup, restore and move.
var (
	ErrInUse = fault.New(fault.Conflict, "database_in_use", "数据库正在使用").WithExplanation(
		"a shop serves the database: stop it first")
	ErrBackupExists = fault.New(fault.Conflict, "backup_file_exists", "备份文件已存在").WithExplanation(
		"the file exists, and a backup does not replace another one")
	ErrBackupNotRecorded = fault.New(fault.Conflict, "backup_not_recorded", "备份未登记").WithExplanation(
		"the backup is complete, but the database could not record it: " +
			"the alert on the age of the last backup does not know of it")
	ErrBackupNoSpace = fault.New(fault.Conflict, "backup_no_space", "备份空间不足").WithExplanation(
		"the disk of the backup is full, or a quota is used up")
	ErrBackupDamaged = fault.New(fault.Invalid, "backup_damaged", "备份文件已损坏").WithExplanation(
		"the file or its manifest is missing, or they do not belong together: take another backup")
	ErrBackupLocked = fault.New(fault.Forbidden, "backup_locked", "备份已加密").WithExplanation(
		"the backup is encrypted: shop restore --identity=FILE reads it with a key of one of its recipients")
	ErrBackupOtherBuild = fault.New(fault.Conflict, "backup_of_other_build", "备份来自其他构建").WithExplanation(
		"the schema of the backup was made by another build of the shop: restore it with that build")
	ErrBackupNewer = fault.New(fault.Conflict, "backup_of_newer_release", "备份来自更新的版本").WithExplanation(
		"the schema of the backup is of a later release: restore it with that release")
	ErrNotMarked = fault.New(fault.Conflict, "move_not_marked", "来源未标记").WithExplanation(
		"the copy is complete, but its source could not be marked as moved: make sure that no shop serves it again")
	ErrTargetExists = fault.New(fault.Conflict, "restore_target_exists", "目标数据库已存在").WithExplanation(
		"the database exists: --replace keeps it under another name and restores")
)

// manifestFormat is the newest version of the format of backups. Format 2 allows encryption. A backup that is not
// encrypted is written as format 1, so that releases that know only format 1 can restore it.
const manifestFormat = 2

// Manifest describes a backup. Its file has the name of the backup with ".json" appended.
type Manifest struct {
	Format  int    `json:"format"`  // 1, or manifestFormat if the backup is encrypted
	Release string `json:"release"` // release of the shop that wrote the backup
	// Engine is the engine of the database, sqlite or postgres. The backup itself is always a SQLite file.
	Engine  string           `json:"engine"`
	Schema  int64            `json:"schema"`   // version of the database schema
	TakenAt time.Time        `json:"taken_at"` // business time
	Bytes   int64            `json:"bytes"`    // size of the backup
	SHA256  string           `json:"sha256"`   // of the backup, in hexadecimal digits
	Rows    map[string]int64 `json:"rows"`     // number of rows by table
	// Encryption is "age" if the file is encrypted, or "". Size and hash are those of the encrypted file.
	Encryption string `json:"encryption,omitempty"`
}

// ManifestOf returns the file name of the manifest of a backup.
func ManifestOf(backup string) string { return backup + ".json" }

// Publish renames a complete backup from partial to backup. It first writes size and hash into the manifest and syncs
// both files. It renames the manifest last, so that a backup with a manifest is always complete. Both files are
// readable by their owner only. It returns ErrBackupExists if a file with the name exists, even if another command is
// just writing it.
func (m *Manifest) Publish(partial, backup string) error {
	var err error
	if m.SHA256, m.Bytes, err = hashFile(partial); err != nil {
		return err
	}
	if m.Format = 1; m.Encryption != "" {
		m.Format = manifestFormat
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the manifest: %w", err)
	}
	described := ManifestOf(partial)
	if err := os.WriteFile(described, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the manifest: %w", err)
	}
	if err := errors.Join(os.Chmod(partial, 0o600), SyncPath(partial), SyncPath(described)); err != nil {
		return err
	}
	if err := createEmpty(backup); err != nil {
		return err
	}
	if err := os.Rename(partial, backup); err != nil {
		return errors.Join(err, os.Remove(backup))
	}
	if err := os.Rename(described, ManifestOf(backup)); err != nil {
		return err
	}
	return SyncPath(filepath.Dir(backup))
}

// createEmpty reserves the name of a backup by creating an empty file, because a rename would replace an existing file.
// It returns ErrBackupExists.
func createEmpty(backup string) error {
	if err := MustNotExist(backup); err != nil {
		return err
	}
	file, err := os.OpenFile(backup, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", backup, ErrBackupExists)
	}
	if err != nil {
		return fmt.Errorf("name the backup: %w", err)
	}
	return file.Close()
}

// MustNotExist returns ErrBackupExists if a backup or its manifest exists.
func MustNotExist(backup string) error {
	for _, name := range []string{backup, ManifestOf(backup)} {
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%s: %w", name, ErrBackupExists)
		}
	}
	return nil
}

// ReadManifest returns the manifest of a backup after checking the size and the hash of the backup. It returns
// ErrBackupDamaged if they differ from the manifest or a file is missing, and ErrBackupNewer for a format of a later
// release.
func ReadManifest(backup string) (m Manifest, err error) {
	if m, err = readManifest(backup); err != nil {
		return m, err
	}
	sum, size, err := hashFile(backup)
	if err != nil {
		return m, fmt.Errorf("%w: %w", ErrBackupDamaged, err)
	}
	if sum != m.SHA256 || size != m.Bytes {
		return m, fmt.Errorf("%w: %s has %d bytes and the hash %s, the manifest %d and %s",
			ErrBackupDamaged, backup, size, sum, m.Bytes, m.SHA256)
	}
	return m, nil
}

// IsEncrypted reports whether a file is an encrypted backup, according to its manifest.
func IsEncrypted(backup string) bool {
	m, err := readManifest(backup)
	return err == nil && m.Encryption != ""
}

// readManifest returns the manifest of a backup, without checking the backup itself.
func readManifest(backup string) (m Manifest, err error) {
	text, err := os.ReadFile(ManifestOf(backup))
	if err != nil {
		return m, fmt.Errorf("%w: %w", ErrBackupDamaged, err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%w: the manifest: %w", ErrBackupDamaged, err)
	}
	if m.Format < 1 {
		return m, fmt.Errorf("%w: %s is not a manifest", ErrBackupDamaged, ManifestOf(backup))
	}
	if m.Format > manifestFormat {
		return m, fmt.Errorf("%w: format %d of %s", ErrBackupNewer, m.Format, m.Release)
	}
	return m, nil
}

// hashFile returns the SHA-256 and the size of a file.
func hashFile(name string) (sum string, size int64, err error) {
	file, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	hash := sha256.New()
	if size, err = io.Copy(hash, file); err != nil {
		return "", 0, fmt.Errorf("read %s: %w", name, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), size, nil
}

// SyncPath flushes a file, or the entries of a folder, to the disk.
func SyncPath(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// CopyFile copies a file to a path at which no file exists, and syncs the copy.
func CopyFile(from, to string) error {
	return transform(from, to, func(target io.Writer, source io.Reader) error {
		_, err := io.Copy(target, source)
		return err
	})
}

// EncryptFile encrypts a file for recipients, whose private keys should not be on the machine of the shop.
func EncryptFile(from, to string, recipients []age.Recipient) error {
	return transform(from, to, func(target io.Writer, source io.Reader) error {
		encrypted, err := age.Encrypt(target, recipients...)
		if err != nil {
			return err
		}
		_, err = io.Copy(encrypted, source)
		return errors.Join(err, encrypted.Close())
	})
}

// DecryptFile decrypts a backup. It returns ErrBackupLocked if none of the identities (private keys) can decrypt it.
func DecryptFile(from, to string, identities []age.Identity) error {
	return transform(from, to, func(target io.Writer, source io.Reader) error {
		if len(identities) == 0 {
			return ErrBackupLocked
		}
		plain, err := age.Decrypt(source, identities...)
		if wrong := new(age.NoIdentityMatchError); errors.As(err, &wrong) {
			return fmt.Errorf("%w: %w", ErrBackupLocked, err)
		}
		if err == nil {
			_, err = io.Copy(target, plain)
		}
		return err
	})
}

// transform makes a new file, to, from the content of the file from by calling the function write, and syncs it. It
// fails if to exists. If writing fails, it removes the new file.
func transform(from, to string, write func(target io.Writer, source io.Reader) error) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err = write(target, source); err == nil {
		err = target.Sync()
	}
	if err = errors.Join(err, target.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", from, errors.Join(err, os.Remove(to)))
	}
	return nil
}

package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteNewFile_LeavesACompleteFileOrNone(t *testing.T) {
	t.Parallel()
	text := func(err error) func(io.Writer) error {
		return func(w io.Writer) error {
			_, e := io.WriteString(w, "13811110001")
			return errors.Join(e, err)
		}
	}
	path := filepath.Join(t.TempDir(), "buyer.json")
	full := errors.New("no space left")
	require.ErrorIs(t, writeNewFile(path, text(full)), full)
	assert.NoFileExists(t, path, "a partial export must not be left behind")

	closed := func(w io.Writer) error { return errors.Join(text(nil)(w), w.(io.Closer).Close()) }
	require.ErrorIs(t, writeNewFile(path, closed), fs.ErrClosed, "data that is not on the disk is not written")
	assert.NoFileExists(t, path)

	require.NoError(t, writeNewFile(path, text(nil)))
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, fs.FileMode(0o600), info.Mode())
	require.ErrorIs(t, writeNewFile(path, text(full)), fs.ErrExist)
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "13811110001", string(kept))
}

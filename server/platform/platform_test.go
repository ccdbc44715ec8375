package platform

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTryLock_OneOpenFileAtATime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		require.NoError(t, err)
		t.Cleanup(func() { _ = file.Close() })
		return file
	}
	first, second := open(), open()
	require.NoError(t, TryLock(first))
	require.ErrorIs(t, TryLock(second), ErrLocked)

	_, err := first.WriteString("holder")
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "holder", string(text), "what a locked file holds can be read")

	require.NoError(t, first.Close())
	require.NoError(t, TryLock(second))
}

func TestFreeSpace(t *testing.T) {
	t.Parallel()
	free, err := FreeSpace(t.TempDir())
	require.NoError(t, err)
	require.Positive(t, free)
	_, err = FreeSpace(filepath.Join(t.TempDir(), "missing"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

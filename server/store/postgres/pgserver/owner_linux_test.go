package pgserver

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// This is what root does if user namespaces are forbidden. A plain user cannot run a program as another user.
func TestNobodyOwner_RunsACopyOfTheBinaries(t *testing.T) {
	t.Parallel()
	bin, err := binaries()
	require.NoError(t, err)
	o, err := nobodyOwner(bin)
	require.NoError(t, err)
	again, err := nobodyOwner(bin)
	require.NoError(t, err)
	require.Equal(t, o.bin, again.bin)
	if os.Geteuid() != 0 {
		o.chown, o.attributes = false, syscall.SysProcAttr{}
	}
	s, err := start(t.Context(), o, Options{})
	require.NoError(t, err)
	execute(t, s.URL("postgres"), `SELECT 1`)
	require.NoError(t, s.Stop())
}

func TestStart_ByAnotherUser(t *testing.T) {
	t.Parallel()
	as := func(uid uint32) *syscall.SysProcAttr {
		return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
	users := map[string]*syscall.SysProcAttr{"plain": as(nobody), "without an account": as(54321)}
	if uid := os.Geteuid(); uid != 0 { // a plain user can only become root in a user namespace
		users = map[string]*syscall.SysProcAttr{"root": {
			Cloneflags:  syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
		}}
	}
	for name, attributes := range users {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd, stdin, _ := startChild(t, attributes)
			require.NoError(t, stdin.Close())
			require.NoError(t, cmd.Wait())
		})
	}
}

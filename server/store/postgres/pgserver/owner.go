package pgserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
)

// nobody is the user id of the unprivileged account that every Linux distribution has.
const nobody = 65534

// owner runs the binaries as a user that PostgreSQL accepts. PostgreSQL does not run as root, nor as a user id without
// an account, which some containers have. In these two cases the binaries run in a user namespace in which the user is
// nobody, but keeps its access to the binaries and the data. If the kernel forbids namespaces, as in many containers,
// root runs a copy of the binaries as nobody. Any other user runs the binaries directly.
type owner struct {
	bin        string // folder of the binaries
	attributes syscall.SysProcAttr
	chown      bool // the files of the server must belong to nobody
}

// findOwner determines, once per process, how the binaries can be run.
var findOwner = sync.OnceValues(func() (owner, error) {
	bin, err := binaries()
	if err != nil {
		return owner{}, err
	}
	uid := os.Geteuid()
	if _, err := user.LookupId(strconv.Itoa(uid)); uid != 0 && err == nil {
		return owner{bin: bin}, nil
	}
	attributes := namespace()
	if attributes == nil {
		return owner{}, errors.New("postgres: it does not run as root: use another user")
	}
	namespaced := owner{bin: bin, attributes: *attributes}
	err = namespaced.command(context.Background(), "postgres", "--version").Run()
	if err == nil {
		return namespaced, nil
	}
	if uid != 0 {
		return owner{}, fmt.Errorf("postgres: user id %d has no account, and the kernel forbids user namespaces: %w",
			uid, err)
	}
	return nobodyOwner(bin)
})

// nobodyOwner runs a copy of the binaries as nobody.
func nobodyOwner(bin string) (owner, error) {
	copied, err := copyBinaries(bin)
	return owner{bin: copied, chown: true, attributes: *asNobody()}, err
}

// command prepares one of the binaries to run as the owner.
func (o owner) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	return o.program(ctx, filepath.Join(o.bin, name), args...)
}

// program prepares a program to run as the owner.
func (o owner) program(ctx context.Context, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...)
	attributes := o.attributes
	cmd.SysProcAttr = &attributes
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"} // no PG… variable of the caller
	cmd.Dir = "/"
	return cmd
}

// own changes the owner of a file or a folder to o.
func (o owner) own(path string) error {
	if !o.chown {
		return nil
	}
	if err := os.Chown(path, nobody, nobody); err != nil {
		return fmt.Errorf("postgres: give files to the user of the server: %w", err)
	}
	return nil
}

// binaries returns the folder of the binaries in node_modules of the module. npm packs no symbolic links, and make runs
// no scripts of packages, so the links that the libraries need are created here.
func binaries() (string, error) {
	if supported != nil {
		return "", supported
	}
	root, err := ModuleRoot()
	if err != nil {
		return "", err
	}
	native := filepath.Join(root, "node_modules", packageOf(Version()), "native")
	bin := filepath.Join(native, "bin")
	if _, err := os.Stat(filepath.Join(bin, "postgres")); err != nil {
		return "", fmt.Errorf("postgres: no binaries in node_modules: run npm ci --ignore-scripts: %w", err)
	}
	return bin, linkLibraries(native)
}

// newest is the version of PostgreSQL that is started unless versionVariable is set.
const (
	newest          = "18"
	versionVariable = "MARQUEE_TEST_POSTGRES"
)

// Version returns the major version of the servers that this process starts.
func Version() string { return cmp.Or(os.Getenv(versionVariable), newest) }

// packageOf is the npm package that holds the binaries of a version for this machine.
func packageOf(version string) string {
	processor := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	platform := runtime.GOOS + "-" + cmp.Or(processor, runtime.GOARCH)
	if version == newest {
		return "@embedded-postgres/" + platform
	}
	return "postgres-" + version + "-" + platform
}

// ModuleRoot returns the folder of go.mod, at or above the folder in which the process runs.
func ModuleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("postgres: run inside the module: its node_modules holds the binaries")
		}
		dir = parent
	}
}

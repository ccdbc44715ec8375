// Command release builds the files of a release: for each platform an archive of the shop and one of the simulators,
// for each program an image for the processors of Linux, their checksums and the notes of the version.
//
//	go run ./cmd/shop/deploy/release -version v1.2.3 -out dist
//
// The same commit produces the same bytes in every clone: no file contains a path, a name or a time of the machine.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// allPlatforms are the platforms of a release.
const allPlatforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64"

// releaseVersion is the format of the version of a release: v1.2.3 or v1.2.3-rc.1.
var releaseVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`)

// program is one of the two programs of a release.
type program struct {
	name  string
	title string
	// licenses are the files in which the builds of the embedded web app list their packages.
	licenses []string
	// deployed are the folders and files of cmd/shop/deploy that the archives for Linux contain.
	deployed []string
	image    startup
}

var programs = []program{
	{
		name: "shop", title: "marquee: the shop",
		licenses: []string{"web/dist/licenses/app.json", "web/dist/licenses/service-worker.json"},
		deployed: []string{"systemd", "compose", "kubernetes", "maintenance.html", "STAGING.md"},
		image: startup{
			env:   []string{"MARQUEE_ADDR=:8080", "MARQUEE_DB=/data/marquee.db"},
			ports: []string{"8080/tcp", "8081/tcp"},
			check: []string{"CMD", "/shop", "healthcheck"},
		},
	},
	{
		name: "sim", title: "marquee: the simulators of its providers, with the shop",
		licenses: []string{
			"web/dist/licenses/app.json", "web/dist/licenses/service-worker.json", "web/dist-console/licenses/console.json",
		},
		image: startup{
			env:   []string{"MARQUEE_ADDR=:8080", "MARQUEE_SIM_ADDR=:9090", "MARQUEE_SIM_TLS_ADDR=:9443"},
			ports: []string{"8080/tcp", "9090/tcp", "9443/tcp"},
			check: []string{"CMD", "/sim", "health"},
		},
	},
}

// release is what all files of a release have in common.
type release struct {
	version string
	commit  string    // empty outside a clone
	time    time.Time // of the commit
	out     string    // the folder that is written
	work    string    // a temporary folder
}

func main() {
	var r release
	flag.StringVar(&r.version, "version", "", "version of the release, such as v1.2.3")
	flag.StringVar(&r.out, "out", "dist", "folder to write; the files of an earlier release in it are replaced")
	platforms := flag.String("platforms", allPlatforms, "platforms, separated by commas")
	only := flag.String("only", "", "images: write bin/*.oci.tar of a development build, without archives and notes")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := r.run(ctx, strings.Split(*platforms, ","), *only == "images")
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r *release) run(ctx context.Context, platforms []string, onlyImages bool) (err error) {
	r.time = time.Unix(0, 0).UTC()
	if head, err := output(ctx, "git", "show", "-s", "--format=%H %ct"); err == nil {
		commit, seconds, _ := strings.Cut(head, " ")
		unix, _ := strconv.ParseInt(seconds, 10, 64)
		r.commit, r.time = commit, time.Unix(unix, 0).UTC()
	}
	if r.work, err = os.MkdirTemp("", "release-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if !onlyImages {
		return r.write(ctx, platforms)
	}
	for _, p := range programs {
		if err := r.writeImage(ctx, p, platforms, p.name+".oci.tar"); err != nil {
			return err
		}
	}
	return nil
}

// write writes all files of a release into an empty folder.
func (r *release) write(ctx context.Context, platforms []string) error {
	if !releaseVersion.MatchString(r.version) {
		return fmt.Errorf("%q is not a version such as v1.2.3", r.version)
	}
	changes, err := output(ctx, "git", "status", "--porcelain")
	if err != nil {
		return fmt.Errorf("a release is made in a clone: %w", err)
	}
	if changes != "" {
		return fmt.Errorf("commit or remove these changes first, a release is a commit:\n%s", changes)
	}
	text, err := os.ReadFile(filepath.Join("cmd", "shop", "deploy", "RELEASES.md"))
	if err != nil {
		return err
	}
	notes, err := notesOf(string(text), r.version)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(r.out), os.MkdirAll(r.out, 0o755)); err != nil {
		return err
	}
	for _, p := range programs {
		for _, platform := range platforms {
			if err := r.writeArchive(ctx, p, platform); err != nil {
				return fmt.Errorf("archive of %s for %s: %w", p.name, platform, err)
			}
		}
		if err := r.writeImages(ctx, p, platforms); err != nil {
			return fmt.Errorf("image of %s: %w", p.name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(r.out, "notes.md"), []byte(notes), 0o644); err != nil {
		return err
	}
	return writeChecksums(r.out)
}

// writeImages writes an image for each platform of Linux and, if there are several, one for all of them.
func (r *release) writeImages(ctx context.Context, p program, platforms []string) error {
	name := fmt.Sprintf("%s_%s_image", p.name, r.version)
	var linux []string
	for _, platform := range platforms {
		if strings.HasPrefix(platform, "linux/") {
			linux = append(linux, platform)
			file := name + "_" + strings.ReplaceAll(platform, "/", "_") + ".tar"
			if err := r.writeImage(ctx, p, []string{platform}, file); err != nil {
				return err
			}
		}
	}
	if len(linux) < 2 {
		return nil
	}
	return r.writeImage(ctx, p, linux, name+".tar")
}

// notesOf returns the section of a version in RELEASES.md, without its heading.
func notesOf(text, version string) (string, error) {
	for section := range strings.SplitSeq("\n"+text, "\n## ") {
		heading, body, _ := strings.Cut(section, "\n")
		if name, _, _ := strings.Cut(heading, " "); name == version {
			if body = strings.TrimSpace(body); body != "" {
				return body + "\n", nil
			}
		}
	}
	return "", fmt.Errorf("cmd/shop/deploy/RELEASES.md has no notes of %s: write a section %q", version, "## "+version)
}

// build compiles a program for a platform and returns the path of the binary. It compiles each binary only once.
func (r *release) build(ctx context.Context, p program, platform string) (string, error) {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return "", fmt.Errorf("%q is not a platform such as linux/amd64", platform)
	}
	binary := filepath.Join(r.work, system+"-"+processor, p.name)
	if system == "windows" {
		binary += ".exe"
	}
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	fmt.Fprintf(os.Stderr, "building %s for %s\n", p.name, platform)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-tags", "timetzdata",
		"-ldflags", "-s -w -X main.version="+r.version, "-o", binary, "./cmd/"+p.name)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor, "GOAMD64=v1", "GOARM64=v8.0")
	cmd.Stderr = os.Stderr
	return binary, cmd.Run()
}

// output runs a program and returns what it prints, without the newline at its end.
func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		err = fmt.Errorf("%s: %w: %s", name, err, cmp.Or(strings.TrimSpace(string(ended.Stderr)), "no message"))
	}
	return strings.TrimSpace(string(out)), err
}

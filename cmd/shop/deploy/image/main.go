// Command image puts a static Go binary into an OCI image, without a container runtime: an empty file system with the
// binary, an unprivileged user, an empty /data and /tmp, and the list of the modules in the binary. The binary brings
// its own root certificates and time zones. The image is written as a tar file in the OCI layout, which docker load,
// podman load, skopeo and crane read.
//
//	go run ./cmd/shop/deploy/image -version v1.2.3 -out bin/shop.oci.tar bin/shop
package main

import (
	"archive/tar"
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// user is the id of the user and the group that own /data and run the binary.
const user = 65532

func main() {
	version := flag.String("version", "dev", "version of the binary, for the image's labels and tag")
	out := flag.String("out", "", "the file to write")
	var env []string
	flag.Func("env", "NAME=value, an environment variable of the image; may be repeated", func(v string) error {
		env = append(env, v)
		return nil
	})
	flag.Parse()
	if err := write(*out, *version, flag.Arg(0), env); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

// write writes the image of a binary to a tar file. A file that exists is replaced when the new one is complete.
func write(out, version, binary string, env []string) error {
	if out == "" || binary == "" {
		return fmt.Errorf("a binary and -out are needed")
	}
	image, err := build(binary, version, env)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), ".image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	index, err := layout.Write(dir, empty.Index)
	if err != nil {
		return fmt.Errorf("write the layout: %w", err)
	}
	tag := filepath.Base(binary) + ":" + strings.TrimPrefix(version, "v")
	if err := index.AppendImage(image, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": "docker.io/library/marquee-" + tag,
	})); err != nil {
		return fmt.Errorf("write the image: %w", err)
	}
	var packed bytes.Buffer
	if err := packFolder(&packed, dir); err != nil {
		return err
	}
	partial := filepath.Join(dir, "image.tar")
	if err := os.WriteFile(partial, packed.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(partial, out)
}

// build makes the image of a binary. The same binary makes the same image, without the time or the machine in it.
func build(binary, version string, env []string) (v1.Image, error) {
	name := filepath.Base(binary)
	program, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	modules, err := billOfMaterials(binary, name, version)
	if err != nil {
		return nil, err
	}
	files := []file{
		{name: "data/", mode: 0o700, owner: user},
		{name: "tmp/", mode: 0o1777},
		{name: "etc/passwd", mode: 0o644, content: fmt.Appendf(nil, "marquee:x:%d:%[1]d::/data:/%s\n", user, name)},
		{name: "etc/group", mode: 0o644, content: fmt.Appendf(nil, "marquee:x:%d:\n", user)},
		{name: "sbom.cdx.json", mode: 0o644, content: modules},
		{name: name, mode: 0o755, content: program},
	}
	var layer bytes.Buffer
	if err := packFiles(&layer, files); err != nil {
		return nil, err
	}
	content, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(layer.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, fmt.Errorf("compress the layer: %w", err)
	}
	image, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.OCIManifestSchema1), content)
	if err != nil {
		return nil, fmt.Errorf("append the layer: %w", err)
	}
	image = mutate.ConfigMediaType(image, types.OCIConfigJSON)
	configured, err := mutate.ConfigFile(image, configOf(image, name, version, env))
	if err != nil {
		return nil, fmt.Errorf("configure the image: %w", err)
	}
	return configured, nil
}

// configOf returns the configuration with which the image runs.
func configOf(image v1.Image, name, version string, env []string) *v1.ConfigFile {
	layers, _ := image.ConfigFile() // of an image in memory
	return &v1.ConfigFile{
		Architecture: "amd64", OS: "linux", RootFS: layers.RootFS,
		History: []v1.History{{CreatedBy: "cmd/shop/deploy/image"}},
		Config: v1.Config{
			User: fmt.Sprintf("%d:%[1]d", user), Entrypoint: []string{"/" + name}, WorkingDir: "/data",
			StopSignal: "SIGTERM", Env: append([]string{"HOME=/data"}, env...),
			ExposedPorts: map[string]struct{}{"8080/tcp": {}},
			Volumes:      map[string]struct{}{"/data": {}},
			Labels: map[string]string{
				"org.opencontainers.image.title": "marquee " + name, "org.opencontainers.image.version": version,
			},
		},
	}
}

// file is a file of the image, or a folder if its name ends with a slash.
type file struct {
	name    string
	mode    int64
	owner   int
	content []byte
}

func packFiles(to io.Writer, files []file) error {
	w := tar.NewWriter(to)
	for _, f := range files {
		kind := byte(tar.TypeReg)
		if strings.HasSuffix(f.name, "/") {
			kind = tar.TypeDir
		}
		if err := w.WriteHeader(&tar.Header{
			Typeflag: kind, Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.content)),
			ModTime: time.Unix(0, 0), Format: tar.FormatPAX,
		}); err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
		if _, err := w.Write(f.content); err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	return w.Close()
}

// packFolder packs the files of a folder.
func packFolder(to io.Writer, dir string) error {
	var files []file
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		files = append(files, file{name: name, mode: 0o644, content: content})
		return err
	})
	if err != nil {
		return err
	}
	return packFiles(to, files)
}

// billOfMaterials lists the modules that the Go linker recorded in the binary, in the format of CycloneDX 1.5.
func billOfMaterials(binary, name, version string) ([]byte, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, fmt.Errorf("read the build information of %s: %w", binary, err)
	}
	type component struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		Version string `json:"version"`
		PURL    string `json:"purl,omitempty"`
	}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	components := []component{{"library", "std", goVersion, "pkg:golang/std@" + goVersion}}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		components = append(components, component{
			"library", module.Path, module.Version, "pkg:golang/" + module.Path + "@" + module.Version,
		})
	}
	return json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   map[string]any{"component": component{Type: "application", Name: name, Version: version}},
		"components": components,
	}, "", "  ")
}

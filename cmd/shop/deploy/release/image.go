package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// userID is the id of the user and the group that own /data and run the binary.
const userID = 65532

// startup is how a container runtime starts a program.
type startup struct {
	env   []string
	ports []string
	check []string // the probe of Docker, which Kubernetes ignores
}

// writeImage writes the image of a program for one or several platforms to a tar file: a layout of OCI, which podman,
// skopeo and crane read, and manifest.json, which docker load reads. umoci reads only images for one platform. The
// images are built without a container runtime: each contains only the binary, an unprivileged user, an empty /data and
// /tmp, and the lists of its libraries. The binary contains root certificates and time zones.
func (r *release) writeImage(ctx context.Context, p program, platforms []string, name string) error {
	dir, err := os.MkdirTemp(r.work, "image-")
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	var images []v1.Image
	var forDocker tarball.Manifest
	tag := fmt.Sprintf("marquee-%s:%s", p.name, strings.TrimPrefix(r.version, "v"))
	for i, platform := range platforms {
		image, err := r.image(ctx, p, platform)
		if err != nil {
			return err
		}
		parsed, err := v1.ParsePlatform(platform)
		if err != nil {
			return err
		}
		images = append(images, image)
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: parsed}})
		// docker load does not distinguish platforms, so each image needs a different tag: the first one the plain tag,
		// the others the tag with their processor appended.
		described, err := describe(image, tag)
		if err != nil {
			return err
		}
		if i > 0 {
			described.RepoTags[0] += "-" + parsed.Architecture
		}
		forDocker = append(forDocker, described)
	}
	oci, err := layout.Write(dir, empty.Index)
	if err != nil {
		return fmt.Errorf("write the layout: %w", err)
	}
	_, reference, _ := strings.Cut(tag, ":")
	names := layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": reference, "io.containerd.image.name": "docker.io/library/" + tag,
	})
	if len(images) == 1 {
		err = oci.AppendImage(images[0], names)
	} else {
		err = oci.AppendIndex(index, names)
	}
	if err != nil {
		return fmt.Errorf("write the images: %w", err)
	}
	manifest, err := json.Marshal(forDocker)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), manifest, 0o644); err != nil {
		return err
	}
	files, err := readFolder(dir, ".")
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := packTar(&packed, files, r.time); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name), packed.Bytes(), 0o644)
}

// describe returns the entry of an image in manifest.json: the paths of its configuration and layers, and its tag.
func describe(image v1.Image, tag string) (tarball.Descriptor, error) {
	manifest, err := image.Manifest()
	if err != nil {
		return tarball.Descriptor{}, fmt.Errorf("read the manifest: %w", err)
	}
	blob := func(digest v1.Hash) string { return "blobs/" + digest.Algorithm + "/" + digest.Hex }
	described := tarball.Descriptor{Config: blob(manifest.Config.Digest), RepoTags: []string{tag}}
	for _, layer := range manifest.Layers {
		described.Layers = append(described.Layers, blob(layer.Digest))
	}
	return described, nil
}

// image makes the image of a program for a platform.
func (r *release) image(ctx context.Context, p program, platform string) (v1.Image, error) {
	binary, err := r.build(ctx, p, platform)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	lists, err := r.partLists(ctx, p, binary)
	if err != nil {
		return nil, err
	}
	files := append([]file{
		{name: "data/", mode: 0o700, owner: userID},
		{name: "tmp/", mode: 0o1777},
		{name: "etc/passwd", mode: 0o644, content: fmt.Appendf(nil, "marquee:x:%d:%[1]d::/data:/%s\n", userID, p.name)},
		{name: "etc/group", mode: 0o644, content: fmt.Appendf(nil, "marquee:x:%d:\n", userID)},
		{name: p.name, mode: 0o755, content: content},
	}, lists...)
	var packed bytes.Buffer
	if err := packTar(&packed, files, r.time); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, fmt.Errorf("compress the layer: %w", err)
	}
	image, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.OCIManifestSchema1), layer)
	if err != nil {
		return nil, fmt.Errorf("append the layer: %w", err)
	}
	image = mutate.ConfigMediaType(image, types.OCIConfigJSON)
	layers, err := image.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	configured, err := mutate.ConfigFile(image, r.configOf(p, platform, layers.RootFS))
	if err != nil {
		return nil, fmt.Errorf("configure the image: %w", err)
	}
	return configured, nil
}

// configOf returns the configuration with which an image runs.
func (r *release) configOf(p program, platform string, layers v1.RootFS) *v1.ConfigFile {
	system, processor, _ := strings.Cut(platform, "/")
	ports := map[string]struct{}{}
	for _, port := range p.image.ports {
		ports[port] = struct{}{}
	}
	created := v1.Time{Time: r.time}
	return &v1.ConfigFile{
		Architecture: processor, OS: system, RootFS: layers, Created: created,
		History: []v1.History{{Created: created, CreatedBy: "cmd/shop/deploy/release"}},
		Config: v1.Config{
			User: fmt.Sprintf("%d:%[1]d", userID), Entrypoint: []string{"/" + p.name}, WorkingDir: "/data",
			StopSignal: "SIGTERM", Env: append([]string{"HOME=/data"}, p.image.env...), ExposedPorts: ports,
			Volumes:     map[string]struct{}{"/data": {}},
			Healthcheck: &v1.HealthConfig{Test: p.image.check, Interval: 10 * time.Second, StartPeriod: time.Minute},
			Labels: map[string]string{
				"org.opencontainers.image.title":    p.title,
				"org.opencontainers.image.version":  r.version,
				"org.opencontainers.image.revision": r.commit,
				"org.opencontainers.image.created":  r.time.Format(time.RFC3339),
			},
		},
	}
}

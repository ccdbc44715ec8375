package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// file is a file of an archive or an image, or a folder if its name ends with a slash.
type file struct {
	name    string
	mode    int64
	owner   int
	content []byte
}

// writeArchive writes the archive of a program for a platform: the binary, the guide, the lists of its parts and their
// licenses and, for Linux, the files that deploy it.
func (r *release) writeArchive(ctx context.Context, p program, platform string) error {
	binary, err := r.build(ctx, p, platform)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	guide, err := os.ReadFile(filepath.Join("cmd", "shop", "deploy", "README.md"))
	if err != nil {
		return err
	}
	lists, err := r.partLists(ctx, p, binary)
	if err != nil {
		return err
	}
	files := append([]file{
		{name: filepath.Base(binary), mode: 0o755, content: content}, {name: "README.md", mode: 0o644, content: guide},
	}, lists...)
	name := fmt.Sprintf("%s_%s_%s", p.name, r.version, strings.ReplaceAll(platform, "/", "_"))
	if strings.HasPrefix(platform, "linux/") {
		for _, folder := range p.deployed {
			found, err := readFolder(filepath.Join("cmd", "shop", "deploy"), folder)
			if err != nil {
				return err
			}
			files = append(files, found...)
		}
	}
	for i := range files {
		files[i].name = path.Join(name, files[i].name)
	}
	var packed bytes.Buffer
	if strings.HasPrefix(platform, "windows/") {
		name += ".zip"
		err = packZip(&packed, files, r.time)
	} else {
		name += ".tar.gz"
		compressed, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
		if err = packTar(compressed, files, r.time); err == nil {
			err = compressed.Close()
		}
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name), packed.Bytes(), 0o644)
}

// readFolder reads the files in a folder of parent. Their names are relative to parent, so they begin with folder.
func readFolder(parent, folder string) (files []file, err error) {
	err = fs.WalkDir(os.DirFS(parent), folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(parent, name))
		files = append(files, file{name: name, mode: 0o644, content: content})
		return err
	})
	return files, err
}

func packTar(to io.Writer, files []file, at time.Time) error {
	w := tar.NewWriter(to)
	for _, f := range files {
		kind := byte(tar.TypeReg)
		if strings.HasSuffix(f.name, "/") {
			kind = tar.TypeDir
		}
		if err := w.WriteHeader(&tar.Header{
			Typeflag: kind, Name: f.name, Mode: f.mode, Uid: f.owner, Gid: f.owner, Size: int64(len(f.content)),
			ModTime: at, Format: tar.FormatPAX,
		}); err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
		if _, err := w.Write(f.content); err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	return w.Close()
}

func packZip(to io.Writer, files []file, at time.Time) error {
	w := zip.NewWriter(to)
	for _, f := range files {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
		if _, err := entry.Write(f.content); err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	return w.Close()
}

// writeChecksums writes the checksums of the files in a folder into checksums.txt, for sha256sum -c.
func writeChecksums(dir string) error {
	files, err := readFolder(dir, ".")
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, f := range files {
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(f.content), f.name)
	}
	return os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(list.String()), 0o644)
}

// Package web embeds the built single-page app and the simulators' console. On a clone that has not been built yet the
// folders hold a placeholder only, so the package still compiles; the server then finds no index.html and says so.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

//go:embed all:dist-console
var console embed.FS

// Dist is the build: index.html and assets/ at its root.
func Dist() fs.FS { return sub(dist, "dist") }

// Console is the build of the simulators' console, nil before it was built. Only what calls this carries it.
func Console() fs.FS {
	built := sub(console, "dist-console")
	if _, err := fs.Stat(built, "index.html"); err != nil {
		return nil
	}
	return built
}

func sub(files embed.FS, folder string) fs.FS {
	found, err := fs.Sub(files, folder)
	if err != nil {
		panic(err) // the folder is embedded: cannot happen
	}
	return found
}

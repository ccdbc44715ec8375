// Package web embeds the built single-page app. On a clone that has not been built yet the folder holds a placeholder
// only, so the package still compiles; the server then finds no index.html and says so.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Dist is the build: index.html and assets/ at its root.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is embedded: cannot happen
	}
	return sub
}

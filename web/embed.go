// Package web embeds the built web app and the built console of the simulators. Before the first build the folders hold
// a placeholder only: the package compiles, and the server shows a page that asks for "make build".
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

//go:embed all:dist-console
var console embed.FS

// Dist returns the built web app, with index.html, routes.json, sw.js and assets/ at its root.
func Dist() fs.FS { return sub(dist, "dist") }

// Console returns the built console of the simulators, or nil if it has not been built. The linker leaves the console
// out of programs that do not call Console.
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
		panic(err) // the name of an embedded folder is always valid
	}
	return found
}

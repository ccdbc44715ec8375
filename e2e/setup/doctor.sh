#!/bin/sh
# Prints a sentence for each thing that this machine lacks to build and test the shop, and fails if it lacks anything.
set -u

cd "$(dirname "$0")/../.." || exit 1
lacks=0
say() {
	echo "$1" >&2
	lacks=1
}
has() { command -v "$1" >/dev/null 2>&1; }

# older reports whether the first version is below the second. Versions have the form 1.2.
older() {
	awk -v have="$1" -v want="$2" 'BEGIN {
		split(have, h, "."); split(want, w, ".")
		exit !(h[1] + 0 < w[1] + 0 || (h[1] + 0 == w[1] + 0 && h[2] + 0 < w[2] + 0))
	}'
}

go_wanted=$(awk '$1 == "go" { print $2 }' go.mod)
if ! has go; then
	say "Go is missing: install Go $go_wanted or later from https://go.dev/dl."
else
	go_here=$(go env GOVERSION 2>/dev/null | sed 's/^go//')
	older "${go_here:-0}" "$go_wanted" && say "Go is ${go_here:-unknown}: install $go_wanted or later from https://go.dev/dl."
fi

if ! has node; then
	say "Node is missing: install Node 24 or later (20.19 and 22.13 will do, too) from https://nodejs.org."
else
	node_here=$(node --version | sed 's/^v//')
	if older "$node_here" 20.19 || { ! older "$node_here" 21.0 && older "$node_here" 22.13; } ||
		{ ! older "$node_here" 23.0 && older "$node_here" 24.0; }; then
		say "Node is $node_here: install 24 or later (20.19 and 22.13 will do, too) from https://nodejs.org."
	fi
fi
has npm || say "npm is missing: it comes with Node."
has git || say "git is missing: the build writes the commit into the programs."
has gcc || has cc || say "A C compiler is missing: make contracts links a C library (Debian: gcc; macOS: xcode-select --install)."

case "$(uname -s)" in
Linux)
	has promtool || has dpkg-deb ||
		say "promtool is missing: make test checks the alerting rules with it (package prometheus or prometheus-tools)."
	;;
Darwin)
	has promtool || say "promtool is missing: make check tests the alerting rules with it (brew install prometheus)."
	;;
*)
	say "The Makefile needs Linux or macOS: on Windows use WSL, or build the programs with go build ./cmd/shop ./cmd/sim."
	;;
esac

free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1024) }')
[ "${free:-0}" -ge 4096 ] || say "The disk has ${free:-0} MB left: packages, build cache and test data need about 4096 MB."
[ -w . ] || say "This folder cannot be written: clone the project where you may write."

exit "$lacks"

#!/bin/sh
# Prints the path of promtool, which tests the alerting rules: that of the machine, or the one of Debian's package
# prometheus, which is unpacked into .tools without root.
set -eu

if command -v promtool; then
	exit 0
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$root/.tools/prometheus
tool=$dir/usr/bin/promtool
if [ ! -x "$tool" ]; then
	mkdir -p "$dir"
	work=$(mktemp -d "$dir.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	cd "$work"
	# A fresh machine has no package lists, and a plain user can have lists of its own.
	apt-get download prometheus >/dev/null 2>&1 || {
		mkdir -p lists/partial
		apt-get -qq -o Dir::State::lists="$work/lists" update >/dev/null
		apt-get -o Dir::State::lists="$work/lists" download prometheus >/dev/null 2>&1
	}
	dpkg-deb --extract ./*.deb unpacked
	mkdir -p "$dir/usr/bin"
	mv unpacked/usr/bin/promtool "$tool.$$"
	mv "$tool.$$" "$tool"
fi
echo "$tool"

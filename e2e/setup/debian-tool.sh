#!/bin/sh
# Prints the path of a program: that of the machine, or else that of Debian packages, which are unpacked into
# .tools/debian without root. The first argument is the program, the others the packages with its libraries.
#
#     e2e/setup/debian-tool.sh promtool prometheus
set -eu

program=$1
shift
if command -v "$program"; then
	exit 0
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$root/.tools/debian/$program
wrapper=$dir/run
if [ ! -x "$wrapper" ]; then
	mkdir -p "$(dirname "$dir")"
	work=$(mktemp -d "$dir.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	cd "$work"
	# A fresh machine has no package lists, and a plain user can have lists of its own.
	apt-get download "$@" >/dev/null 2>&1 || {
		mkdir -p lists/partial
		apt-get -qq -o Dir::State::lists="$work/lists" update >/dev/null
		apt-get -o Dir::State::lists="$work/lists" download "$@" >/dev/null 2>&1
	}
	for package in ./*.deb; do dpkg-deb --extract "$package" unpacked; done
	mkdir -p "$dir"
	cp -a unpacked/. "$dir/"
	binary=$(find "$dir" -path "*bin/$program" -type f | head -n 1)
	libraries=$(find "$dir" -name '*.so*' -printf '%h\n' | sort -u | paste -s -d :)
	# shellcheck disable=SC2016 # "$@" is of the wrapper
	printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libraries" "$binary" >"$wrapper.$$"
	chmod +x "$wrapper.$$"
	mv "$wrapper.$$" "$wrapper"
fi
echo "$wrapper"

#!/bin/sh
# Puts libpact_ffi.so, which the pact tests link, into .tools/pact, unless it is already there. An npm package contains
# the compiled library, so neither root nor a compiler is needed.
set -eu

package=@pact-foundation/pact-core-linux-x64-glibc@18.1.0 # holds libpact_ffi 0.4.28; 19.x and later do not link
sha256=f2e805e6433afa2cabc3ad3c309786a975075319dcb370c737e0041b4bff9887

root=$(cd "$(dirname "$0")/.." && pwd)
dir=$root/.tools/pact
lib=$dir/libpact_ffi.so

matches() { [ -f "$1" ] && printf '%s  %s\n' "$sha256" "$1" | sha256sum --check --status; }

# The stamp saves hashing 19 MB on every run. It was written after the library was verified.
if [ -f "$lib" ] && [ "$dir/.verified" -nt "$lib" ] && [ "$(cat "$dir/.verified")" = "$sha256" ]; then
	exit 0
fi
mkdir -p "$dir"
if ! matches "$lib"; then
	work=$(mktemp -d "$dir/fetch.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	(cd "$work" && npm pack --silent "$package" >/dev/null && tar -xzf ./*.tgz package/prebuilds/linux-x64/libpact_ffi.so)
	fetched=$work/package/prebuilds/linux-x64/libpact_ffi.so
	if ! matches "$fetched"; then
		echo "fetch-pact-ffi: $package holds another libpact_ffi.so than expected" >&2
		exit 1
	fi
	mv "$fetched" "$lib"
fi
printf '%s' "$sha256" >"$dir/.verified"

#!/bin/sh
# Prints the path of a program: the installed one, or else one from Debian packages, which are unpacked into
# .tools/debian without root. The first argument is the program, the second its package. If the third argument is
# "libraries", the libraries on which the package depends are unpacked too, and the packages in further arguments, if
# they exist.
#
#     e2e/setup/debian-tool.sh promtool prometheus
#     e2e/setup/debian-tool.sh pgbouncer pgbouncer libraries
#     e2e/setup/debian-tool.sh haproxy haproxy libraries libopentracing1
set -eu

program=$1
package=$2
libraries=${3:-}
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
	# A fresh machine has no package lists, but a user without root can have separate ones.
	if apt-cache show "$package" >/dev/null 2>&1 && apt-get download "$package" >/dev/null 2>&1; then
		lists=
	else
		mkdir -p lists/partial
		lists="-o Dir::State::lists=$work/lists"
		# shellcheck disable=SC2086 # the option is two words
		apt-get -qq $lists update >/dev/null 2>&1
		# shellcheck disable=SC2086
		apt-get $lists download "$package" >/dev/null 2>&1
	fi
	if [ -n "$libraries" ]; then
		# shellcheck disable=SC2086,SC2046 # a list of packages
		apt-get $lists download $(apt-cache $lists depends "$package" |
			awk '/^ *\|?Depends: lib/ && $2 != "libc6" { print $2 }') >/dev/null 2>&1
		shift 3
		for further in "$@"; do
			# shellcheck disable=SC2086
			apt-get $lists download "$further" >/dev/null 2>&1 || true
		done
	fi
	for file in ./*.deb; do dpkg-deb --extract "$file" unpacked; done
	mkdir -p "$dir"
	cp -a unpacked/. "$dir/"
	cd "$dir"
	binary=$(find . -path "*bin/$program" -type f | head -n 1)
	libraries=$(find . -name '*.so*' -printf '$here/%h\n' | sort -u | paste -s -d :)
	# The wrapper finds the files from its own place, so that a clone can be moved.
	# shellcheck disable=SC2016 # $here and "$@" are of the wrapper
	printf '#!/bin/sh\nhere=$(cd "$(dirname "$0")" && pwd)\nLD_LIBRARY_PATH="%s" exec "$here/%s" "$@"\n' \
		"$libraries" "$binary" >"$wrapper.$$"
	chmod +x "$wrapper.$$"
	mv "$wrapper.$$" "$wrapper"
fi
echo "$wrapper"

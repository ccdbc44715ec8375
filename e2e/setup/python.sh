#!/usr/bin/env bash
# Unpacks the distribution's Python into .tools/python and prints a program that starts it. Needs apt and dpkg, and no
# root: nothing is installed.
set -euo pipefail
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools/python
start=$tools/python3
if [ ! -x "$start" ]; then
  mkdir -p "$tools/packages" && cd "$tools/packages"
  # A fresh machine has no package lists, but a user without root can have separate ones.
  apt=()
  if ! apt-get --print-uris download python3-minimal >/dev/null 2>&1; then
    mkdir -p "$tools/lists/partial"
    apt=(-o "Dir::State::lists=$tools/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
    apt-get -qq "${apt[@]}" update >&2
  fi
  needed=$(apt-cache "${apt[@]}" depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances python3-minimal libpython3-stdlib | grep -E '^(lib|python3|media|openssl|ca-)' | grep -vx libc6 | sort -u)
  apt-get "${apt[@]}" download $needed >&2
  for package in *.deb; do dpkg -x "$package" "$tools/root"; done
  cd "$tools"
  binary=$(find root/usr/bin -name 'python3.*' -type f | head -n 1)
  libraries=$(find root -type d -name '*-linux-gnu*' -printf '$here/%p\n' | paste -sd:)
  # The program finds its files relative to its folder, so that a clone can be moved.
  # shellcheck disable=SC2016 # $here and "$@" are of the program
  printf '#!/bin/sh\nhere=$(cd "$(dirname "$0")" && pwd)\nexport PYTHONHOME="$here/root/usr" LD_LIBRARY_PATH="%s"\nexec "$here/%s" "$@"\n' \
    "$libraries" "$binary" >"$start.new"
  chmod +x "$start.new" && mv "$start.new" "$start"
fi
echo "$start"

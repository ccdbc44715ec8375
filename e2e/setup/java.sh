#!/usr/bin/env bash
# Prints the folder of a Java runtime that compiles single source files: the installed one, or else the distribution's,
# which is unpacked into .tools/java (one package of 44 MB). Needs apt and dpkg, but no root: nothing is installed.
set -euo pipefail
compiles() { "$1/bin/java" --list-modules 2>/dev/null | grep -q '^jdk.compiler'; }
if installed=$(command -v java) && home=$(dirname "$(dirname "$(readlink -f "$installed")")") && compiles "$home"; then
  echo "$home" && exit
fi
tools=$(cd "$(dirname "$0")/../.." && pwd)/.tools/java
if [ ! -e "$tools/home" ]; then
  mkdir -p "$tools/packages" && cd "$tools/packages"
  # A fresh machine has no package lists, but a user without root can have separate ones.
  apt=()
  if ! apt-get --print-uris download default-jre-headless >/dev/null 2>&1; then
    mkdir -p "$tools/lists/partial"
    apt=(-o "Dir::State::lists=$tools/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
    apt-get -qq "${apt[@]}" update >&2
  fi
  package=$(apt-cache "${apt[@]}" depends default-jre-headless | grep -oE 'openjdk-[0-9]+-jre-headless' | head -n 1)
  apt-get "${apt[@]}" download "$package" >&2
  rm -rf "$tools/root" && dpkg -x ./"$package"_*.deb "$tools/root"
  rm ./"$package"_*.deb
  home=$(dirname "$(dirname "$(find "$tools/root/usr/lib/jvm" -path '*/bin/java' -type f | head -n 1)")")
  # The settings are links to /etc, where nothing was installed.
  find "$home" -type l -lname '/etc/*' | while read -r link; do
    target=$tools/root$(readlink "$link")
    if [ -e "$target" ]; then ln -sfnr "$target" "$link"; fi
  done
  compiles "$home" || { echo "the distribution's $package has no compiler" >&2; exit 1; }
  ln -sfnr "$home" "$tools/home" # relative, so that a clone can be moved
fi
echo "$tools/home"

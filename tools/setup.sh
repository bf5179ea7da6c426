#!/bin/sh
# Installs what is missing of packages.txt: as root directly, else with sudo; without either it names what is
# missing and stops with 1. On a system without dpkg it checks nothing and says so.
set -eu
cd "$(dirname "$0")/.."

command -v dpkg-query >/dev/null 2>&1 || {
  echo "setup: not a Debian system; needed are the equivalents of:" $(grep -v '^#' packages.txt)
  exit 0
}

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=
for package in $(grep -v '^#' packages.txt); do
  installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "setup: installing$missing"
if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null 2>&1; then
  as_root=sudo
else
  echo "setup: neither root nor sudo; please install:$missing" >&2
  exit 1
fi
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing

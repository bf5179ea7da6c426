#!/bin/sh
# Installs what is missing of packages.txt: as root directly, else with sudo; without either it names what is
# missing and stops with 1. On a system without dpkg it checks nothing and says so. Then the viewer's packages, where
# npm is; without them vparity writes no report.html, and all else works.
set -eu
cd "$(dirname "$0")/.."

# Names of the installed packages and of what they provide: a Node.js from elsewhere may bring its npm along.
installed() {
  dpkg-query -W -f '${db:Status-Status},${Package},${Provides}\n' | sed -n 's/^installed,//p' | tr ',' '\n' |
    sed 's/^ *//; s/[ :].*//'
}

debian_packages() {
  command -v dpkg-query >/dev/null 2>&1 || {
    echo "setup: not a Debian system; needed are the equivalents of:" $(grep -v '^#' packages.txt)
    return 0
  }
  present=$(installed)
  missing=
  for package in $(grep -v '^#' packages.txt); do
    echo "$present" | grep -qxF "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0

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
}

# What was installed of the lock file stands beside it, so that nothing is asked of the registry again.
viewer_packages() {
  command -v npm >/dev/null 2>&1 || return 0
  done=reports/viewer/node_modules/.installed-lock.json
  cmp -s reports/viewer/package-lock.json "$done" && return 0
  echo "setup: installing the viewer's packages"
  if (cd reports/viewer && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then
    cp reports/viewer/package-lock.json "$done"
  else
    echo "setup: npm ci failed in reports/viewer; vparity will write no report.html" >&2
  fi
}

debian_packages
viewer_packages

#!/usr/bin/env bash
# Proves the README's promise in fresh clones, with the system's Node and npm only: both commands succeed, also after
# set-up was killed half-way, twice at once, and in a folder that other users cannot enter. Takes several minutes, and about
# ten more for the test cluster, unless XDG_CACHE_HOME names a folder that has it.
#   scripts/verify-fresh-clone.sh [folder to work in]
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/rad-clone-XXXXXX")
trap 'rm -rf "$work"' EXIT
export HOME=$work/home
mkdir "$HOME"
if [ -n "${NPM_CONFIG_CACHE:-}" ]; then echo "using the npm cache $NPM_CONFIG_CACHE"; fi
if [ -n "${XDG_CACHE_HOME:-}" ]; then echo "using the tools cache $XDG_CACHE_HOME"; fi
echo "node $(node --version), npm $(npm --version 2>/dev/null), as $(id -un)"

step() { printf '\n== %s\n' "$*"; }
clone() { git clone --quiet "$source" "$work/$1"; }
quietly() { # runs a command; shows its output only when it fails
  local log=$work/log
  if ! "$@" >"$log" 2>&1; then
    cat "$log"
    echo "FAILED: $*"
    exit 1
  fi
}

step "./rad demo in a fresh clone"
clone demo
cd "$work/demo"
quietly ./rad demo

step "the second time nothing is installed, not even with npm gone and no network"
PATH=/nonexistent quietly /bin/sh ./rad version --cli

step "set-up killed half-way is repaired"
clone killed
cd "$work/killed"
for seconds in 0.5 2 5; do
  setsid ./rad version --cli >/dev/null 2>&1 &
  launcher=$!
  sleep "$seconds"
  kill -9 -- "-$launcher" 2>/dev/null || true
  wait "$launcher" 2>/dev/null || true
done
quietly ./rad demo
if ls -d .cache/setup* 2>/dev/null; then
  echo "FAILED: staging folders were left behind"
  exit 1
fi

step "two at once"
clone twice
cd "$work/twice"
./rad version --cli >"$work/first" 2>&1 &
first=$!
./rad version --cli >"$work/second" 2>&1 &
second=$!
wait "$first" || { cat "$work/first"; exit 1; }
wait "$second" || { cat "$work/second"; exit 1; }

step "npm test in a fresh clone, in a folder that other users cannot enter"
mkdir -m 700 "$work/private"
clone private/clone
cd "$work/private/clone"
CI=1 npm test

step "the clone is clean afterwards"
if [ -n "$(git status --porcelain)" ]; then
  git status --short
  echo "FAILED: the tests changed the working tree"
  exit 1
fi
echo "all good"

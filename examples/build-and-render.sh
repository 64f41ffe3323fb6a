#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# README's first command: installs what the build needs (Debian), builds into build/, draws the example scenes into out/*.png
# and says what was drawn on what. BUILD and OUT name other folders; words go to gallery, for instance: cube --size 800x600
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
out=${OUT:-out}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        echo "failed: $*" >&2
        exit 1
    }
}

sh tests/install-deps.sh
[ -f "$build/build.ninja" ] || quietly meson setup "$build"
echo "Building into $build (some minutes)"
quietly ninja -C "$build" examples/gallery api/command/terrazzo
"$build/api/command/terrazzo" run -- "$build/examples/gallery" --out "$out" "$@"

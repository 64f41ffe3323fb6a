#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
# README's first command: installs what the build needs (Debian), builds the CPU driver into build/, draws the
# example scenes into out/*.png and lists them with their devices. BUILD and OUT name other folders; arguments
# go to gallery, for instance: cube --size 800x600. A new build folder has neither GPU drivers nor tests,
# which need two thirds of the build's time. tests/run.sh and README's section 4 add them.
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

# On a terminal ninja's own progress line; elsewhere a line for each tenth. Failures are printed completely.
build_with_progress() {
    if [ -t 1 ]; then
        NINJA_STATUS='[%f of %t, %e s] ' ninja -C "$build" "$@"
        return
    fi
    { NINJA_STATUS='@ %f %t %e ' ninja -C "$build" "$@" || echo failed >"$log"; } | awk '
        /^@ / {
            if (int($2 * 10 / $3) > tenths) {
                tenths = int($2 * 10 / $3); printf "  %d of %d, %d s\n", $2, $3, $4; fflush()
            }
            next
        }
        !/^ninja: (Entering directory|no work)/ { print }'
    [ ! -s "$log" ]
}

sh tests/install-deps.sh
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"  # tests/run.sh has the reason
[ -f "$build/build.ninja" ] || quietly meson setup "$build" '-Ddrivers=[]' -Dtests=false
echo "Building into $build"
: >"$log"
build_with_progress examples/gallery api/command/terrazzo
"$build/api/command/terrazzo" run -- "$build/examples/gallery" --out "$out" "$@"

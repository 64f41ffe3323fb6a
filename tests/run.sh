#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# README's second command: installs missing packages, builds, runs every test. The last line is "N passed, N
# failed, N skipped". BUILD is the build folder (default: build). Arguments go to `meson setup`, for instance
# -Db_sanitize=address,undefined. With FUZZ_SECONDS each fuzzer also runs for that time (tests/fuzz/run.sh),
# as a test. The files of a test program are compiled in groups (HACKING.md): a fresh build is faster, a build
# after an edit slower.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
sh tests/install-deps.sh tests ${FUZZ_SECONDS:+fuzz}
if [ ! -f "$build/build.ninja" ]; then
    log=${TMPDIR:-/tmp}/terrazzo-setup.log
    meson setup "$build" -Dunity_tests=true "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
else
    # A folder of examples/build-and-render.sh has neither tests nor all drivers.
    grep -q 'test_adreno_driver' "$build/build.ninja" ||
        meson configure "$build" -Dtests=true -Ddrivers=mali,adreno,agx -Dunity_tests=true
    [ $# -eq 0 ] || meson configure "$build" "$@"
fi
# ccache only caches code with a precompiled header if it is told that macros in the header do not matter.
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
ninja -C "$build"
status=0
# Programs are slow on a busy machine, and slower with sanitizers. A hang is still found.
patience=4
grep -q 'fsanitize=' "$build/build.ninja" && patience=20
meson test -C "$build" --no-rebuild --print-errorlogs --num-processes "$(nproc)" \
    --timeout-multiplier $patience || status=$?
logs=$build/meson-logs/testlog.json
if [ -n "${FUZZ_SECONDS:-}" ]; then
    sh tests/fuzz/run.sh "$FUZZ_SECONDS" "$build-fuzz" || status=1
    logs="$logs $build-fuzz/meson-logs/testlog.json"
fi
# shellcheck disable=SC2086 # one log or two
python3 tests/summary.py $logs || status=1
exit $status

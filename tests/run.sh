#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# README's second command: installs what is missing, builds, runs every test, ends with "N passed, N failed, N skipped".
# BUILD names the build folder (default build); words go to `meson setup`, for instance -Db_sanitize=address,undefined.
# With FUZZ_SECONDS each fuzzer runs so long, too (tests/fuzz/run.sh), and is a test that counts.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
sh tests/install-deps.sh tests ${FUZZ_SECONDS:+fuzz}
if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" "$@" >"${TMPDIR:-/tmp}/terrazzo-setup.log" 2>&1 || { cat "${TMPDIR:-/tmp}/terrazzo-setup.log"; exit 1; }
else
    # A folder of examples/build-and-render.sh has neither tests nor all drivers.
    grep -q 'test_adreno_driver' "$build/build.ninja" || meson configure "$build" -Dtests=true -Ddrivers=mali,adreno
    [ $# -eq 0 ] || meson configure "$build" "$@"
fi
# ccache keeps what was compiled with a precompiled header only where it is told that macros in it do not matter.
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
ninja -C "$build"
status=0
# A busy machine makes programs slow, sanitizers more so; what hangs is found all the same.
patience=4
grep -q 'fsanitize=' "$build/build.ninja" && patience=20
meson test -C "$build" --no-rebuild --print-errorlogs --num-processes "$(nproc)" --timeout-multiplier $patience || status=$?
logs=$build/meson-logs/testlog.json
if [ -n "${FUZZ_SECONDS:-}" ]; then
    sh tests/fuzz/run.sh "$FUZZ_SECONDS" "$build-fuzz" || status=1
    logs="$logs $build-fuzz/meson-logs/testlog.json"
fi
# shellcheck disable=SC2086 # one log or two
python3 tests/summary.py $logs || status=1
exit $status

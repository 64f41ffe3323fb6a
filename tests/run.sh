#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# README's second command: installs what is missing, builds, runs every test, ends with "N passed, N failed, N skipped".
# BUILD names the build folder (default build); words go to `meson setup`, for instance -Db_sanitize=address,undefined.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
sh tests/install-deps.sh tests
if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" "$@" >"${TMPDIR:-/tmp}/terrazzo-setup.log" 2>&1 || { cat "${TMPDIR:-/tmp}/terrazzo-setup.log"; exit 1; }
elif [ $# -gt 0 ]; then
    meson configure "$build" "$@"
fi
ninja -C "$build"
status=0
# A busy machine makes programs slow, sanitizers more so; what hangs is found all the same.
patience=4
grep -q 'fsanitize=' "$build/build.ninja" && patience=20
meson test -C "$build" --no-rebuild --print-errorlogs --num-processes "$(nproc)" --timeout-multiplier $patience || status=$?
python3 tests/summary.py "$build/meson-logs/testlog.json" || status=1
exit $status

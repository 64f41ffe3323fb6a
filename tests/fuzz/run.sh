#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Builds the fuzzers (Clang's libFuzzer, AddressSanitizer, UndefinedBehaviorSanitizer) and runs each:
#   tests/fuzz/run.sh [SECONDS [FOLDER [NAME...]]]      default: 20 seconds each, in build-fuzz, all
# Runs as many at a time as there are cores. The results are in FOLDER/meson-logs/testlog.json, where `meson
# test` writes them.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-20}
build=${2:-build-fuzz}
[ $# -lt 2 ] || shift
[ $# -lt 1 ] || shift
clang=$(command -v clang-14 || command -v clang || true)
# Writes a result in place of the tests if they cannot run: tell RESULT WHY.
tell() {
    echo "fuzzers: $1: $2" >&2
    mkdir -p "$build/meson-logs"
    echo "{\"name\": \"fuzzers\", \"result\": \"$1\", \"stdout\": \"$2\"}" >"$build/meson-logs/testlog.json"
}
[ -n "$clang" ] || { tell SKIP 'there is no clang (sh tests/install-deps.sh fuzz)'; exit 0; }
if [ ! -f "$build/build.ninja" ]; then
    # Static, and without code that fuzzers do not reach: this builds only a fraction. Line tables come with
    # -Dfuzzers, without other debug information. -Db_lundef: shared libraries find the sanitizers' functions
    # in the program.
    CC=$clang CXX=$(command -v clang++-14 || command -v clang++) \
        meson setup "$build" -Dfuzzers=true -Dtests=false -Db_sanitize=address,undefined -Db_lundef=false \
        -Db_ndebug=false -Doptimization=1 -Ddefault_library=static \
        -Dllvm=disabled -Dwayland=disabled -Dx11=disabled >"${TMPDIR:-/tmp}/terrazzo-setup-fuzz.log" 2>&1 ||
        { cat "${TMPDIR:-/tmp}/terrazzo-setup-fuzz.log"; tell FAIL 'meson setup failed'; exit 1; }
fi
ninja -C "$build" fuzzers || { tell FAIL 'they do not build'; exit 1; }
symbolizer=$(command -v llvm-symbolizer-14 || command -v llvm-symbolizer || true)
[ -z "$symbolizer" ] || export ASAN_SYMBOLIZER_PATH="$symbolizer"
for name; do
    set -- "$@" "fuzz-$name"
    shift
done
TERRAZZO_FUZZ_SECONDS=$seconds exec meson test -C "$build" --no-rebuild --print-errorlogs \
    --num-processes "$(nproc)" "$@"

#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# weston (headless, GL) and its clients, all on Terrazzo: every glmark2 scene that can be validated, then
# every default scene for a short time.
. "$(dirname "$0")/lib.sh"

need weston && start_weston || finish
if need weston-simple-egl; then
    runs 3 weston-simple-egl "$terrazzo" run -- weston-simple-egl
fi
if need es2gears_wayland; then
    "$terrazzo" run -- stdbuf -oL es2gears_wayland >"$work/gears" 2>&1 &  # prints after 5 seconds
    pids="$pids $!"
    wait_for $! grep -q 'frames in .* FPS' "$work/gears"
    if kill $!; then pass; else fail 'es2gears_wayland ended'; fi
    expect "$work/gears" 'frames in .* FPS' es2gears_wayland
fi
if need glmark2-es2-wayland; then
    "$terrazzo" run -- glmark2-es2-wayland --validate -s 256x256 >"$work/validate" 2>&1 ||
        fail "glmark2 --validate: exit status $?"
    good=$(grep -c 'Validation: Success' "$work/validate")
    if grep -q 'Validation: Failure' "$work/validate" || [ "$good" -lt 20 ]; then
        fail "glmark2 --validate: $good scenes right"
        grep -E 'Failure|Error' "$work/validate"
    else
        pass
    fi
    "$terrazzo" run -- glmark2-es2-wayland -s 400x300 -b :duration=0.3 >"$work/run" 2>&1 ||
        fail "glmark2: exit status $?"
    expect "$work/run" 'glmark2 Score: [0-9]+' glmark2
    expect "$work/run" 'GL_RENDERER: .*Terrazzo soft' glmark2
fi
finish

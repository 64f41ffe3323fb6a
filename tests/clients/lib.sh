# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# The client tests source this file. They run Debian's own programs, unmodified, on Terrazzo. $1 is the
# terrazzo command.
# A failed check prints a line; finish prints "N passed, N failed, N skipped".
terrazzo=$1
work=$(mktemp -d)
export XDG_RUNTIME_DIR="$work" TERRAZZO_SHADER_CACHE="$work/cache"
chmod 700 "$work"
unset DISPLAY WAYLAND_DISPLAY
passed=0 failed=0 skipped=0 pids=

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }
# need PROGRAM: false (and one skip) if Debian's program is not installed.
need() { command -v "$1" >/dev/null 2>&1 || { skip "$1 is not installed"; return 1; }; }
# expect FILE PATTERN WHAT: the file must have a line that matches.
expect() {
    if grep -Eq -- "$2" "$1"; then
        pass
    else
        fail "$3: no line matches '$2' in:"
        tail -n 15 "$1"
    fi
}
# runs SECONDS WHAT CMD...: CMD must still run after SECONDS; its output goes to $work/out.
runs() {
    seconds=$1 what=$2 status=0
    shift 2
    timeout "$seconds" "$@" >"$work/out" 2>&1 || status=$?
    case $status in 124) pass ;; *) fail "$what: exit status $status"; tail -n 15 "$work/out" ;; esac
}
# become_nobody: sets $as_user to a command that runs a program which refuses to run as root. False (and one
# skip, which says why) if the user nobody lacks a permission: compositors of wlroots share memory with
# clients through files in /dev/shm.
become_nobody() {
    as_user=
    [ "$(id -u)" -eq 0 ] || return 0
    need runuser || return 1
    as_user="runuser -u nobody --"
    chown nobody "$work" || { skip "the folder $work cannot belong to the user nobody"; return 1; }
    $as_user test -x "$terrazzo" || { skip "the user nobody may not reach $terrazzo"; return 1; }
    $as_user test -w "$work" || { skip "the user nobody may not write to $work"; return 1; }
    $as_user test -w /dev/shm || {
        mode=$(stat -c %a /dev/shm)
        skip "the user nobody may not write to /dev/shm (mode $mode), where wlroots shares memory"
        return 1
    }
}
# wait_for PID CMD...: waits until CMD succeeds or the process ends, but at most 60 seconds, because other
# tests run at the same time.
wait_for() {
    waited_for=$1
    shift
    for _ in $(seq 600); do
        "$@" && return
        kill -0 "$waited_for" 2>/dev/null || return 0
        sleep 0.1
    done
}
# started SOCKET WHAT LOG: false (and one failure, with the log's end) if the server did not create its
# socket.
started() { [ -S "$1" ] || { fail "$2 did not start:"; tail -n 15 "$3"; return 1; }; }
# start_weston ARGS...: with $weston_preload, starts a headless compositor that draws with GL on Terrazzo;
# sets WAYLAND_DISPLAY.
start_weston() {
    "$terrazzo" run -- env ${weston_preload:+"LD_PRELOAD=$weston_preload"} weston \
        --backend=headless-backend.so --use-gl \
        --socket=terrazzo-test --idle-time=0 --width=1024 --height=768 "$@" >"$work/weston.log" 2>&1 &
    pids="$pids $!"
    wait_for $! test -S "$work/terrazzo-test"
    export WAYLAND_DISPLAY=terrazzo-test
    started "$work/terrazzo-test" weston "$work/weston.log"
}
# start_xvfb: starts an X server without a screen; the number of its display is in $work/display. False (and
# one failure) if it did not start.
start_xvfb() {
    Xvfb -displayfd 3 -screen 0 640x480x24 3>"$work/display" >"$work/xvfb.log" 2>&1 &
    pids="$pids $!"
    wait_for $! test -s "$work/display"
    [ ! -s "$work/display" ] || return 0
    fail "Xvfb did not start:"
    tail -n 15 "$work/xvfb.log"
    return 1
}
finish() {
    for p in $pids; do kill "$p" 2>/dev/null; done
    wait 2>/dev/null
    rm -rf "$work"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] || exit 1
    [ "$passed" -gt 0 ] || exit 77
    exit 0
}
trap 'for p in $pids; do kill "$p" 2>/dev/null; done' EXIT

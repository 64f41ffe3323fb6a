#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# X11 windows on real servers: in Xvfb, which has no DRI3, with MIT-SHM; in Xwayland with DRI3. There
# Xwayland's glamor draws on Terrazzo, and so does sway, which shows Xwayland as a window. $2:
# libterrazzo-shim.so, whose node both open. X11_DEVICES: the devices (default: soft). X11_KEEP: a folder for
# the screenshots.
. "$(dirname "$0")/lib.sh"
shim=$2
need es2gears_x11 || finish

# gears: whether the screenshot has more than 100 pixels close to red, green and blue, which are the gears
# from the largest to the smallest. Prints the counts.
gears() {
    python3 - "$1" <<'P'
import re, sys
data = open(sys.argv[1], 'rb').read()
body = data[re.match(rb'P6\s+\d+ \d+\s+255\s', data).end():]
counts = [0, 0, 0]
for i in range(0, len(body), 3):
    pixel = body[i:i + 3]
    for c in range(3):
        counts[c] += pixel[c] > 150 and max(pixel[:c] + pixel[c + 1:]) < 80
print(*counts)
sys.exit(min(counts) <= 100 or counts[0] <= 2 * max(counts[1:]))
P
}

# client DEVICE HOW: es2gears on the X server of DISPLAY must show frames with the method that the pattern HOW
# matches.
client() {
    log="$work/client.log"
    : >"$log"  # remove the output of the last client
    TERRAZZO_DEVICE=$1 TERRAZZO_DEBUG=egl timeout 120 "$terrazzo" run -- es2gears_x11 >"$log" \
        2>&1 </dev/null &
    client=$!
    pids="$pids $client"
    for _ in $(seq 300); do
        grep -q 'egl: window: ' "$log" && break
        sleep 0.1
    done
    expect "$log" "egl: window: $2" "es2gears_x11 on $1"
}
end() { kill "$1" 2>/dev/null; wait "$1" 2>/dev/null; }

for device in ${X11_DEVICES:-soft}; do
    need Xvfb && start_xvfb || break
    DISPLAY=:$(cat "$work/display") client "$device" \
        'frames are copied into memory that the server maps \(MIT-SHM\); the server has no DRI3'
    end "$client"
    # It creates its window with XCB and passes Xlib's display to EGL, in its own module.
    need weston || continue
    TERRAZZO_DEVICE=$device TERRAZZO_DEBUG=egl DISPLAY=:$(cat "$work/display") \
        "$terrazzo" run -- weston --backend=x11-backend.so --width=320 --height=240 --socket=in-x11 \
            --idle-time=0 >"$work/weston.log" 2>&1 </dev/null &
    weston=$!
    pids="$pids $weston"
    for _ in $(seq 300); do
        grep -q 'egl: window: ' "$work/weston.log" && break
        kill -0 "$weston" 2>/dev/null || break
        sleep 0.1
    done
    expect "$work/weston.log" 'egl: window: frames are copied' "weston's X11 backend on $device"
    end "$weston"
done

need Xwayland && need sway && need grim || finish
become_nobody || finish  # sway refuses to run as root
export HOME="$work" WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=gles2 \
    WLR_RENDERER_ALLOW_SOFTWARE=1
cat >"$work/config" <<'C'
output HEADLESS-1 resolution 640x480 bg #204060 solid_color
default_border none
xwayland disable
C
chmod 644 "$work/config"
for device in ${X11_DEVICES:-soft}; do
    rm -f "$work"/wayland-* "$work"/display "$work"/sway.pid
    export TERRAZZO_DEVICE=$device
    # shellcheck disable=SC2016 # for the inner shell
    $as_user sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$work/sway.pid" "$terrazzo" run \
        -- env LD_PRELOAD="$shim" sway -c "$work/config" >"$work/sway.log" 2>&1 </dev/null &
    sway=$!
    pids="$pids $sway"
    for _ in $(seq 150); do
        [ -S "$work/wayland-1" ] && break
        sleep 0.1
    done
    started "$work/wayland-1" "sway on $device" "$work/sway.log" || continue
    export WAYLAND_DISPLAY=wayland-1
    "$terrazzo" run -- env LD_PRELOAD="$shim" Xwayland -displayfd 3 -noreset -verbose 10 3>"$work/display" \
        >"$work/xwayland.log" 2>&1 </dev/null &
    xwayland=$!
    pids="$pids $xwayland"
    for _ in $(seq 300); do
        [ -s "$work/display" ] && break
        sleep 0.1
    done
    [ -s "$work/display" ] || { fail "Xwayland on $device did not start:"; tail -n 15 "$work/xwayland.log";
        continue; }
    DISPLAY=:$(cat "$work/display") client "$device" 'the server shows the memory that is drawn to \(DRI3 1\.'
    seen='' counts=none
    for _ in $(seq 100); do
        timeout 60 grim -t ppm "$work/screen.ppm" >"$work/grim.log" 2>&1 || { cat "$work/grim.log"; break; }
        counts=$(gears "$work/screen.ppm") && { seen=1; break; }
        sleep 0.3
    done
    [ -z "$X11_KEEP" ] || cp "$work/screen.ppm" "$X11_KEEP/xwayland-$device.ppm"
    if [ -n "$seen" ]; then pass; else
        fail "Xwayland on $device: no screenshot has the gears; red, green, blue pixels in the last: $counts"
        tail -n 15 "$work/xwayland.log"
    fi
    # The server dies while its client runs.
    kill -9 "$xwayland"
    wait "$xwayland" 2>/dev/null
    status=0
    timeout 60 tail --pid="$client" -f /dev/null || status=$?
    if [ "$status" -eq 0 ]; then pass; else fail "es2gears_x11 on $device still runs without its server"; fi
    end "$client"
    kill "$(cat "$work/sway.pid")" 2>/dev/null
    wait "$sway" 2>/dev/null
done
finish

#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# sway, a compositor of wlroots, without a screen. Its GLES renderer draws into buffers of our libgbm, on the
# node that the shim ($2: libterrazzo-shim.so) shows. The buffers of its clients are dma-bufs, on the same
# device and on another one. Its screenshot must show the client's triangle.
. "$(dirname "$0")/lib.sh"
shim=$2
need sway && need grim && need weston-simple-egl || finish

become_nobody || finish  # sway refuses to run as root
export HOME="$work" WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=gles2 \
    WLR_RENDERER_ALLOW_SOFTWARE=1
cat >"$work/config" <<'C'
output HEADLESS-1 resolution 320x240 bg #204060 solid_color
default_border none
xwayland disable
C
chmod 644 "$work/config"

# triangle: whether the screenshot has more than 100 pixels close to each colour of the triangle's corners:
# pure red, green, blue. Prints the counts.
triangle() {
    python3 - "$work/screen.ppm" <<'P'
import re, sys
data = open(sys.argv[1], 'rb').read()
body = data[re.match(rb'P6\s+\d+ \d+\s+255\s', data).end():]
counts = [0, 0, 0]
for i in range(0, len(body), 3):
    pixel = body[i:i + 3]
    for c in range(3):
        counts[c] += pixel[c] > 150 and max(pixel[:c] + pixel[c + 1:]) < 100
print(*counts)
sys.exit(min(counts) <= 100)
P
}

# start PIDFILE CMD...: runs as the user. A signal reaches the program itself, not the command that changes
# the user.
start() {
    # shellcheck disable=SC2016 # for the inner shell
    exec $as_user sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$@"
}

# commits COUNT: whether the client has committed more frames.
commits() { [ "$(grep -c 'wl_surface@.*commit' "$log")" -gt "$1" ]; }

# client SERVER CLIENT LAYOUT: a client on its own device must show its triangle, in buffers of that layout (a
# modifier as WAYLAND_DEBUG prints it).
client() {
    what="client on $2 of sway on $1" log="$work/client.log"
    WAYLAND_DISPLAY=wayland-1 WAYLAND_DEBUG=1 TERRAZZO_DEVICE=$2 start "$work/client.pid" timeout 180 \
        "$terrazzo" run -- weston-simple-egl >"$log" 2>&1 </dev/null &
    client=$!
    pids="$pids $client"
    wait_for "$client" commits 5
    # The triangle rotates and is sometimes seen from its edge. On a busy machine the window may not be there
    # yet.
    seen='' counts=none
    for _ in $(seq 60); do
        WAYLAND_DISPLAY=wayland-1 timeout 60 grim -t ppm "$work/screen.ppm" >"$work/grim.log" 2>&1 ||
            { cat "$work/grim.log"; break; }
        counts=$(triangle) && { seen=1; break; }
        sleep 0.3
    done
    [ -z "$SWAY_KEEP" ] || cp "$work/screen.ppm" "$SWAY_KEEP/sway-$1-$2.ppm"
    expect "$log" "zwp_linux_buffer_params_v1@.*\.add\(fd [0-9]+, 0, 0, [0-9]+, $3\)" "buffers of the $what"
    if [ -n "$seen" ]; then pass; else
        fail "$what: no screenshot has the triangle; pixels of each corner in the last: $counts"
    fi
    kill "$(cat "$work/client.pid")" 2>/dev/null
    wait "$client" 2>/dev/null
}

# A client on the same device shares its best layout. A client on another device shares the layout that both
# know: linear.
linear='0, 0'
while read -r device other layout; do
    rm -f "$work"/wayland-* "$work"/sway-ipc* "$work"/*.pid
    TERRAZZO_DEVICE=$device start "$work/sway.pid" "$terrazzo" run -- env LD_PRELOAD="$shim" sway -d \
        -c "$work/config" >"$work/sway.log" 2>&1 </dev/null &
    sway=$!
    pids="$pids $sway"
    wait_for "$sway" test -S "$work/wayland-1"
    if started "$work/wayland-1" "sway on $device" "$work/sway.log"; then
        client "$device" "$device" "$layout"
        client "$device" "$other" "$linear"
    fi
    expect "$work/sway.log" 'Created GBM allocator with backend terrazzo' "sway on $device"
    kill "$(cat "$work/sway.pid")" 2>/dev/null
    wait "$sway" 2>/dev/null
done <<D
soft sim:adreno-630 $linear
sim:mali-g610 soft 135266304, 1
sim:adreno-630 sim:mali-g610 83886080, 1
D
finish

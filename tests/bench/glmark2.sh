#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Runs glmark2-es2-wayland scene by scene on Terrazzo and on a peer, in turn, inside one headless weston
# (pixman), with two threads each. Prints frames a second, the ratio (above 1: Terrazzo is faster), and the
# geometric mean.
#   glmark2.sh TERRAZZO_COMMAND [PEER_WRAPPER [SECONDS [SCENE...]]]
# PEER_WRAPPER runs its arguments on another implementation. Without it, or with `-`, the peer is the system's
# own.
set -eu
terrazzo=$1 peer=${2:--} seconds=${3:-2}
[ $# -le 3 ] && scenes='build:use-vbo=false build:use-vbo=true
    texture:texture-filter=nearest texture:texture-filter=linear texture:texture-filter=mipmap
    shading:shading=gouraud shading:shading=blinn-phong-inf shading:shading=phong shading:shading=cel
    bump:bump-render=high-poly bump:bump-render=normals bump:bump-render=height
    effect2d:kernel=0,1,0;1,-4,1;0,1,0; effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;
    pulsar:light=false:quads=5:texture=false
    desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4 desktop:effect=shadow:windows=4
    buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=map
    buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=subdata
    buffer:columns=200:interleave=true:update-dispersion=0.9:update-fraction=0.5:update-method=map
    ideas:speed=duration jellyfish terrain shadow refract
    conditionals:fragment-steps=0:vertex-steps=0 conditionals:fragment-steps=5:vertex-steps=0
    conditionals:fragment-steps=0:vertex-steps=5
    function:fragment-complexity=low:fragment-steps=5 function:fragment-complexity=medium:fragment-steps=5
    loop:fragment-loop=false:fragment-steps=5:vertex-steps=5
    loop:fragment-steps=5:fragment-uniform=false:vertex-steps=5
    loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5' || { shift 3; scenes=$*; }
work=$(mktemp -d)
export XDG_RUNTIME_DIR="$work" WAYLAND_DISPLAY=bench TERRAZZO_THREADS=2 LP_NUM_THREADS=2
weston --backend=headless-backend.so --use-pixman --width=1024 --height=768 --socket=bench \
    --idle-time=0 >"$work/weston" 2>&1 &
weston=$!
trap 'kill $weston 2>/dev/null; wait $weston 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -S "$work/bench" ] && break; sleep 0.3; done

fps() { # WRAPPER... SCENE: frames a second
    "$@" 2>/dev/null | sed -n 's/.*FPS: *\([0-9.]*\).*/\1/p' | head -1
}
with_peer() { if [ "$peer" = - ]; then "$@"; else "$peer" "$@"; fi; }

printf '%-60s %8s %8s %7s\n' scene Terrazzo peer ratio
for s in $scenes; do
    a=$(fps "$terrazzo" run -- glmark2-es2-wayland -s 800x600 -b "$s:duration=$seconds")
    b=$(fps with_peer glmark2-es2-wayland -s 800x600 -b "$s:duration=$seconds")
    echo "$s ${a:-0} ${b:-0}"
done | awk '{ r = $3 > 0 ? $2 / $3 : 0; printf "%-60s %8d %8d %7.2f\n", substr($1, 1, 60), $2, $3, r; fflush()
        if (r > 0) { sum += log(r); n++ } }
    END { if (n) printf "%-60s %25.2f\n", "geometric mean of " n, exp(sum / n) }'

#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Programs that draw with OpenGL ES 3: a WebGL 2 page in Chromium, GStreamer's glvideomixer, mpv with its best
# scalers.
. "$(dirname "$0")/lib.sh"

here=$(cd "$(dirname "$0")" && pwd)
export HOME="$work"

if need chromium; then
    timeout 120 "$terrazzo" run -- chromium --no-sandbox --headless=new --use-gl=angle --use-angle=gles-egl \
        --ignore-gpu-blocklist \
        --disable-dev-shm-usage --virtual-time-budget=6000 --dump-dom "file://$here/webgl2.html" \
            >"$work/page" 2>"$work/chromium.log"
    expect "$work/page" 'right: 4 of 4, error 0, .*Terrazzo' 'WebGL 2 in Chromium'
fi
if need gst-launch-1.0 && gst-inspect-1.0 glvideomixer >/dev/null 2>&1; then
    # Colour bars on the left; nothing on the right, where the mixer shows a chequered background.
    GST_GL_API=gles2 GST_GL_PLATFORM=egl GST_GL_WINDOW=egl-device timeout 60 "$terrazzo" run \
        -- gst-launch-1.0 -q glvideomixer name=m \
        ! gldownload ! video/x-raw,format=RGBA,width=320,height=120 ! filesink location="$work/mixed" \
        videotestsrc num-buffers=1 ! video/x-raw,width=160,height=120 ! glupload ! m.sink_0 >"$work/gst.log" \
            2>&1
    # The first row's pixels within the first three bars.
    for x in 8 32 56; do od -An -tx1 -j $((4 * x)) -N 3 "$work/mixed"; done 2>&1 | tr -d '\n' >"$work/bars"
    expect "$work/bars" '^ f[d-f] f[d-f] f[d-f] f[d-f] f[d-f] 0[0-2] 0[0-2] f[d-f] f[d-f]$' \
        'glvideomixer: white, yellow, cyan'
fi
if need mpv && need Xvfb && start_xvfb; then
    DISPLAY=:$(cat "$work/display") timeout 120 "$terrazzo" run -- mpv --no-config --vo=gpu \
        --gpu-context=x11egl --opengl-es=yes \
        --profile=gpu-hq --scale=ewa_lanczossharp --cscale=ewa_lanczossharp --msg-level=vo=v --frames=3 \
        --geometry=320x240 'av://lavfi:testsrc2=size=160x120:rate=5' >"$work/mpv.log" 2>&1 ||
            fail "mpv: exit status $?"
    expect "$work/mpv.log" "GL_VERSION='OpenGL ES 3.* Terrazzo" mpv
    if grep -qiE 'error|fail' "$work/mpv.log"; then
        fail 'mpv reports an error:'
        grep -iE 'error|fail' "$work/mpv.log" | head -5
    else
        pass
    fi
fi
finish

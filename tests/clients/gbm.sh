#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Programs that open a node of /dev/dri and get buffers from GBM. They use the shim's node ($2:
# libterrazzo-shim.so), with our libgbm, and with Mesa's libgbm and our backend for it.
. "$(dirname "$0")/lib.sh"
shim=$2
export WAFFLE_GBM_DEVICE=/dev/dri/renderD128

if need wflinfo; then
    for device in soft sim:mali-g610 sim:adreno-630; do
        TERRAZZO_DEVICE=$device "$terrazzo" run -- env LD_PRELOAD="$shim" wflinfo --platform gbm --api gles2 \
            >"$work/wflinfo" 2>&1
        expect "$work/wflinfo" 'OpenGL version string: OpenGL ES .* Terrazzo' "wflinfo on $device"
    done
    TERRAZZO_DEVICE=soft "$terrazzo" run --glvnd -- env LD_PRELOAD="$shim" wflinfo --platform gbm \
        --api gles2 >"$work/wflinfo" 2>&1
    expect "$work/wflinfo" 'OpenGL renderer string: .*Software Rasterizer' "wflinfo with Mesa's libgbm"
fi
if need eglinfo; then
    "$terrazzo" run -- eglinfo >"$work/eglinfo" 2>&1
    expect "$work/eglinfo" '^GBM platform:' eglinfo
    expect "$work/eglinfo" '^0x.* 0x34325258' 'configs of eglinfo'
fi
# A compositor shows the buffers of a program, which it gets as dma-bufs, with fences. It knows those fences
# only under the shim.
weston_preload=$shim
if need weston && need weston-simple-dmabuf-egl && start_weston; then
    for device in soft sim:mali-g610 sim:adreno-630; do
        TERRAZZO_DEVICE=$device runs 3 "weston-simple-dmabuf-egl on $device" \
            "$terrazzo" run -- env LD_PRELOAD="$shim" weston-simple-dmabuf-egl
    done
fi
finish

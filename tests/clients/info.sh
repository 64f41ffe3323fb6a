#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# Programs that print what EGL and OpenGL ES offer: eglinfo, wflinfo, es2_info (an X11 program, so under
# Xvfb).
. "$(dirname "$0")/lib.sh"

if need eglinfo; then
    "$terrazzo" run -- eglinfo >"$work/eglinfo" 2>&1
    expect "$work/eglinfo" 'EGL vendor string: Terrazzo' eglinfo
    expect "$work/eglinfo" 'EGL_KHR_surfaceless_context' eglinfo
fi
if need wflinfo; then
    "$terrazzo" run -- wflinfo --platform surfaceless_egl --api gles2 >"$work/wflinfo" 2>&1
    expect "$work/wflinfo" 'OpenGL renderer string: .*Software Rasterizer' wflinfo
    expect "$work/wflinfo" 'OpenGL version string: OpenGL ES 3.* Terrazzo' wflinfo
fi
if need es2_info && need Xvfb && start_xvfb; then
    DISPLAY=:$(cat "$work/display") "$terrazzo" run -- es2_info >"$work/es2_info" 2>&1
    expect "$work/es2_info" 'GL_VERSION: OpenGL ES 3.* Terrazzo' es2_info
    expect "$work/es2_info" 'EGL_VENDOR: Terrazzo' es2_info
fi
finish

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""functions_test.py SOURCE egl.h: each EGL function of Terrazzo must be in EGL's core, dispatched by
libglvnd, or dispatched by api/glvnd/dispatch.cpp. Otherwise it would be called with displays of other
vendors."""
import pathlib
import re
import sys

root, egl_h = map(pathlib.Path, sys.argv[1:])
# libglvnd, src/generate/eglFunctionList.py: extensions that libEGL.so.1 dispatches itself.
LIBEGL = {'eglCreatePlatformWindowSurfaceEXT', 'eglCreatePlatformPixmapSurfaceEXT',
          'eglGetPlatformDisplayEXT', 'eglQueryDevicesEXT',
          'eglQueryDisplayAttribEXT', 'eglQueryDisplayAttribKHR', 'eglDebugMessageControlKHR',
          'eglQueryDebugKHR', 'eglLabelObjectKHR'}
core = set(re.findall(r'^EGLAPI\s.+?EGLAPIENTRY\s+(egl\w+)', egl_h.read_text(), re.M))
have = set(re.findall(r'TZ_ROW\((egl\w+)\)', (root / 'api/egl/proc.cpp').read_text()))
stubs = set(re.findall(r'X\((egl\w+),', (root / 'api/glvnd/dispatch.cpp').read_text()))
wrong = [f'api/glvnd/dispatch.cpp lacks {n}' for n in sorted(have - core - LIBEGL - stubs)]
wrong += [f'api/glvnd/dispatch.cpp has {n}, which it must not dispatch'
          for n in sorted(stubs - (have - core - LIBEGL))]
for w in wrong:
    print(w)
print(f'{len(have)} passed, {len(wrong)} failed')
sys.exit(bool(wrong) or len(core) < 40 or len(have) < len(core))

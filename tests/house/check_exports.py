#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Checks that the libraries export their API and nothing else.

  check_exports.py NM libEGL libGLESv2 libterrazzo libGLESv1_CM [libgbm]
"""
import re
import subprocess
import sys

nm, *libraries = sys.argv[1:]
RULES = [
    (r'^egl[A-Z]\w+$', ['eglGetDisplay', 'eglGetPlatformDisplay', 'eglCreateSync', 'eglWaitSync',
                        'eglGetProcAddress']),
    (r'^gl[A-Z]\w+$', ['glDrawArrays', 'glGenVertexArraysOES', 'glDrawElementsInstanced',
                       'glDispatchCompute', 'glBlendBarrier']),
    (r'^terrazzo_\w+$', ['terrazzo_egl_table', 'terrazzo_gl_table', 'terrazzo_es1_table',
                         'terrazzo_create_instance', 'terrazzo_finish']),
    (r'^gl[A-Z]\w+$', ['glDrawArrays', 'glLightfv', 'glTexEnvxv', 'glDrawTexfOES', 'glBindFramebufferOES']),
    (r'^gbm_\w+$', ['gbm_create_device', 'gbm_bo_create_with_modifiers2', 'gbm_surface_lock_front_buffer']),
]
passed = failed = 0
for library, (pattern, needed) in zip(libraries, RULES):
    symbols = subprocess.run([nm, '-D', '--defined-only', library], check=True, capture_output=True,
                             text=True)
    lines = symbols.stdout.split('\n')
    names = {l.split()[2].split('@')[0] for l in lines if len(l.split()) == 3 and l.split()[1] != 'A'}
    wrong = [f'exports {n}' for n in sorted(names) if not re.match(pattern, n)]
    wrong += [f'lacks {n}' for n in needed if n not in names]
    for w in wrong[:20]:
        print(f'{library}: {w}')
    passed, failed = passed + (not wrong), failed + bool(wrong)
print(f'{passed} passed, {failed} failed')
sys.exit(bool(failed))

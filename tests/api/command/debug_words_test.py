#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""Tests the words of TERRAZZO_DEBUG: debug_words_test.py path/to/terrazzo. A small program (`draw`, below)
draws a triangle on a virtual GPU."""
import ctypes
import os
import subprocess
import sys
import unittest

VERTEX = 'attribute vec4 p; void main() { gl_Position = p; }'
PLAIN = 'precision highp float; uniform float u; void main() { gl_FragColor = vec4(u); }'
ENDLESS = ('precision highp float; uniform float u; '
           'void main() { float x = 0.0; while (x < 2.0) x += u; gl_FragColor = vec4(x); }')


def draw(fragment):
    egl, gl = ctypes.CDLL('libEGL.so.1'), ctypes.CDLL('libGLESv2.so.2')
    for name in ('eglGetDisplay', 'eglCreateContext', 'eglCreatePbufferSurface'):
        getattr(egl, name).restype = ctypes.c_void_p
    gl.glClearColor.argtypes = [ctypes.c_float] * 4
    display = ctypes.c_void_p(egl.eglGetDisplay(None))
    config, count = ctypes.c_void_p(), ctypes.c_int()
    ints = lambda *v: (ctypes.c_int * len(v))(*v)
    assert egl.eglInitialize(display, None, None)
    attributes = ints(0x3033, 1, 0x3040, 4, 0x3024, 8, 0x3038)
    assert egl.eglChooseConfig(display, attributes, ctypes.byref(config), 1, ctypes.byref(count))
    surface = ctypes.c_void_p(egl.eglCreatePbufferSurface(display, config,
                                                          ints(0x3057, 16, 0x3056, 16, 0x3038)))
    context = ctypes.c_void_p(egl.eglCreateContext(display, config, None, ints(0x3098, 2, 0x3038)))
    assert egl.eglMakeCurrent(display, surface, surface, context)
    program = gl.glCreateProgram()
    for kind, text in ((0x8B31, VERTEX), (0x8B30, fragment)):
        shader = gl.glCreateShader(kind)
        gl.glShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text.encode())), None)
        gl.glCompileShader(shader)
        gl.glAttachShader(program, shader)
    gl.glBindAttribLocation(program, 0, b'p')
    gl.glLinkProgram(program)
    gl.glUseProgram(program)
    corners = (ctypes.c_float * 6)(-1, -1, 3, -1, -1, 3)
    gl.glVertexAttribPointer(0, 2, 0x1406, 0, 0, corners)
    gl.glEnableVertexAttribArray(0)
    gl.glClear(0x4000)
    gl.glDrawArrays(4, 0, 3)
    print('drawn', flush=True)
    gl.glFinish()


class Words(unittest.TestCase):
    def run_with(self, words, which='plain', device='sim:mali-g610'):
        env = dict(os.environ, TERRAZZO_DEBUG=words, TERRAZZO_SHADER_CACHE='off', EGL_PLATFORM='surfaceless')
        r = subprocess.run([TERRAZZO, 'run', '--device', device, '--', sys.executable,
                            os.path.abspath(__file__),
                            'draw', which], env=env,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
        self.assertEqual(r.returncode, 0, r.stdout)
        return r.stdout

    def test_quiet(self):
        self.assertEqual(self.run_with('gl,egl,perf,noearlyz,linear,noafbc,nocrc,nofp16'), 'drawn\n')

    def test_a_fault_is_its_draws(self):
        message = ("terrazzo: sync: glDrawArrays: the device lost this context's work since its last "
                   'submission (caused by this context)\n')
        out = self.run_with('sync,flush', 'endless')
        self.assertIn(message, out)
        self.assertLess(out.index(message), out.index('drawn'))

    def test_without_flush_it_is_that_of_the_submission(self):
        out = self.run_with('sync', 'endless')
        self.assertGreater(out.index('terrazzo: sync: glFinish: the device lost'), out.index('drawn'))

    def test_shaders_as_text(self):
        out = self.run_with('ir,shaders')
        for part in ('terrazzo: ir: linked:\nterrazzo: ir: vertex {\n',
                     'terrazzo: ir: mali, prepared, position part:\n',
                     'terrazzo: ir: mali, prepared, fragment shader:\n',
                     'terrazzo: shaders: program, fragment: ', '  BLEND.'):
            self.assertIn(part, out)
        self.assertIn('terrazzo: ir: soft, lowered:\n', self.run_with('ir', device='soft'))

    def test_a_trace_as_text(self):
        out = self.run_with('trace,trace-limit:1')
        self.assertEqual(out.count('\nSubmission ') + out.startswith('Submission '), 1)
        self.assertIn('RUN_', self.run_with('trace'))
        self.assertIn('Blend RT 0 @', self.run_with('trace', device='noop:mali-g610'))


if __name__ == '__main__':
    if sys.argv[1] == 'draw':
        draw({'plain': PLAIN, 'endless': ENDLESS}[sys.argv[2]])
    else:
        TERRAZZO = os.path.abspath(sys.argv.pop(1))
        result = unittest.main(exit=False).result
        bad = len(result.failures) + len(result.errors)
        print(f'{result.testsRun - bad} passed, {bad} failed')
        sys.exit(bool(bad))

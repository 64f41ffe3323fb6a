#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
"""PyOpenGL with PYOPENGL_PLATFORM=egl: draws a rotated quad of four colours over a chequered texture, and
writes it to the PPM file that the argument names."""
import ctypes
import importlib.util
import os
import sys

if not importlib.util.find_spec('OpenGL'):
    sys.exit(77)  # not installed
os.environ.setdefault('PYOPENGL_PLATFORM', 'egl')
from OpenGL import EGL, GLES2  # noqa: E402 (the import chooses the platform)

WIDTH, HEIGHT = 256, 192
VERTEX = 'attribute vec2 at; attribute vec4 tint; varying vec4 colour; varying vec2 place;' \
         'void main() { gl_Position = vec4(at, 0.0, 1.0); colour = tint; place = at; }'
FRAGMENT = 'precision mediump float; varying vec4 colour; varying vec2 place; uniform sampler2D chequers;' \
           'void main() { gl_FragColor = colour * texture2D(chequers, place * 4.0); }'


def context():
    display = EGL.eglGetDisplay(EGL.EGL_DEFAULT_DISPLAY)
    EGL.eglInitialize(display, ctypes.c_long(), ctypes.c_long())
    EGL.eglBindAPI(EGL.EGL_OPENGL_ES_API)
    wanted = (EGL.EGLint * 7)(EGL.EGL_SURFACE_TYPE, EGL.EGL_PBUFFER_BIT, EGL.EGL_RENDERABLE_TYPE,
                              EGL.EGL_OPENGL_ES2_BIT, EGL.EGL_RED_SIZE, 8, EGL.EGL_NONE)
    config, count = (EGL.EGLConfig * 1)(), EGL.EGLint()
    EGL.eglChooseConfig(display, wanted, config, 1, count)
    surface = EGL.eglCreatePbufferSurface(display, config[0],
                                          (EGL.EGLint * 5)(EGL.EGL_WIDTH, WIDTH, EGL.EGL_HEIGHT, HEIGHT,
                                                           EGL.EGL_NONE))
    made = EGL.eglCreateContext(display, config[0], EGL.EGL_NO_CONTEXT,
                                (EGL.EGLint * 3)(EGL.EGL_CONTEXT_CLIENT_VERSION, 2, EGL.EGL_NONE))
    EGL.eglMakeCurrent(display, surface, surface, made)


def program():
    made = GLES2.glCreateProgram()
    for kind, source in ((GLES2.GL_VERTEX_SHADER, VERTEX), (GLES2.GL_FRAGMENT_SHADER, FRAGMENT)):
        shader = GLES2.glCreateShader(kind)
        GLES2.glShaderSource(shader, source)
        GLES2.glCompileShader(shader)
        if not GLES2.glGetShaderiv(shader, GLES2.GL_COMPILE_STATUS):
            sys.exit(GLES2.glGetShaderInfoLog(shader))
        GLES2.glAttachShader(made, shader)
    GLES2.glLinkProgram(made)
    GLES2.glUseProgram(made)
    return made


def draw():
    print(ctypes.cast(GLES2.glGetString(GLES2.GL_RENDERER), ctypes.c_char_p).value.decode())
    made = program()
    GLES2.glBindTexture(GLES2.GL_TEXTURE_2D, GLES2.glGenTextures(1))
    GLES2.glTexImage2D(GLES2.GL_TEXTURE_2D, 0, GLES2.GL_LUMINANCE, 2, 2, 0, GLES2.GL_LUMINANCE,
                       GLES2.GL_UNSIGNED_BYTE, bytes((255, 96, 0, 0, 96, 255)))
    for name in (GLES2.GL_TEXTURE_MIN_FILTER, GLES2.GL_TEXTURE_MAG_FILTER):
        GLES2.glTexParameteri(GLES2.GL_TEXTURE_2D, name, GLES2.GL_NEAREST)
    corners = ((0, -0.9, 1, 0, 0, 1), (0.9, 0, 0, 1, 0, 1), (-0.9, 0, 0, 0, 1, 1), (0, 0.9, 1, 1, 0, 1))
    data = (ctypes.c_float * 24)(*(v for corner in corners for v in corner))
    GLES2.glBindBuffer(GLES2.GL_ARRAY_BUFFER, GLES2.glGenBuffers(1))
    GLES2.glBufferData(GLES2.GL_ARRAY_BUFFER, ctypes.sizeof(data), data, GLES2.GL_STATIC_DRAW)
    for name, size, offset in (('at', 2, 0), ('tint', 4, 8)):
        at = GLES2.glGetAttribLocation(made, name)
        GLES2.glEnableVertexAttribArray(at)
        GLES2.glVertexAttribPointer(at, size, GLES2.GL_FLOAT, False, 24, ctypes.c_void_p(offset))
    GLES2.glViewport(0, 0, WIDTH, HEIGHT)
    GLES2.glClearColor(0.1, 0.2, 0.3, 1)
    GLES2.glClear(GLES2.GL_COLOR_BUFFER_BIT)
    GLES2.glDrawArrays(GLES2.GL_TRIANGLE_STRIP, 0, 4)
    pixels = (ctypes.c_ubyte * (WIDTH * HEIGHT * 4))()
    GLES2.glReadPixels(0, 0, WIDTH, HEIGHT, GLES2.GL_RGBA, GLES2.GL_UNSIGNED_BYTE, pixels)
    return bytes(pixels)


def main():
    context()
    pixels = draw()
    rows = [pixels[y * WIDTH * 4:(y + 1) * WIDTH * 4] for y in reversed(range(HEIGHT))]
    rgb = bytearray(WIDTH * HEIGHT * 3)
    for c in range(3):
        rgb[c::3] = b''.join(rows)[c::4]
    with open(sys.argv[1], 'wb') as file:
        file.write(b'P6 %d %d 255\n' % (WIDTH, HEIGHT) + rgb)


main()

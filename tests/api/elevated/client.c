// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The program of elevated_test.py. It draws on the device of the environment and on a virtual GPU, with
// libraries from the folder in argv[1] (a set-user-ID program has no LD_LIBRARY_PATH), and prints the
// results. With the word "probe" it only queries the default display.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static __eglMustCastToProperFunctionPointerType (*get)(const char*);
#define CALL(result, name, types) ((result(*) types)get(name))

static void* load(const char* folder, const char* name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    void* library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    return library;
}

static GLuint shader(GLenum type, const char* text) {
    const GLuint s = CALL(GLuint, "glCreateShader", (GLenum))(type);
    CALL(void, "glShaderSource", (GLuint, GLsizei, const char**, const GLint*))(s, 1, &text, NULL);
    CALL(void, "glCompileShader", (GLuint))(s);
    return s;
}

static int draw(EGLDisplay d) {
    EGLConfig config;
    EGLint count = 0;
    const EGLint config_list[] = {EGL_RED_SIZE,
                                  8,
                                  EGL_GREEN_SIZE,
                                  8,
                                  EGL_BLUE_SIZE,
                                  8,
                                  EGL_RENDERABLE_TYPE,
                                  EGL_OPENGL_ES2_BIT,
                                  EGL_SURFACE_TYPE,
                                  EGL_PBUFFER_BIT,
                                  EGL_NONE};
    const EGLint context_list[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    if (!CALL(EGLBoolean, "eglInitialize", (EGLDisplay, EGLint*, EGLint*))(d, NULL, NULL) ||
        !CALL(EGLBoolean, "eglChooseConfig", (EGLDisplay, const EGLint*, EGLConfig*, EGLint, EGLint*))(
            d, config_list, &config, 1, &count) ||
        count != 1)
        return 0;
    const EGLContext c =
        CALL(EGLContext, "eglCreateContext", (EGLDisplay, EGLConfig, EGLContext, const EGLint*))(
            d, config, EGL_NO_CONTEXT, context_list);
    const EGLSurface s =
        CALL(EGLSurface, "eglCreatePbufferSurface", (EGLDisplay, EGLConfig, const EGLint*))(d, config, size);
    if (!CALL(EGLBoolean, "eglMakeCurrent", (EGLDisplay, EGLSurface, EGLSurface, EGLContext))(d, s, s, c))
        return 0;
    const GLuint p = CALL(GLuint, "glCreateProgram", (void))();
    CALL(void, "glAttachShader", (GLuint, GLuint))
    (p, shader(GL_VERTEX_SHADER, "attribute vec4 a; void main() { gl_Position = a; }"));
    CALL(void, "glAttachShader", (GLuint, GLuint))
    (p, shader(GL_FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(0.25, 0.5, 0.75, 1.0); }"));
    CALL(void, "glLinkProgram", (GLuint))(p);
    CALL(void, "glUseProgram", (GLuint))(p);
    const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    CALL(void, "glVertexAttribPointer", (GLuint, GLint, GLenum, GLboolean, GLsizei, const void*))
    (0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    CALL(void, "glEnableVertexAttribArray", (GLuint))(0);
    CALL(void, "glDrawArrays", (GLenum, GLint, GLsizei))(GL_TRIANGLES, 0, 3);
    unsigned char pixel[4] = {0};
    CALL(void, "glReadPixels", (GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void*))
    (8, 8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    printf("renderer=%s pixel=%02x%02x%02x\n", CALL(const char*, "glGetString", (GLenum))(GL_RENDERER),
           pixel[0], pixel[1], pixel[2]);
    return 1;
}

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    printf("elevated=%d\n", getauxval(AT_SECURE) != 0);
    load(argv[1], "libterrazzo.so.0");
    void* const egl = load(argv[1], "libEGL.so.1");
    *(void**)&get = dlsym(egl, "eglGetProcAddress");
    if (!get) return 2;
    const EGLDisplay first = CALL(EGLDisplay, "eglGetDisplay", (EGLNativeDisplayType))(EGL_DEFAULT_DISPLAY);
    if (argc > 2 && !strcmp(argv[2], "probe")) return 0;
    if (!draw(first)) return 3;
    // A virtual GPU that the program itself chooses: it could be traced.
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    CALL(EGLBoolean, "eglQueryDevicesEXT", (EGLint, EGLDeviceEXT*, EGLint*))(16, devices, &count);
    for (EGLint i = 0; i < count; ++i) {
        const char* const name = CALL(const char*, "eglQueryDeviceStringEXT", (EGLDeviceEXT, EGLint))(
            devices[i], EGL_RENDERER_EXT);
        if (name && !strcmp(name, "sim:mali-g610") &&
            !draw(CALL(EGLDisplay, "eglGetPlatformDisplayEXT", (EGLenum, void*, const EGLint*))(
                EGL_PLATFORM_DEVICE_EXT, devices[i], NULL)))
            return 4;
    }
    if (argc > 2) {  // the shim, as far as possible without LD_PRELOAD
        void* const shim = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
        int (*const shim_open)(const char*, int, ...) =
            shim ? (int (*)(const char*, int, ...))dlsym(shim, "open") : NULL;
        printf("shim=%d\n", shim_open && shim_open("/dev/dri/renderD128", O_RDWR) >= 0);
    }
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL and OpenGL ES functions, loaded by name from the libEGL.so.1 and libGLESv2.so.2 that the loader finds.
// Therefore one program can measure several implementations.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace bench {

inline void* symbol(const char* library, const char* name) {
    void* const lib = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    void* const f = lib ? dlsym(lib, name) : nullptr;
    if (!f) {
        std::fprintf(stderr, "gl_bench: %s has no %s: %s\n", library, name, dlerror());
        std::exit(1);
    }
    return f;
}

}  // namespace bench

// `gl(glClear)(...)`: each place in the code looks its function up once.
#define egl(f)                                                                                  \
    (*[] {                                                                                      \
        static const auto p = reinterpret_cast<decltype(&f)>(bench::symbol("libEGL.so.1", #f)); \
        return p;                                                                               \
    }())
#define gl(f)                                                                                      \
    (*[] {                                                                                         \
        static const auto p = reinterpret_cast<decltype(&f)>(bench::symbol("libGLESv2.so.2", #f)); \
        return p;                                                                                  \
    }())

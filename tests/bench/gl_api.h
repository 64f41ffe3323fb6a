// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL and OpenGL ES functions loaded by name from whatever libEGL.so.1 and libGLESv2.so.2 the loader finds,
// so that one program measures several implementations.
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

// `gl(glClear)(...)`: one look-up per place that calls.
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

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// dlopen and dlclose of libEGL.so.1 in a loop (its path is the argument). Everything is in use when it is
// closed: a context is current on this thread and on a thread that ends later, and worker threads exist.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <thread>

namespace {

int failed = 0;
#define EXPECT(x) \
    ((x) ? void() : void((std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x), ++failed)))

template <class F>
F find(void* library, const char* name) {
    return reinterpret_cast<F>(dlsym(library, name));
}

/// How often the library with the code is mapped.
int mappings() {
    char line[512];
    int n = 0;
    FILE* f = std::fopen("/proc/self/maps", "r");
    while (f && std::fgets(line, sizeof line, f))
        n += std::strstr(line, "libterrazzo.so") != nullptr;
    if (f) std::fclose(f);
    return n;
}

void use(const char* path, bool terminate) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    EXPECT(library);
    if (!library) return;
    auto get = find<decltype(&eglGetProcAddress)>(library, "eglGetProcAddress");
    auto display = find<decltype(&eglGetPlatformDisplay)>(library, "eglGetPlatformDisplay");
    auto initialize = find<decltype(&eglInitialize)>(library, "eglInitialize");
    auto create = find<decltype(&eglCreateContext)>(library, "eglCreateContext");
    auto make_current = find<decltype(&eglMakeCurrent)>(library, "eglMakeCurrent");
    auto end = find<decltype(&eglTerminate)>(library, "eglTerminate");
    EGLDisplay dpy = display(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    EXPECT(initialize(dpy, nullptr, nullptr));
    const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLContext c = create(dpy, nullptr, EGL_NO_CONTEXT, attributes);
    EXPECT(c != EGL_NO_CONTEXT);
    EXPECT(make_current(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, c));
    auto get_error = reinterpret_cast<unsigned (*)()>(get("glGetError"));
    EXPECT(get_error() == 0);
    if (terminate) {
        EXPECT(make_current(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
        EXPECT(end(dpy));
    }
    EXPECT(dlclose(library) == 0);
}

}  // namespace

int main(int, char** argv) {
    use(argv[1], true);
    const int once = mappings();
    EXPECT(once > 0);
    for (int i = 0; i < 60; ++i) {
        use(argv[1], i % 3 != 0);
        if (i % 5 == 0)
            std::thread(use, argv[1], i % 2 == 0)
                .join();  // the thread ends after dlclose, with the context current
    }
    EXPECT(mappings() == once);
    std::printf("%d passed, %d failed\n", failed == 0, failed);
    return failed != 0;
}

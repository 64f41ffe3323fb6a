// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/contexts.h"

#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <sys/mman.h>

#include <cstring>

namespace fuzz {

bool Contexts::create(unsigned robust_bits, int version) {
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (!eglInitialize(display, nullptr, nullptr)) return false;
    const EGLint want[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           version == 1 ? EGL_OPENGL_ES_BIT : EGL_OPENGL_ES2_BIT,
                           EGL_ALPHA_SIZE,
                           8,
                           EGL_DEPTH_SIZE,
                           24,
                           EGL_STENCIL_SIZE,
                           8,
                           EGL_NONE};
    EGLint n = 0;
    if (!eglChooseConfig(display, want, &config, 1, &n) || !n) return false;
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint plain[] = {EGL_CONTEXT_CLIENT_VERSION, version, EGL_NONE};
    const EGLint debug[] = {EGL_CONTEXT_CLIENT_VERSION,
                            version,
                            EGL_CONTEXT_OPENGL_DEBUG,
                            EGL_TRUE,
                            EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                            EGL_TRUE,
                            EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 61, EGL_HEIGHT, 67, EGL_NONE};
    for (int i = 0; i < 2; ++i) {
        context[i] = eglCreateContext(display, config, context[0], (robust_bits >> i & 1) ? debug : plain);
        surface[i] = eglCreatePbufferSurface(display, config, size);
        if (!context[i] || !surface[i]) return false;
    }
    return eglMakeCurrent(display, surface[0], surface[0], context[0]);
}

void Contexts::call(Random& r) {
    const unsigned which = r.below(2);
    EGLint value;
    switch (r.below(8)) {
        case 0:
            eglMakeCurrent(display, surface[r.below(2)], surface[which], context[which]);
            break;
        case 1:
            eglSwapBuffers(display, surface[which]);
            break;
        case 2: {
            const EGLint size[] = {EGL_WIDTH, r.bounded(70), EGL_HEIGHT, r.bounded(70), EGL_NONE};
            const EGLSurface s = eglCreatePbufferSurface(display, config, size);
            if (r.boolean()) eglMakeCurrent(display, s, s, context[which]);
            eglDestroySurface(display, s);
            break;
        }
        case 3: {
            const EGLImage image =
                eglCreateImage(display, context[which], EGL_GL_TEXTURE_2D,
                               reinterpret_cast<EGLClientBuffer>(uintptr_t(r.name())), nullptr);
            eglDestroyImage(display, image);
            break;
        }
        case 4: {
            const EGLSync sync = eglCreateSync(display, EGL_SYNC_FENCE, nullptr);
            eglClientWaitSync(display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT, r.boolean() ? 0 : 1000000);
            eglDestroySync(display, sync);
            break;
        }
        case 5:
            eglQuerySurface(display, surface[which], EGLint(r.pick({EGL_WIDTH, EGL_HEIGHT, EGL_CONFIG_ID})),
                            &value);
            break;
        case 6:
            eglQueryContext(display, context[which], EGLint(r.pick({EGL_CONFIG_ID, EGL_RENDER_BUFFER})),
                            &value);
            break;
        default:
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context[which]);
    }
    if (eglGetCurrentContext() == EGL_NO_CONTEXT)
        eglMakeCurrent(display, surface[which], surface[which], context[which]);
}

void Contexts::destroy(bool current_first) {
    if (current_first) eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    for (int i = 0; i < 2; ++i) {
        eglDestroyContext(display, context[i]);
        eglDestroySurface(display, surface[i]);
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display);
    eglReleaseThread();
}

bool known_error(unsigned e) {
    switch (e) {
        case GL_NO_ERROR:
        case GL_INVALID_ENUM:
        case GL_INVALID_VALUE:
        case GL_INVALID_OPERATION:
        case GL_OUT_OF_MEMORY:
        case GL_INVALID_FRAMEBUFFER_OPERATION:
        case 0x0503:  // GL_STACK_OVERFLOW
        case 0x0504:  // GL_STACK_UNDERFLOW
        case 0x0507:  // GL_CONTEXT_LOST
            return true;
    }
    return false;
}

Arena map_arena() {
    void* const p = mmap(nullptr, Arena::kSize_B, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return {p == MAP_FAILED ? nullptr : static_cast<uint8_t*>(p)};
}

void fill(Arena arena, uint64_t seed) {
    Random fill(seed, arena);
    for (size_t i = 0; i < Arena::kRandom_B; i += 4) {
        // Half of the floats are sizes that can be drawn, the others any bits.
        const float f = fill.real();
        uint32_t word = fill.bits();
        if (i / 4096 % 2) std::memcpy(&word, &f, 4);
        std::memcpy(arena.bytes + i, &word, 4);
    }
}

}  // namespace fuzz

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A rotating cube in a Wayland window: what a program with a window needs in addition to OpenGL ES. Ends when
// the window is closed, or after the number of frames on the command line.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <wayland-client.h>
#include <wayland-egl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "examples/common/cube.h"
#include "examples/common/matrix.h"
#include "examples/common/program.h"
#include "xdg-shell-client-protocol.h"

using namespace example;

namespace {

[[noreturn]] void fail(const char* what) {
    std::fprintf(stderr, "window: %s\n", what);
    std::exit(1);
}

/// The Wayland side: a connection, the two globals that a window needs, and the window.
struct Window {
    wl_display* display = nullptr;
    wl_compositor* compositor = nullptr;
    xdg_wm_base* shell = nullptr;
    wl_surface* surface = nullptr;
    xdg_surface* shell_surface = nullptr;
    xdg_toplevel* toplevel = nullptr;
    wl_egl_window* native = nullptr;  // EGL's native window
    int width = 400, height = 400;
    bool configured = false, closed = false;

    void open();
    void close();
};

void on_global(void* data, wl_registry* registry, uint32_t name, const char* interface, uint32_t version) {
    Window& w = *static_cast<Window*>(data);
    if (!std::strcmp(interface, wl_compositor_interface.name)) {
        const uint32_t wanted = version < 4 ? version : 4;
        w.compositor =
            static_cast<wl_compositor*>(wl_registry_bind(registry, name, &wl_compositor_interface, wanted));
    } else if (!std::strcmp(interface, xdg_wm_base_interface.name)) {
        static constexpr xdg_wm_base_listener kListener{
            [](void*, xdg_wm_base* shell, uint32_t serial) { xdg_wm_base_pong(shell, serial); }};
        w.shell = static_cast<xdg_wm_base*>(wl_registry_bind(registry, name, &xdg_wm_base_interface, 1));
        xdg_wm_base_add_listener(w.shell, &kListener, &w);
    }
}

void on_size(void* data, xdg_toplevel*, int32_t width, int32_t height, wl_array*) {
    Window& w = *static_cast<Window*>(data);
    if (width <= 0 || height <= 0) return;  // the program chooses
    w.width = width, w.height = height;
    if (w.native) wl_egl_window_resize(w.native, width, height, 0, 0);
}

void Window::open() {
    static constexpr wl_registry_listener kRegistryListener{on_global, [](void*, wl_registry*, uint32_t) {}};
    static constexpr xdg_surface_listener kSurfaceListener{[](void* data, xdg_surface* s, uint32_t serial) {
        xdg_surface_ack_configure(s, serial);
        static_cast<Window*>(data)->configured = true;
    }};
    static constexpr xdg_toplevel_listener kToplevelListener{
        on_size, [](void* data, xdg_toplevel*) { static_cast<Window*>(data)->closed = true; }, nullptr,
        nullptr};

    display = wl_display_connect(nullptr);
    if (!display) fail("there is no Wayland server (is WAYLAND_DISPLAY set?)");
    wl_registry* registry = wl_display_get_registry(display);
    wl_registry_add_listener(registry, &kRegistryListener, this);
    wl_display_roundtrip(display);
    wl_registry_destroy(registry);
    if (!compositor || !shell) fail("the Wayland server has no wl_compositor or xdg_wm_base");
    surface = wl_compositor_create_surface(compositor);
    shell_surface = xdg_wm_base_get_xdg_surface(shell, surface);
    xdg_surface_add_listener(shell_surface, &kSurfaceListener, this);
    toplevel = xdg_surface_get_toplevel(shell_surface);
    xdg_toplevel_add_listener(toplevel, &kToplevelListener, this);
    xdg_toplevel_set_title(toplevel, "Terrazzo");
    wl_surface_commit(surface);
    while (!configured && wl_display_dispatch(display) >= 0) {
    }
    native = wl_egl_window_create(surface, width, height);
}

void Window::close() {
    wl_egl_window_destroy(native);
    xdg_toplevel_destroy(toplevel);
    xdg_surface_destroy(shell_surface);
    wl_surface_destroy(surface);
    xdg_wm_base_destroy(shell);
    wl_compositor_destroy(compositor);
    wl_display_disconnect(display);
}

struct Egl {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLSurface surface = EGL_NO_SURFACE;
    EGLContext context = EGL_NO_CONTEXT;

    void open(const Window& window) {
        display = eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, window.display, nullptr);
        if (!eglInitialize(display, nullptr, nullptr)) fail("eglInitialize failed");
        const EGLint wanted[] = {EGL_SURFACE_TYPE,    EGL_WINDOW_BIT,     EGL_RED_SIZE, 8, EGL_DEPTH_SIZE, 16,
                                 EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE};
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
            fail("EGL has no config for windows");
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
        surface = eglCreatePlatformWindowSurface(display, config, window.native, nullptr);
        if (!eglMakeCurrent(display, surface, surface, context)) fail("eglMakeCurrent failed");
    }
    void close() const {
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(display);
        eglReleaseThread();
    }
};

struct Scene {
    GLuint program = 0;
    GLint projection = 0, model = 0;
    Cube cube = make_cube();

    void prepare() {
        program = build_program(
            R"(uniform mat4 projection, model;
               attribute vec3 position, normal;
               varying vec3 v_color;
               void main() {
                   vec3 n = mat3(model[0].xyz, model[1].xyz, model[2].xyz) * normal;
                   v_color = (0.3 + 0.7 * max(n.z, 0.0)) * (0.5 + 0.5 * normal);
                   gl_Position = projection * model * vec4(position, 1.0);
               })",
            R"(precision mediump float;
               varying vec3 v_color;
               void main() { gl_FragColor = vec4(v_color, 1.0); })",
            {"position", "normal"});
        projection = glGetUniformLocation(program, "projection");
        model = glGetUniformLocation(program, "model");
        glUseProgram(program);
        glEnable(GL_DEPTH_TEST);
        glClearColor(0.1f, 0.1f, 0.15f, 1);
        use_cube(cube);
    }
    void draw(int width, int height, int frame) const {
        const float t = float(frame) * 0.02f;
        glViewport(0, 0, width, height);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        const Matrix p = perspective(0.8f, float(width) / float(height), 1, 20);
        glUniformMatrix4fv(projection, 1, GL_FALSE, p.m);
        glUniformMatrix4fv(model, 1, GL_FALSE, (translate(0, 0, -5) * rotate_x(0.6f * t) * rotate_y(t)).m);
        draw_cube(cube);
    }
};

}  // namespace

int main(int argc, char** argv) {
    const int frames = argc > 1 ? std::atoi(argv[1]) : 0;  // 0: until the window is closed
    Window window;
    window.open();
    Egl egl;
    egl.open(window);
    Scene scene;
    scene.prepare();
    std::printf("window: drawing on %s\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)));
    int drawn = 0;
    while (!window.closed && (frames == 0 || drawn < frames)) {
        scene.draw(window.width, window.height, drawn++);
        // Waits for the display.
        if (!eglSwapBuffers(egl.display, egl.surface)) fail("eglSwapBuffers failed");
        if (wl_display_dispatch_pending(window.display) < 0) fail("the Wayland server is gone");
    }
    const GLenum error = glGetError();
    egl.close();
    window.close();
    std::printf("window: %d frames\n", drawn);
    return error == GL_NO_ERROR ? 0 : 1;
}

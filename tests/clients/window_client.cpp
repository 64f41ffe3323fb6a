// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A window of xdg-shell, for tests of killed compositors, of fences, and of speed. It uses the libEGL that
// the loader finds.
//   window_client until-lost            draws until eglSwapBuffers fails, prints the error, and terminates
//                                       EGL. No descriptor may be left
//   window_client halves COST SECONDS   frames of one colour each, whose left and right half are drawn
//                                       separately. COST: iterations of a loop for each pixel. The first
//                                       frames are cheap; then it prints "slow" and waits for each frame
//                                       after eglSwapBuffers, until its input ends or the time is over
//   window_client rate SECONDS          frames a second without waiting (interval 0)
//   window_client latency SECONDS       from eglSwapBuffers to the frame callback: median and 90 %, in
//                                       microseconds
// The size is the compositor's, or WINDOW_SIZE=WIDTHxHEIGHT, or 256x256. The last line of the output is the
// result.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <dirent.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>
#include <wayland-client.h>
#include <wayland-egl.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "xdg-shell-client-protocol.h"

namespace {

[[noreturn]] void die(const char* what) {
    std::printf("FAILED: %s (EGL error 0x%x)\n", what, unsigned(eglGetError()));
    std::exit(1);
}

double now_s() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

int count_fds() {
    int n = 0;
    DIR* const dir = opendir("/proc/self/fd");
    while (readdir(dir))
        ++n;
    closedir(dir);
    return n;
}

struct Client {
    wl_display* display = nullptr;
    wl_compositor* compositor = nullptr;
    xdg_wm_base* shell = nullptr;
    wl_surface* surface = nullptr;
    xdg_surface* role = nullptr;
    xdg_toplevel* toplevel = nullptr;
    wl_egl_window* window = nullptr;
    EGLDisplay egl = EGL_NO_DISPLAY;
    EGLSurface egl_surface = EGL_NO_SURFACE;
    EGLContext context = EGL_NO_CONTEXT;
    int width = 256, height = 256;
    GLint color = -1, turns = -1, span = -1;
    bool configured = false;

    void connect();
    void open();
    void link();
    void draw(const float rgb[3], float from, float to, int cost) const;
    void close();
};

void Client::connect() {
    if (const char* size = std::getenv("WINDOW_SIZE")) std::sscanf(size, "%dx%d", &width, &height);
    display = wl_display_connect(nullptr);
    if (!display) die("no compositor");
    static constexpr wl_registry_listener kGlobals{
        [](void* data, wl_registry* r, uint32_t name, const char* interface, uint32_t) {
            Client& c = *static_cast<Client*>(data);
            if (!std::strcmp(interface, wl_compositor_interface.name))
                c.compositor =
                    static_cast<wl_compositor*>(wl_registry_bind(r, name, &wl_compositor_interface, 4));
            else if (!std::strcmp(interface, xdg_wm_base_interface.name))
                c.shell = static_cast<xdg_wm_base*>(wl_registry_bind(r, name, &xdg_wm_base_interface, 1));
        },
        [](void*, wl_registry*, uint32_t) {}};
    wl_registry* const registry = wl_display_get_registry(display);
    wl_registry_add_listener(registry, &kGlobals, this);
    wl_display_roundtrip(display);
    wl_registry_destroy(registry);
    if (!compositor || !shell) die("no xdg-shell");
    static constexpr xdg_wm_base_listener kPing{
        [](void*, xdg_wm_base* b, uint32_t serial) { xdg_wm_base_pong(b, serial); }};
    xdg_wm_base_add_listener(shell, &kPing, this);
    static constexpr xdg_surface_listener kConfigure{[](void* data, xdg_surface* s, uint32_t serial) {
        xdg_surface_ack_configure(s, serial);
        static_cast<Client*>(data)->configured = true;
    }};
    static constexpr xdg_toplevel_listener kToplevel{
        [](void* data, xdg_toplevel*, int32_t w, int32_t h, wl_array*) {
            Client& c = *static_cast<Client*>(data);
            if (w <= 0 || h <= 0 || std::getenv("WINDOW_SIZE")) return;
            c.width = w, c.height = h;
            if (c.window) wl_egl_window_resize(c.window, c.width, c.height, 0, 0);
        },
        [](void*, xdg_toplevel*) {}, nullptr, nullptr};
    surface = wl_compositor_create_surface(compositor);
    role = xdg_wm_base_get_xdg_surface(shell, surface);
    xdg_surface_add_listener(role, &kConfigure, this);
    toplevel = xdg_surface_get_toplevel(role);
    xdg_toplevel_add_listener(toplevel, &kToplevel, this);
    wl_surface_commit(surface);
    while (!configured)
        if (wl_display_dispatch(display) < 0) die("the compositor is gone");
    window = wl_egl_window_create(surface, width, height);
}

void Client::open() {
    egl = eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, display, nullptr);
    if (!eglInitialize(egl, nullptr, nullptr)) die("eglInitialize");
    static constexpr EGLint kWanted[] = {
        EGL_RED_SIZE,   8,       EGL_ALPHA_SIZE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_SURFACE_TYPE,
        EGL_WINDOW_BIT, EGL_NONE};
    std::vector<EGLConfig> configs(100);
    EGLint n = 0;
    if (!eglChooseConfig(egl, kWanted, configs.data(), EGLint(configs.size()), &n) || n < 1)
        die("eglChooseConfig");
    EGLConfig config = configs[0];
    for (int i = n - 1; i >= 0; --i) {  // no alpha, which would cost the compositor time
        EGLint alpha = 0, size = 0;
        eglGetConfigAttrib(egl, configs[size_t(i)], EGL_ALPHA_SIZE, &alpha);
        eglGetConfigAttrib(egl, configs[size_t(i)], EGL_BUFFER_SIZE, &size);
        if (alpha == 0 && size == 24) config = configs[size_t(i)];
    }
    egl_surface = eglCreatePlatformWindowSurface(egl, config, window, nullptr);
    static constexpr EGLint kVersion[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    context = eglCreateContext(egl, config, EGL_NO_CONTEXT, kVersion);
    if (!eglMakeCurrent(egl, egl_surface, egl_surface, context)) die("eglMakeCurrent");
    link();
}

void Client::link() {
    static constexpr const char* kVertex =
        "attribute float s; attribute float t; uniform vec2 span;\n"
        "void main() { gl_Position = vec4(mix(span.x, span.y, s), t, 0.0, 1.0); }";
    static constexpr const char* kFragment =
        "precision highp float; uniform vec3 color; uniform int turns;\n"
        "void main() {\n"
        "  float f = fract(gl_FragCoord.x * 0.37);\n"
        "  for (int i = 0; i < 100000; ++i) { if (i >= turns) break; f = fract(f * 1.7 + 0.3); }\n"
        "  gl_FragColor = vec4(color * (f > 2.0 ? 0.0 : 1.0), 1.0);\n"
        "}";
    const GLuint program = glCreateProgram();
    for (const auto& [kind, text] :
         {std::pair(GL_VERTEX_SHADER, kVertex), std::pair(GL_FRAGMENT_SHADER, kFragment)}) {
        const GLuint shader = glCreateShader(GLenum(kind));
        glShaderSource(shader, 1, &text, nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glBindAttribLocation(program, 0, "s");
    glBindAttribLocation(program, 1, "t");
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked) die("glLinkProgram");
    glUseProgram(program);
    color = glGetUniformLocation(program, "color");
    turns = glGetUniformLocation(program, "turns");
    span = glGetUniformLocation(program, "span");
}

/// A rectangle of the whole height, from `from` to `to` of the width (-1 to 1).
void Client::draw(const float rgb[3], float from, float to, int cost) const {
    static constexpr float kS[] = {0, 1, 0, 1}, kT[] = {-1, -1, 1, 1};
    glViewport(0, 0, width, height);
    glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, kS);
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, kT);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glUniform3fv(color, 1, rgb);
    glUniform1i(turns, cost);
    glUniform2f(span, from, to);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void Client::close() {
    eglMakeCurrent(egl, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (!eglDestroySurface(egl, egl_surface)) die("eglDestroySurface");
    if (!eglDestroyContext(egl, context)) die("eglDestroyContext");
    if (!eglTerminate(egl)) die("eglTerminate");
    eglReleaseThread();
    wl_egl_window_destroy(window);
    xdg_toplevel_destroy(toplevel);
    xdg_surface_destroy(role);
    wl_surface_destroy(surface);
    xdg_wm_base_destroy(shell);
    wl_compositor_destroy(compositor);
    wl_display_disconnect(display);
}

constexpr float kColors[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}};

const float* color_of(unsigned frame) {
    return kColors[frame % std::size(kColors)];
}

int until_lost() {
    const int before = count_fds();
    Client c;
    c.connect();
    c.open();
    for (unsigned frame = 0;; ++frame) {
        c.draw(color_of(frame), -1, 1, 0);
        if (frame == 5) std::printf("drawing\n"), std::fflush(stdout);
        if (eglSwapBuffers(c.egl, c.egl_surface)) continue;
        const EGLint first = eglGetError();
        glClear(GL_COLOR_BUFFER_BIT);
        const bool again = eglSwapBuffers(c.egl, c.egl_surface);
        const EGLint second = eglGetError();
        c.close();
        const int left = count_fds() - before;
        std::printf("frame %u: eglSwapBuffers: 0x%x, then %s 0x%x; %d descriptors left open\n", frame,
                    unsigned(first), again ? "success" : "failure", unsigned(second), left);
        return first == EGL_SUCCESS || again || left > 0;
    }
}

bool input_ended() {
    pollfd p{STDIN_FILENO, POLLIN, 0};
    return poll(&p, 1, 0) > 0;
}

int halves(int cost, double seconds) {
    // Without waiting for frame callbacks the client soon draws into the buffers that the compositor has just
    // released, and still reads.
    constexpr unsigned kCheap = 200;
    Client c;
    c.connect();
    c.open();
    eglSwapInterval(c.egl, 0);
    unsigned frame = 0;
    double drawn_s = 0, swapped_s = 0;
    for (double end = now_s(); frame < kCheap || (now_s() < end && !input_ended()); ++frame) {
        const double begin = now_s();
        const int turns = frame < kCheap ? 1 : cost;
        c.draw(color_of(frame), -1, 0, turns);
        c.draw(color_of(frame), 0, 1, turns);
        const double drawn = now_s();
        if (!eglSwapBuffers(c.egl, c.egl_surface)) die("eglSwapBuffers");
        drawn_s += drawn - begin, swapped_s += now_s() - drawn;
        if (frame + 1 == kCheap) {
            eglSwapInterval(c.egl, 1);
            end = now_s() + seconds;
            std::printf("slow\n"), std::fflush(stdout);
        }
        // Wait, so that the compositor has the frame that the GPU draws now. A frame that the GPU has not
        // begun would show the single colour of an older frame.
        if (frame >= kCheap) glFinish();
    }
    c.close();
    std::printf("%u frames, %.1f ms drawing, %.1f ms swapping each\n", frame, drawn_s * 1e3 / frame,
                swapped_s * 1e3 / frame);
    return 0;
}

/// Checks a frame before it is swapped: it must have been drawn.
void check_pixels(const Client& c, unsigned frame) {
    uint8_t p[4] = {};
    glReadPixels(c.width / 2, c.height / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    for (int i = 0; i < 3; ++i)
        if (p[i] != uint8_t(color_of(frame)[i] * 255)) die("a frame has other pixels");
}

int rate(double seconds) {
    Client c;
    c.connect();
    c.open();
    eglSwapInterval(c.egl, 0);
    constexpr unsigned kWarmUp = 20;
    unsigned frame = 0;
    double begin = now_s();
    for (; frame <= kWarmUp || now_s() < begin + seconds; ++frame) {
        if (frame == kWarmUp) begin = now_s();
        c.draw(color_of(frame), -1, 1, 0);
        if (frame % 256 == 0) check_pixels(c, frame);
        if (!eglSwapBuffers(c.egl, c.egl_surface)) die("eglSwapBuffers");
        wl_display_dispatch_pending(c.display);
    }
    glFinish();
    const double took = now_s() - begin;
    const int width = c.width, height = c.height;
    c.close();
    std::printf("%dx%d %.1f\n", width, height, (frame - kWarmUp) / took);
    return 0;
}

int latency(double seconds) {
    Client c;
    c.connect();
    c.open();
    std::vector<double> times;
    unsigned frame = 0;
    for (const double end = now_s() + seconds; now_s() < end; ++frame) {
        static bool shown;
        static constexpr wl_callback_listener kShown{[](void*, wl_callback* callback, uint32_t) {
            wl_callback_destroy(callback);
            shown = true;
        }};
        c.draw(color_of(frame), -1, 1, 0);
        if (frame % 16 == 0) check_pixels(c, frame);
        shown = false;
        wl_callback_add_listener(wl_surface_frame(c.surface), &kShown, nullptr);
        const double begin = now_s();
        if (!eglSwapBuffers(c.egl, c.egl_surface)) die("eglSwapBuffers");
        while (!shown)
            if (wl_display_dispatch(c.display) < 0) die("the compositor is gone");
        if (frame > 5) times.push_back(now_s() - begin);
    }
    const int width = c.width, height = c.height;
    c.close();
    if (times.empty()) die("no frames");
    std::sort(times.begin(), times.end());
    std::printf("%dx%d %.0f %.0f\n", width, height, times[times.size() / 2] * 1e6,
                times[times.size() * 9 / 10] * 1e6);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "until-lost") return until_lost();
    if (what == "halves" && argc == 4) return halves(std::atoi(argv[2]), std::atof(argv[3]));
    if (what == "rate" && argc == 3) return rate(std::atof(argv[2]));
    if (what == "latency" && argc == 3) return latency(std::atof(argv[2]));
    std::fprintf(stderr, "window_client until-lost | halves COST SECONDS | rate SECONDS | latency SECONDS\n");
    return 2;
}

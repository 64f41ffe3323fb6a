// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#define DOCTEST_CONFIG_IMPLEMENT
#include "vendors.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace vendors {

std::vector<EGLDeviceEXT> devices() {
    const auto query = proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    EGLint count = 0;
    REQUIRE(query(0, nullptr, &count));
    std::vector<EGLDeviceEXT> out(size_t(count), nullptr);
    REQUIRE(query(count, out.data(), &count));
    REQUIRE(size_t(count) == out.size());
    return out;
}

EGLDisplay open_display(EGLDeviceEXT device) {
    const EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
    if (dpy == EGL_NO_DISPLAY || !eglInitialize(dpy, nullptr, nullptr)) return EGL_NO_DISPLAY;
    return dpy;
}

namespace {

/// Whether the device is the CPU. Terrazzo's first device is.
bool draws_on_cpu(EGLDeviceEXT device) {
    const char* const text =
        proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT")(device, EGL_EXTENSIONS);
    return text && std::strstr(text, "EGL_MESA_device_software");
}

Vendor find(const char* name) {
    for (EGLDeviceEXT device : devices()) {
        if (!draws_on_cpu(device)) continue;
        const EGLDisplay dpy = open_display(device);
        const char* const vendor = dpy ? eglQueryString(dpy, EGL_VENDOR) : nullptr;
        if (vendor && std::strstr(vendor, name)) return {vendor, device, dpy};
    }
    return {};
}

}  // namespace

const Vendor& mesa() {
    static const Vendor vendor = find("Mesa");
    return vendor;
}

const Vendor& terrazzo() {
    static const Vendor vendor = find("Terrazzo");
    return vendor;
}

bool is_mesa_first() {
    const char* const files = std::getenv("__EGL_VENDOR_LIBRARY_FILENAMES");
    REQUIRE(files);
    return std::strstr(files, "mesa") < std::strstr(files, "terrazzo");
}

Target::Target(const Vendor& vendor, EGLint version) : dpy_(vendor.dpy) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PBUFFER_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT,
                             EGL_RED_SIZE,
                             8,
                             EGL_GREEN_SIZE,
                             8,
                             EGL_BLUE_SIZE,
                             8,
                             EGL_ALPHA_SIZE,
                             8,
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    REQUIRE(eglChooseConfig(dpy_, wanted, &config, 1, &count));
    REQUIRE(count == 1);
    const EGLint of_context[] = {EGL_CONTEXT_CLIENT_VERSION, version, EGL_NONE};
    const EGLint of_surface[] = {EGL_WIDTH, kSize_px, EGL_HEIGHT, kSize_px, EGL_NONE};
    context_ = eglCreateContext(dpy_, config, EGL_NO_CONTEXT, of_context);
    REQUIRE(context_ != EGL_NO_CONTEXT);
    surface_ = eglCreatePbufferSurface(dpy_, config, of_surface);
    REQUIRE(surface_ != EGL_NO_SURFACE);
}

Target::~Target() {
    if (eglGetCurrentContext() == context_) CHECK(release());
    CHECK(eglDestroySurface(dpy_, surface_));
    CHECK(eglDestroyContext(dpy_, context_));
}

void Target::draw(Pixel color) {
    if (!program_) {
        auto compile = [](GLenum stage, const char* text) {
            const GLuint shader = glCreateShader(stage);
            glShaderSource(shader, 1, &text, nullptr);
            glCompileShader(shader);
            return shader;
        };
        program_ = glCreateProgram();
        glAttachShader(program_, compile(GL_VERTEX_SHADER,
                                         "attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"));
        glAttachShader(program_,
                       compile(GL_FRAGMENT_SHADER,
                               "precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }"));
        glBindAttribLocation(program_, 0, "p");
        glLinkProgram(program_);
        GLint linked = 0;
        glGetProgramiv(program_, GL_LINK_STATUS, &linked);
        REQUIRE(linked);
    }
    static constexpr float kLeftHalf[] = {-1, -1, 0, -1, -1, 1, 0, 1};
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(program_);
    glUniform4f(glGetUniformLocation(program_, "c"), color[0] / 255.f, color[1] / 255.f, color[2] / 255.f,
                color[3] / 255.f);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kLeftHalf);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

std::array<Pixel, 2> Target::read() const {
    std::array<Pixel, 2> out{};
    glReadPixels(kSize_px / 2 - 1, kSize_px / 2, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, out.data());
    return out;
}

}  // namespace vendors

int main(int argc, char** argv) {
    // Before doctest: a failed REQUIRE outside a case ends the program.
    const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    EGLint count = 0;
    if (!query || !query(0, nullptr, &count) ||
        !std::strstr(eglQueryString(EGL_NO_DISPLAY, EGL_VERSION), "glvnd")) {
        std::puts("skipped: the system's libEGL.so.1 is not libglvnd's, or has no vendor");
        return 77;
    }
    if (std::FILE* const file = std::fopen("/usr/share/glvnd/egl_vendor.d/50_mesa.json", "r")) {
        std::fclose(file);
        return doctest::Context(argc, argv).run();
    }
    std::puts("skipped: Mesa is not installed (libegl-mesa0)");
    return 77;
}

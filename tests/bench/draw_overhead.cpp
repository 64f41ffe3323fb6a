// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The CPU time of a draw on the calling thread, in ns, with one state change before each draw (the cases of
// Mesa's drawoverhead). It draws on the surfaceless platform, to an image of 16x16 pixels, and prints
// "case<TAB>value<TAB>unit"; `gl_compare --lower` runs it on two implementations. It is meant for devices
// that do nothing (noop:...). If the implementation draws on the calling thread, that time counts, too.
//   draw_overhead [--seconds S] [--draws N] [--frames N] CASE     (no case: the list)
// --frames draws that many frames without measuring, then ends: for captures. "all" changes the state of all
// cases of OpenGL ES 2.0 before each draw. "block", "image" and "instances" need contexts of 3.1.
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <stddef.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "tests/bench/gl_api.h"

namespace {

constexpr int kSize_px = 16;
constexpr int kArray_el = 16;  // vec4s of the uniform array, as the shader declares it
double g_seconds = 0.5;
int g_draws = 1000, g_frames = 0;

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "draw_overhead: %s\n", why.c_str());
    std::exit(1);
}

double thread_s() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

template <class F>
F extension(const char* name) {
    const auto f = reinterpret_cast<F>(egl(eglGetProcAddress)(name));
    if (!f) fail(std::string("no ") + name);
    return f;
}

void create_context(int major, int minor) {
    const auto get_display = extension<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    const EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!egl(eglInitialize)(display, nullptr, nullptr)) fail("eglInitialize failed");
    const EGLint want[] = {EGL_SURFACE_TYPE,
                           EGL_PBUFFER_BIT,
                           EGL_RENDERABLE_TYPE,
                           major == 2 ? EGL_OPENGL_ES2_BIT : EGL_OPENGL_ES3_BIT,
                           EGL_RED_SIZE,
                           8,
                           EGL_ALPHA_SIZE,
                           8,
                           EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!egl(eglChooseConfig)(display, want, &config, 1, &count) || count < 1) fail("no config");
    egl(eglBindAPI)(EGL_OPENGL_ES_API);
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, major, EGL_CONTEXT_MINOR_VERSION, minor, EGL_NONE};
    const EGLContext context = egl(eglCreateContext)(display, config, EGL_NO_CONTEXT, version);
    if (!egl(eglMakeCurrent)(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) fail("eglMakeCurrent failed");
}

constexpr char kVertexText[] =
    "attribute vec4 position; varying vec2 v;\n"
    "void main() { gl_Position = position; v = position.xy; }";
constexpr char kVertexText31[] =
    "#version 310 es\nlayout(location = 0) in vec4 position; out vec2 v;\n"
    "void main() { gl_Position = position; v = position.xy; }";

GLuint program(const char* fragment, const char* vertex = kVertexText) {
    const GLuint p = gl(glCreateProgram)();
    const auto stage = [&](GLenum kind, const char* text) {
        const GLuint s = gl(glCreateShader)(kind);
        gl(glShaderSource)(s, 1, &text, nullptr);
        gl(glCompileShader)(s);
        gl(glAttachShader)(p, s);
    };
    stage(GL_VERTEX_SHADER, vertex);
    stage(GL_FRAGMENT_SHADER, fragment);
    gl(glBindAttribLocation)(p, 0, "position");
    gl(glLinkProgram)(p);
    GLint ok = 0;
    gl(glGetProgramiv)(p, GL_LINK_STATUS, &ok);
    if (!ok) fail("a program does not link");
    return p;
}

GLuint image() {
    GLuint t;
    gl(glGenTextures)(1, &t);
    gl(glBindTexture)(GL_TEXTURE_2D, t);
    const std::vector<uint8_t> texels(kSize_px * kSize_px * 4, 0x80);
    gl(glTexImage2D)(GL_TEXTURE_2D, 0, GL_RGBA, kSize_px, kSize_px, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels.data());
    gl(glTexParameteri)(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl(glTexParameteri)(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return t;
}

GLuint vertices() {
    GLuint b;
    gl(glGenBuffers)(1, &b);
    gl(glBindBuffer)(GL_ARRAY_BUFFER, b);
    const float triangle[] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1};
    gl(glBufferData)(GL_ARRAY_BUFFER, sizeof triangle, triangle, GL_STATIC_DRAW);
    gl(glVertexAttribPointer)(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl(glEnableVertexAttribArray)(0);
    return b;
}

/// The objects that the cases change; two of each.
struct Scene {
    GLuint programs[2], textures[2], arrays[2];
    GLint colour;
    // A second program, which sums an array of uniforms.
    GLuint array_program;
    GLint array;
    std::vector<float> array_values[2];
    PFNGLBINDVERTEXARRAYOESPROC bind_array = extension<PFNGLBINDVERTEXARRAYOESPROC>("glBindVertexArrayOES");

    Scene() {
        const char* const kText[] = {
            "precision mediump float; uniform sampler2D s; uniform vec4 c; varying vec2 v;\n"
            "void main() { gl_FragColor = texture2D(s, v) * c; }",
            "precision mediump float; uniform sampler2D s; uniform vec4 c; varying vec2 v;\n"
            "void main() { gl_FragColor = texture2D(s, v) + c; }"};
        const auto generate = extension<PFNGLGENVERTEXARRAYSOESPROC>("glGenVertexArraysOES");
        generate(2, arrays);
        for (int i = 0; i < 2; ++i) {
            programs[i] = program(kText[i]);
            textures[i] = image();
            bind_array(arrays[i]);
            vertices();
        }
        GLuint target = image(), fbo;
        gl(glGenFramebuffers)(1, &fbo);
        gl(glBindFramebuffer)(GL_FRAMEBUFFER, fbo);
        gl(glFramebufferTexture2D)(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
        if (gl(glCheckFramebufferStatus)(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) fail("no framebuffer");
        gl(glViewport)(0, 0, kSize_px, kSize_px);
        gl(glBindTexture)(GL_TEXTURE_2D, textures[0]);
        gl(glUseProgram)(programs[0]);
        colour = gl(glGetUniformLocation)(programs[0], "c");
        array_program = program(
            "precision mediump float; uniform sampler2D s; uniform vec4 c[16]; varying vec2 v;\n"
            "void main() { vec4 sum = texture2D(s, v); for (int i = 0; i < 16; ++i) sum += c[i];\n"
            "gl_FragColor = sum; }");
        array = gl(glGetUniformLocation)(array_program, "c");
        for (int i = 0; i < 2; ++i)
            array_values[i].assign(size_t(kArray_el) * 4, float(i) / kArray_el);
    }
};

/// Frames of g_draws draws: draw(i) changes state and draws. Only this and the flush after it are measured.
template <class Draw>
void measure_draws(const char* name, const Draw& draw) {
    const auto frame = [&] {
        gl(glClear)(GL_COLOR_BUFFER_BIT);
        const double begin = thread_s();
        for (int i = 0; i < g_draws; ++i)
            draw(i);
        gl(glFlush)();
        const double took = thread_s() - begin;
        gl(glFinish)();
        return took;
    };
    for (int i = 0; i < g_frames; ++i)
        frame();
    if (g_frames) return;
    for (int i = 0; i < 4; ++i)  // fills caches and pools, compiles shader variants
        frame();
    std::vector<double> times;
    for (double sum = 0; sum < g_seconds || times.size() < 9;) {
        times.push_back(frame());
        sum += times.back();
    }
    if (const GLenum e = gl(glGetError)()) fail("GL error " + std::to_string(e));
    std::nth_element(times.begin(), times.begin() + ptrdiff_t(times.size() / 2), times.end());
    std::printf("%s\t%.6g\tns CPU a draw\n", name, times[times.size() / 2] / g_draws * 1e9);
}

template <class Change>
void measure(const char* name, const Change& change) {
    const auto draw = &gl(glDrawArrays);
    measure_draws(name, [&](int i) {
        change(i);
        draw(GL_TRIANGLES, 0, 3);
    });
}

/// Binds other parts of a buffer to a uniform block.
void measure_block(const char* name, const Scene&) {
    constexpr GLsizeiptr kPart_B = 256;
    gl(glUseProgram)(
        program("#version 310 es\nprecision mediump float; in vec2 v; out vec4 o;\n"
                "layout(std140, binding = 0) uniform B { vec4 c[4]; };\n"
                "void main() { o = c[0] + c[3] * v.x; }",
                kVertexText31));
    GLuint b;
    gl(glGenBuffers)(1, &b);
    gl(glBindBuffer)(GL_UNIFORM_BUFFER, b);
    const std::vector<float> values(4 * kPart_B / sizeof(float), 0.25f);
    gl(glBufferData)(GL_UNIFORM_BUFFER, 4 * kPart_B, values.data(), GL_STATIC_DRAW);
    const auto bind = &gl(glBindBufferRange);
    measure(name, [&](int i) { bind(GL_UNIFORM_BUFFER, 0, b, (i & 3) * kPart_B, 64); });
}

/// Binds two images in turn.
void measure_image(const char* name, const Scene&) {
    gl(glUseProgram)(
        program("#version 310 es\nprecision mediump float; in vec2 v; out vec4 o;\n"
                "layout(rgba8, binding = 0) readonly uniform mediump image2D s;\n"
                "void main() { o = imageLoad(s, ivec2(v * 4.0)); }",
                kVertexText31));
    GLuint images[2];
    gl(glGenTextures)(2, images);
    for (const GLuint t : images) {
        gl(glBindTexture)(GL_TEXTURE_2D, t);
        gl(glTexStorage2D)(GL_TEXTURE_2D, 1, GL_RGBA8, kSize_px, kSize_px);
    }
    const auto bind = &gl(glBindImageTexture);
    measure(name, [&](int i) { bind(0, images[i & 1], 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA8); });
}

/// Draws one or two instances, with an attribute of its own for each.
void measure_instances(const char* name, const Scene&) {
    gl(glUseProgram)(
        program("#version 310 es\nprecision mediump float; in vec2 v; out vec4 o;\n"
                "void main() { o = v.xyxy; }",
                "#version 310 es\nlayout(location = 0) in vec4 position;\n"
                "layout(location = 1) in vec4 offset; out vec2 v;\n"
                "void main() { gl_Position = position + offset; v = position.xy; }"));
    GLuint b;
    gl(glGenBuffers)(1, &b);
    gl(glBindBuffer)(GL_ARRAY_BUFFER, b);
    const float offsets[] = {0, 0, 0, 0, 0.5f, 0, 0, 0};
    gl(glBufferData)(GL_ARRAY_BUFFER, sizeof offsets, offsets, GL_STATIC_DRAW);
    gl(glVertexAttribPointer)(1, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl(glVertexAttribDivisor)(1, 1);
    gl(glEnableVertexAttribArray)(1);
    const auto draw = &gl(glDrawArraysInstanced);
    measure_draws(name, [&](int i) { draw(GL_TRIANGLES, 0, 3, 1 + (i & 1)); });
}

struct Case {
    const char* name;
    void (*run)(const char* name, const Scene& scene);
    int major = 2, minor = 0;  // the context's version
};
const Case kCases[] = {
    {"none", [](const char* name, const Scene&) { measure(name, [](int) {}); }},
    {"uniform",
     [](const char* name, const Scene& s) {
         const auto set = &gl(glUniform4f);
         measure(name, [&](int i) { set(s.colour, float(i & 255) / 255, 0, 0, 1); });
     }},
    {"uniform_array",
     [](const char* name, const Scene& s) {
         const auto set = &gl(glUniform4fv);
         gl(glUseProgram)(s.array_program);
         measure(name, [&](int i) { set(s.array, kArray_el, s.array_values[i & 1].data()); });
     }},
    {"texture",
     [](const char* name, const Scene& s) {
         const auto bind = &gl(glBindTexture);
         measure(name, [&](int i) { bind(GL_TEXTURE_2D, s.textures[i & 1]); });
     }},
    {"program",
     [](const char* name, const Scene& s) {
         const auto use = &gl(glUseProgram);
         measure(name, [&](int i) { use(s.programs[i & 1]); });
     }},
    {"vertex_array",
     [](const char* name, const Scene& s) { measure(name, [&](int i) { s.bind_array(s.arrays[i & 1]); }); }},
    {"blend",
     [](const char* name, const Scene&) {
         const auto enable = &gl(glEnable), disable = &gl(glDisable);
         gl(glBlendFunc)(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
         measure(name, [&](int i) { (i & 1 ? enable : disable)(GL_BLEND); });
     }},
    {"scissor",
     [](const char* name, const Scene&) {
         const auto scissor = &gl(glScissor);
         gl(glEnable)(GL_SCISSOR_TEST);
         measure(name, [&](int i) { scissor(0, 0, kSize_px - (i & 1), kSize_px); });
     }},
    {"all",
     [](const char* name, const Scene& s) {
         const auto use = &gl(glUseProgram);
         const auto uniform = &gl(glUniform4f);
         const auto bind = &gl(glBindTexture);
         const auto enable = &gl(glEnable), disable = &gl(glDisable);
         const auto scissor = &gl(glScissor);
         gl(glBlendFunc)(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
         gl(glEnable)(GL_SCISSOR_TEST);
         const GLint colours[] = {s.colour, gl(glGetUniformLocation)(s.programs[1], "c")};
         measure(name, [&](int i) {
             const int n = i & 1;
             use(s.programs[n]);
             uniform(colours[n], float(i & 255) / 255, 0, 0, 1);
             bind(GL_TEXTURE_2D, s.textures[n]);
             s.bind_array(s.arrays[n]);
             (n ? enable : disable)(GL_BLEND);
             scissor(0, 0, kSize_px - n, kSize_px);
         });
     }},
    {"block", measure_block, 3, 1},
    {"image", measure_image, 3, 1},
    {"instances", measure_instances, 3, 1},
};

}  // namespace

int main(int argc, char** argv) {
    std::vector<const Case*> todo;
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        if ((a == "--seconds" || a == "--seed" || a == "--draws" || a == "--frames") && i + 1 < argc) {
            const char* const value = argv[++i];
            if (a == "--seconds") g_seconds = std::atof(value);
            if (a == "--draws") g_draws = std::max(1, std::atoi(value));
            if (a == "--frames") g_frames = std::atoi(value);
            continue;  // a seed has no effect on these cases
        }
        const auto c =
            std::find_if(std::begin(kCases), std::end(kCases), [&](const Case& k) { return a == k.name; });
        if (c == std::end(kCases)) fail("no case " + a);
        todo.push_back(c);
    }
    if (todo.size() != 1) {
        for (const Case& c : kCases)
            std::printf("%s\n", c.name);
        return todo.empty() ? 0 : 1;  // one case for each process, so that no state remains
    }
    create_context(todo[0]->major, todo[0]->minor);
    const Scene scene;
    todo[0]->run(todo[0]->name, scene);
    return 0;
}

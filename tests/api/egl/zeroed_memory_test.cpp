// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that a shader or the program can read before it was written must be zero: it must not show earlier
// data, which may be another context's or the process' own. Before each check the device's memory is filled
// with a pattern and released.
#include <GLES3/gl32.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tests/api/egl/fixture.h"

namespace {

constexpr GLuint kDirt = 0xa5c3e187u;

struct Zeroed : fixture::Display {
    EGLConfig cfg = config({EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_ALPHA_SIZE, 8});
    EGLSurface surface = pbuffer(cfg, 64, 64);
    int version = 0;

    Zeroed() {
        for (const int v : {32, 31, 30, 20}) {
            const EGLint a[] = {EGL_CONTEXT_MAJOR_VERSION, v / 10, EGL_CONTEXT_MINOR_VERSION, v % 10,
                                EGL_NONE};
            const EGLContext c = eglCreateContext(dpy, cfg, EGL_NO_CONTEXT, a);
            if (c == EGL_NO_CONTEXT) continue;
            REQUIRE(eglMakeCurrent(dpy, surface, surface, c));
            version = v;
            break;
        }
        REQUIRE(version != 0);
        (void)eglGetError();
    }
    using Stage = std::pair<GLenum, std::string>;
    static GLuint program(std::initializer_list<Stage> stages, const char* captured = nullptr) {
        const GLuint p = glCreateProgram();
        for (const Stage& stage : stages) {
            const std::string& text = stage.second;
            const GLuint s = glCreateShader(stage.first);
            const char* const t = text.c_str();
            glShaderSource(s, 1, &t, nullptr);
            glCompileShader(s);
            char log[1024] = {};
            glGetShaderInfoLog(s, sizeof log, nullptr, log);
            INFO(text << log);
            GLint good = 0;
            glGetShaderiv(s, GL_COMPILE_STATUS, &good);
            REQUIRE(good);
            glAttachShader(p, s);
        }
        if (captured) glTransformFeedbackVaryings(p, 1, &captured, GL_INTERLEAVED_ATTRIBS);
        glLinkProgram(p);
        char log[1024] = {};
        glGetProgramInfoLog(p, sizeof log, nullptr, log);
        INFO(log);
        GLint good = 0;
        glGetProgramiv(p, GL_LINK_STATUS, &good);
        REQUIRE(good);
        glUseProgram(p);
        return p;
    }
    /// A buffer of this many words, which are all kDirt, or with NULL data.
    static GLuint buffer(GLenum target, size_t words, bool dirty) {
        GLuint b = 0;
        glGenBuffers(1, &b);
        glBindBuffer(target, b);
        const std::vector<GLuint> dirt(words, kDirt);
        glBufferData(target, GLsizeiptr(words * 4), dirty ? dirt.data() : nullptr, GL_STATIC_DRAW);
        return b;
    }
    static std::vector<GLuint> words(GLenum target, size_t count) {
        std::vector<GLuint> out(count, kDirt);
        const void* const p = glMapBufferRange(target, 0, GLsizeiptr(count * 4), GL_MAP_READ_BIT);
        REQUIRE(p);
        std::memcpy(out.data(), p, count * 4);
        glUnmapBuffer(target);
        return out;
    }
    static bool zero(const std::vector<GLuint>& v) {
        return std::all_of(v.begin(), v.end(), [](GLuint w) { return w == 0; });
    }
    /// Leaves a pattern in the memory that the device caches.
    static void dirty_memory() {
        for (int round = 0; round < 2; ++round) {
            std::vector<GLuint> buffers, textures;
            for (const size_t n : {16u, 1024u, 4096u, 65536u, 300000u}) {
                buffers.push_back(buffer(GL_ARRAY_BUFFER, n, true));
                (void)words(GL_ARRAY_BUFFER, 1);
            }
            for (const GLsizei n : {1, 8, 64, 256}) {
                GLuint t = 0;
                glGenTextures(1, &t);
                glBindTexture(GL_TEXTURE_2D, t);
                const std::vector<GLuint> dirt(size_t(n) * size_t(n), kDirt);
                glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, n, n, 0, GL_RGBA, GL_UNSIGNED_BYTE, dirt.data());
                textures.push_back(t);
            }
            glFinish();
            glDeleteBuffers(GLsizei(buffers.size()), buffers.data());
            glDeleteTextures(GLsizei(textures.size()), textures.data());
            glFinish();
        }
    }
    /// Likewise if buffers cannot be mapped.
    static void dirty_memory_2() {
        std::vector<GLuint> buffers, textures;
        for (const size_t n : {16u, 1024u, 4096u, 65536u})
            buffers.push_back(buffer(GL_ARRAY_BUFFER, n, true));
        for (const GLsizei n : {1, 7, 64, 200}) {
            GLuint t = 0;
            glGenTextures(1, &t);
            glBindTexture(GL_TEXTURE_2D, t);
            const std::vector<GLuint> dirt(size_t(n) * size_t(n), kDirt);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, n, n, 0, GL_RGBA, GL_UNSIGNED_BYTE, dirt.data());
            textures.push_back(t);
        }
        glFinish();
        glDeleteBuffers(GLsizei(buffers.size()), buffers.data());
        glDeleteTextures(GLsizei(textures.size()), textures.data());
        glFinish();
    }
    /// Runs a compute shader that stores words. The body uses `out_words`, whose size is that of a workgroup
    /// of 64.
    static std::vector<GLuint> compute(const std::string& before, const std::string& body, GLuint groups,
                                       size_t per_group) {
        const GLuint p =
            program({{GL_COMPUTE_SHADER,
                      "#version 310 es\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer B "
                      "{ uint out_words[]; };\n" +
                          before + "void main() { uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;\n" +
                          body + "}"}});
        const GLuint b = buffer(GL_SHADER_STORAGE_BUFFER, groups * per_group, true);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
        glDispatchCompute(groups, 1, 1);
        glMemoryBarrier(GL_ALL_BARRIER_BITS);
        const std::vector<GLuint> out = words(GL_SHADER_STORAGE_BUFFER, groups * per_group);
        CHECK(glGetError() == GL_NO_ERROR);
        glDeleteBuffers(1, &b);
        glDeleteProgram(p);
        return out;
    }
    std::vector<GLuint> drawn() {
        std::vector<GLuint> p(64 * 64);
        glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, p.data());
        return p;
    }
    /// Draws a triangle over the whole surface, which is not black before.
    std::vector<GLuint> draw(GLenum mode = GL_TRIANGLES) {
        glClearColor(1, 1, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(mode, 0, 3);
        const std::vector<GLuint> p = drawn();
        CHECK(glGetError() == GL_NO_ERROR);
        return p;
    }
};

const char* const kPlace =
    "gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);";
const std::string kVersion = "#version 320 es\n#define P precision highp float; precision highp int;\nP\n";

}  // namespace

TEST_CASE_FIXTURE(Zeroed, "zeroed memory: shared memory of workgroups") {
    if (version < 31) return;
    const auto dirty = [] {
        (void)compute("shared uint s[4096];\n",
                      "for (uint n = i; n < 4096u; n += 64u) s[n] = 0xa5c3e187u + n; barrier(); out_words[g "
                      "* 64u + i] = s[(i * 65u) % 4096u];",
                      24, 64);
    };
    dirty();
    // Without a barrier, with a barrier, in a small part, and with an atomic.
    CHECK(zero(compute("shared uint s[4096];\n",
                       "for (uint n = i; n < 4096u; n += 64u) out_words[g * 4096u + n] = s[n];", 8, 4096)));
    dirty();
    CHECK(zero(compute("shared uint s[4096];\n",
                       "if (out_words[0] == 7u) s[i] = 1u; barrier(); for (uint n = i; n < 4096u; n += 64u) "
                       "out_words[g * 4096u + n] = s[n]; barrier(); s[i] = 9u;",
                       8, 4096)));
    dirty();
    CHECK(zero(compute("shared uint s[3];\n", "out_words[g * 64u + i] = s[i % 3u];", 8, 64)));
    dirty();
    const std::vector<GLuint> sums =
        compute("shared uint s;\n", "atomicAdd(s, 1u); barrier(); out_words[g * 64u + i] = s;", 8, 64);
    CHECK(std::all_of(sums.begin(), sums.end(), [](GLuint n) { return n == 64; }));
}

TEST_CASE_FIXTURE(Zeroed, "zeroed memory: arrays and variables of shaders") {
    if (version < 30) return;
    const std::string clean =
        "float a[40]; a[k] = 1.0; float sum = 0.0; for (int n = 0; n < 40; ++n) if (n != k) sum += abs(a[(n "
        "* 7) % 40 == k ? (k + 1) % 40 : (n * 7) % 40]);";
    const std::string soil =
        "float a[40]; for (int n = 0; n < 40; ++n) a[(n * 7 + k) % 40] = float(n) + 3.0; float sum = a[k] + "
        "a[(k + 9) % 40];";
    if (version >= 31) {
        (void)compute("", "int k = int(i) % 40; " + soil + " out_words[g * 64u + i] = floatBitsToUint(sum);",
                      16, 64);
        CHECK(zero(
            compute("", "int k = int(i) % 40; " + clean + " out_words[g * 64u + i] = floatBitsToUint(sum);",
                    16, 64)));
        CHECK(zero(compute("",
                           "uint x; uvec4 y[3]; if (out_words[0] == 7u) { x = 5u; y[i % 3u] = uvec4(6u); } "
                           "out_words[g * 64u + i] = x | y[i % 3u].z;",
                           4, 64)));
    }
    const std::string vs =
        std::string("#version 300 es\nflat out int k; void main() { k = gl_VertexID + 5; ") + kPlace + "}";
    const auto fs = [](const std::string& body) {
        return "#version 300 es\nprecision highp float; precision highp int; flat in int k; out vec4 o; void "
               "main() { " +
               body + " o = vec4(sum, 0.0, 0.0, 0.0); }";
    };
    program({{GL_VERTEX_SHADER, vs}, {GL_FRAGMENT_SHADER, fs(soil)}});
    (void)draw();
    program({{GL_VERTEX_SHADER, vs}, {GL_FRAGMENT_SHADER, fs(clean)}});
    CHECK(zero(draw()));
    // In vertex shaders.
    const auto vertex = [&](const std::string& body) {
        return "#version 300 es\nflat out float v; void main() { int k = gl_VertexID + 5; " + body +
               " v = sum; " + kPlace + "}";
    };
    const std::string show =
        "#version 300 es\nprecision highp float; flat in float v; out vec4 o; void main() { o = vec4(v, 0.0, "
        "0.0, 0.0); }";
    program({{GL_VERTEX_SHADER, vertex(soil)}, {GL_FRAGMENT_SHADER, show}});
    (void)draw();
    program({{GL_VERTEX_SHADER, vertex(clean)}, {GL_FRAGMENT_SHADER, show}});
    CHECK(zero(draw()));
}

TEST_CASE_FIXTURE(Zeroed, "zeroed memory: outputs that no stage has written") {
    if (version < 30) return;
    dirty_memory();
    const std::string show =
        "#version 300 es\nprecision highp float; in vec4 v; flat in int w; out vec4 o; void main() { o = v + "
        "vec4(w); }";
    program({{GL_VERTEX_SHADER,
              std::string("#version 300 es\nout vec4 v; flat out int w; void main() { ") + kPlace + "}"},
             {GL_FRAGMENT_SHADER, show}});
    CHECK(zero(draw()));
    program({{GL_VERTEX_SHADER, std::string("#version 300 es\nout vec4 v; flat out int w; void main() { if "
                                            "(gl_VertexID > 7) { v = vec4(1.0); w = 5; } ") +
                                    kPlace + "}"},
             {GL_FRAGMENT_SHADER, show}});
    CHECK(zero(draw()));
    const std::string plain = std::string("#version 300 es\nvoid main() { ") + kPlace + "}";
    program({{GL_VERTEX_SHADER, plain},
             {GL_FRAGMENT_SHADER,
              "#version 300 es\nprecision highp float; out vec4 o; void main() { if (gl_FragCoord.x < 0.0) o "
              "= vec4(1.0); }"}});
    CHECK(zero(draw()));
    program({{GL_VERTEX_SHADER, plain},
             {GL_FRAGMENT_SHADER,
              "#version 300 es\nprecision highp float; out vec4 o; void main() { if (gl_FragCoord.x < 0.0) "
              "o.yz = vec2(1.0); else o.x = 0.0; }"}});
    CHECK(zero(draw()));
    if (version < 32) return;
    const std::string show32 = kVersion + "in vec4 v; out vec4 o; void main() { o = v; }";
    const std::string points = kVersion + "void main() { " + kPlace + "}";
    // A geometry stage that writes its output for no vertex, or only for the first one.
    for (const char* const write : {"", "if (n == 0) v = vec4(0.0);"}) {
        program({{GL_VERTEX_SHADER, points},
                 {GL_GEOMETRY_SHADER,
                  kVersion +
                      "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out; out vec4 v;\n"
                      "void main() { for (int n = 0; n < 3; ++n) { gl_Position = gl_in[n].gl_Position; " +
                      write + " EmitVertex(); } }"},
                 {GL_FRAGMENT_SHADER, show32}});
        dirty_memory();
        CHECK(zero(draw()));
    }
    // Per-vertex and per-patch outputs of a control stage.
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    for (const char* const write :
         {"", "if (gl_InvocationID == 7) { c[gl_InvocationID] = vec4(1.0); q = vec4(1.0); }"}) {
        program(
            {{GL_VERTEX_SHADER, points},
             {GL_TESS_CONTROL_SHADER,
              kVersion +
                  "layout(vertices = 3) out; out vec4 c[]; patch out vec4 q;\n"
                  "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
                  "gl_TessLevelOuter = float[4](1.0, 1.0, 1.0, 1.0); gl_TessLevelInner = float[2](1.0, "
                  "1.0); " +
                  write + " }"},
             {GL_TESS_EVALUATION_SHADER,
              kVersion + "layout(triangles) in; in vec4 c[]; patch in vec4 q; out vec4 v;\n"
                         "void main() { vec3 t = gl_TessCoord; v = c[0] + c[1] + c[2] + q;\n"
                         "gl_Position = gl_in[0].gl_Position * t.x + gl_in[1].gl_Position * t.y + "
                         "gl_in[2].gl_Position * t.z; }"},
             {GL_FRAGMENT_SHADER, show32}});
        dirty_memory();
        CHECK(zero(draw(GL_PATCHES)));
    }
}

TEST_CASE_FIXTURE(Zeroed, "zeroed memory: buffers without data, and parts that are not captured") {
    if (version < 30) return;
    for (const size_t n : {4u, 16u, 1000u, 4096u, 65536u, 300000u}) {
        CAPTURE(n);
        dirty_memory();
        const GLuint b = buffer(GL_ARRAY_BUFFER, n, false);
        CHECK(zero(words(GL_ARRAY_BUFFER, n)));
        // Again for a buffer that had data, which the device may still use.
        const std::vector<GLuint> dirt(n, kDirt);
        glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(n * 4), dirt.data(), GL_STATIC_DRAW);
        GLuint copy = buffer(GL_COPY_WRITE_BUFFER, n, false);
        glCopyBufferSubData(GL_ARRAY_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, GLsizeiptr(n * 4));
        glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(n * 4), nullptr, GL_STATIC_DRAW);
        CHECK(zero(words(GL_ARRAY_BUFFER, n)));
        glDeleteBuffers(1, &b);
        glDeleteBuffers(1, &copy);
    }
    dirty_memory();
    const std::string vs =
        std::string("#version 300 es\nout vec3 v; void main() { if (gl_VertexID > 7) v = vec3(1.0); ") +
        kPlace + "}";
    program({{GL_VERTEX_SHADER, vs},
             {GL_FRAGMENT_SHADER,
              "#version 300 es\nprecision highp float; in vec3 v; out vec4 o; void main() { o = vec4(v, "
              "0.0); }"}},
            "v");
    const GLuint b = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, 64, false);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndTransformFeedback();
    CHECK(zero(words(GL_TRANSFORM_FEEDBACK_BUFFER, 64)));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(Zeroed, "zeroed memory: texels that were never uploaded") {
    if (version < 30) return;
    struct Kind {
        GLenum internal, format, type;
        int words;
    };
    const Kind kinds[] = {{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 1},
                          {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 4},
                          {GL_RGB565, GL_RGBA, GL_UNSIGNED_BYTE, 1}};
    for (const Kind& k : kinds)
        for (const GLsizei n : {1, 5, 8, 64, 100, 256})
            for (const bool storage : {false, true}) {
                CAPTURE(k.internal);
                CAPTURE(n);
                CAPTURE(storage);
                dirty_memory();
                GLuint t = 0, f = 0;
                glGenTextures(1, &t);
                glBindTexture(GL_TEXTURE_2D, t);
                const GLenum format = k.internal == GL_RGB565 ? GL_RGB : k.format;
                if (storage)
                    glTexStorage2D(GL_TEXTURE_2D, 1, k.internal, n, n);
                else
                    glTexImage2D(GL_TEXTURE_2D, 0, GLint(k.internal), n, n, 0, format, k.type, nullptr);
                glGenFramebuffers(1, &f);
                glBindFramebuffer(GL_FRAMEBUFFER, f);
                glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
                std::vector<GLuint> p(size_t(n) * size_t(n) * size_t(k.words), kDirt);
                glReadPixels(0, 0, n, n, k.format, k.type, p.data());
                CHECK(glGetError() == GL_NO_ERROR);
                if (k.internal == GL_RGB565)  // alpha reads 1
                    for (GLuint& w : p)
                        w &= 0xffffffu;
                CHECK(zero(p));
                glDeleteFramebuffers(1, &f);
                glDeleteTextures(1, &t);
            }
    // Samples, slices and other levels, read by a shader.
    const std::string vs = std::string("#version 300 es\nvoid main() { ") + kPlace + "}";
    for (const GLenum target : {GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY}) {
        dirty_memory();
        GLuint t = 0;
        glGenTextures(1, &t);
        glBindTexture(target, t);
        glTexStorage3D(target, 3, GL_RGBA8, 20, 20, 8);
        program(
            {{GL_VERTEX_SHADER, vs},
             {GL_FRAGMENT_SHADER,
              std::string("#version 300 es\nprecision highp float; precision highp ") +
                  (target == GL_TEXTURE_3D ? "sampler3D; uniform sampler3D"
                                           : "sampler2DArray; uniform sampler2DArray") +
                  " s; out vec4 o; void main() { ivec2 p = ivec2(gl_FragCoord.xy); o = texelFetch(s, "
                  "ivec3(p.x % 20, p.y % 20, p.x / 20), 0) + "
                  "texelFetch(s, ivec3(p.x % 10, p.y % 10, 1), 1) + texelFetch(s, ivec3(p % 5, 1), 2); }"}});
        CHECK(zero(draw()));
        glDeleteTextures(1, &t);
    }
}

TEST_CASE_FIXTURE(Zeroed, "zeroed memory: in OpenGL ES 2.0") {
    const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    // The vertex' number is an attribute.
    const GLfloat numbers[] = {5, 6, 7};
    const auto bind = [&](GLuint p) {
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glVertexAttribPointer(GLuint(glGetAttribLocation(p, "p")), 2, GL_FLOAT, GL_FALSE, 0, corners);
        glEnableVertexAttribArray(GLuint(glGetAttribLocation(p, "p")));
        if (const GLint n = glGetAttribLocation(p, "n"); n >= 0) {
            glVertexAttribPointer(GLuint(n), 1, GL_FLOAT, GL_FALSE, 0, numbers);
            glEnableVertexAttribArray(GLuint(n));
        }
    };
    const std::string clean =
        "float a[40]; a[k] = 1.0; float sum = 0.0; for (int n = 0; n < 40; ++n) if (n != k) sum += "
        "abs(a[n]);";
    const std::string soil =
        "float a[40]; for (int n = 0; n < 40; ++n) a[n] = float(n) + 3.0; float sum = a[k];";
    const std::string show =
        "precision highp float; varying float v; void main() { gl_FragColor = vec4(v, 0.0, 0.0, 0.0); }";
    for (const std::string& body : {soil, clean}) {
        const std::string vs =
            "attribute vec2 p; attribute float n; varying float v; void main() { int k = int(n); " + body +
            " v = sum; gl_Position = vec4(p, 0.0, 1.0); }";
        bind(program({{GL_VERTEX_SHADER, vs}, {GL_FRAGMENT_SHADER, show}}));
        const std::vector<GLuint> p = draw();
        CHECK(zero(p) == (body == clean));
    }
    dirty_memory_2();
    // An output that is not written, and a variable.
    bind(program({{GL_VERTEX_SHADER,
                   "attribute vec2 p; varying float v; void main() { gl_Position = vec4(p, 0.0, 1.0); }"},
                  {GL_FRAGMENT_SHADER, show}}));
    CHECK(zero(draw()));
    bind(program({{GL_VERTEX_SHADER, "attribute vec2 p; void main() { gl_Position = vec4(p, 0.0, 1.0); }"},
                  {GL_FRAGMENT_SHADER,
                   "precision highp float; void main() { vec4 x; if (gl_FragCoord.x < 0.0) x = vec4(1.0); "
                   "gl_FragColor = x; }"}}));
    CHECK(zero(draw()));
    // A buffer and a texture without data.
    dirty_memory_2();
    const GLuint b = buffer(GL_ARRAY_BUFFER, 4096, false);
    const GLuint p = program({{GL_VERTEX_SHADER,
                               "attribute vec2 p; attribute vec4 n; varying vec4 v; void main() { v = n; "
                               "gl_Position = vec4(p, 0.0, 1.0); }"},
                              {GL_FRAGMENT_SHADER,
                               "precision highp float; varying vec4 v; uniform sampler2D t; void main() { "
                               "gl_FragColor = v + texture2D(t, gl_FragCoord.xy / 64.0); }"}});
    bind(p);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glVertexAttribPointer(GLuint(glGetAttribLocation(p, "n")), 4, GL_UNSIGNED_BYTE, GL_TRUE, 4, nullptr);
    for (const GLsizei size : {1, 7, 64, 200}) {
        CAPTURE(size);
        dirty_memory_2();
        GLuint t = 0;
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        CHECK(zero(draw()));
        glDeleteTextures(1, &t);
    }
    glDeleteBuffers(1, &b);
}

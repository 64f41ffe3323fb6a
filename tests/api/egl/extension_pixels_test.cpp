// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pixels drawn with extensions, on TERRAZZO_DEVICE, and that programs can use everything up to the limits.
#include <GLES3/gl31.h>
// After it:
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tests/api/egl/fixture.h"

namespace {

using Bytes = std::vector<unsigned char>;
const Bytes kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 255}, kBlue{0, 0, 255, 255};
constexpr float kSquare[] = {-1, -1, 1, -1, -1, 1, 1, 1};

GLuint shader_of(GLenum type, const std::string& text) {
    const GLuint s = glCreateShader(type);
    const char* const strings[] = {text.c_str()};
    glShaderSource(s, 1, strings, nullptr);
    glCompileShader(s);
    char log[1024] = "";
    glGetShaderInfoLog(s, sizeof log, nullptr, log);
    GLint ok = 0;
    glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
    REQUIRE_MESSAGE(ok, log);
    return s;
}
GLuint program_of(const std::string& vertex, const std::string& fragment) {
    const GLuint p = glCreateProgram();
    glAttachShader(p, shader_of(GL_VERTEX_SHADER, vertex));
    glAttachShader(p, shader_of(GL_FRAGMENT_SHADER, fragment));
    glBindAttribLocation(p, 0, "p");
    glLinkProgram(p);
    char log[1024] = "";
    glGetProgramInfoLog(p, sizeof log, nullptr, log);
    GLint ok = 0;
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    REQUIRE_MESSAGE(ok, log);
    glUseProgram(p);
    return p;
}

/// A context of the device's highest version, with a pbuffer of 16 x 16 with depth.
struct Extensions : fixture::Current {
    Extensions() {
        GLuint b = 0;
        glGenBuffers(1, &b);
        glBindBuffer(GL_ARRAY_BUFFER, b);
        glBufferData(GL_ARRAY_BUFFER, sizeof kSquare, kSquare, GL_STATIC_DRAW);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        glEnableVertexAttribArray(0);
    }
    ~Extensions() { CHECK(glGetError() == GL_NO_ERROR); }
    static bool has(const std::string& extension) {
        const std::string all =
            std::string(" ") + reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)) + " ";
        const bool found = all.find(" " + extension + " ") != std::string::npos;
        if (!found) MESSAGE("not on this device: " << extension);
        return found;
    }
    static void square() { glDrawArrays(GL_TRIANGLE_STRIP, 0, 4); }
    static GLint integer(GLenum name) {
        GLint v = -1;
        glGetIntegerv(name, &v);
        return v;
    }
    static Bytes read(int x, int y, int w, int h) {
        Bytes b(size_t(w) * size_t(h) * 4);
        glReadPixels(x, y, w, h, GL_RGBA, GL_UNSIGNED_BYTE, b.data());
        return b;
    }
    static GLuint texture(GLenum target = GL_TEXTURE_2D) {
        GLuint t = 0;
        glGenTextures(1, &t);
        glBindTexture(target, t);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        return t;
    }
    static GLuint framebuffer() {
        GLuint f = 0;
        glGenFramebuffers(1, &f);
        glBindFramebuffer(GL_FRAMEBUFFER, f);
        return f;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Extensions,
                  "extension limits: a program may have as many varyings and samplers as the limits") {
    const int vectors = integer(GL_MAX_VARYING_VECTORS), units = integer(GL_MAX_TEXTURE_IMAGE_UNITS),
              vertex_units = integer(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS);
    REQUIRE(units + vertex_units <= integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS));
    const std::string renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    if (renderer.find("soft") != std::string::npos) {
        CHECK(vectors == 32);
        CHECK(units == 32);
        CHECK(vertex_units == 32);
    }
    CHECK(vectors >= 29);
    // Varying n is a vector of n + 1, and increases in y. Sampler n has the colour (n + 1) / 255.
    std::string vertex = "attribute vec2 p; varying vec4 v[" + std::to_string(vectors) +
                         "]; uniform sampler2D s[" + std::to_string(vertex_units) +
                         "]; void main() { gl_Position = vec4(p, 0, 1); "
                         "gl_PointSize = 1.0; float sum = 0.0;";
    for (int n = 0; n < vertex_units; ++n)
        vertex += "sum += texture2DLod(s[" + std::to_string(n) + "], vec2(0.5), 0.0).x * 255.0;";
    for (int n = 0; n < vectors; ++n)
        vertex += "v[" + std::to_string(n) + "] = vec4(" + std::to_string(n + 1) + ", p.y, sum, 0);";
    std::string fragment = "precision highp float; varying vec4 v[" + std::to_string(vectors) +
                           "]; uniform sampler2D t[" + std::to_string(units) +
                           "]; void main() { float wrong = 0.0;";
    const int sum = vertex_units * (vertex_units + 1) / 2;
    for (int n = 0; n < vectors; ++n) {
        const std::string v = "v[" + std::to_string(n) + "]";
        fragment += "wrong += abs(" + v + ".x - " + std::to_string(n + 1) + ".0) + abs(" + v +
                    ".y - v[0].y) + abs(" + v + ".z - " + std::to_string(sum) + ".0);";
    }
    for (int n = 0; n < units; ++n)
        fragment += "wrong += abs(texture2D(t[" + std::to_string(n) + "], vec2(0.5)).x * 255.0 - " +
                    std::to_string(n + 1) + ".0);";
    const GLuint p = program_of(vertex + "}", fragment + "gl_FragColor = vec4(wrong, wrong < 0.05, 0, 1); }");
    for (int n = 0; n < std::max(units, vertex_units); ++n) {
        glActiveTexture(GLenum(GL_TEXTURE0 + n));
        texture();
        const unsigned char texel[4] = {static_cast<unsigned char>(n + 1), 0, 0, 255};
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    }
    const auto use = [&](const char* name, int count) {
        for (int n = 0; n < count; ++n)
            glUniform1i(glGetUniformLocation(p, (name + ("[" + std::to_string(n) + "]")).c_str()), n);
    };
    use("s", vertex_units);
    use("t", units);
    square();
    CHECK(pixel(3, 3) == kGreen);
    CHECK(pixel(15, 15) == kGreen);
}

TEST_CASE_FIXTURE(Extensions, "extension limits: one more varying vector does not link") {
    const int vectors = integer(GL_MAX_VARYING_VECTORS) + 1;
    const std::string v = "varying vec4 v[" + std::to_string(vectors) + "]; ";
    std::string write, sum = "vec4(0)";
    for (int n = 0; n < vectors; ++n) {
        write += "v[" + std::to_string(n) + "] = vec4(p, " + std::to_string(n) + ", 1);";
        sum += " + v[" + std::to_string(n) + "]";
    }
    const GLuint p = glCreateProgram();
    glAttachShader(
        p, shader_of(GL_VERTEX_SHADER,
                     "attribute vec2 p; " + v + "void main() { gl_Position = vec4(p, 0, 1); " + write + "}"));
    glAttachShader(p, shader_of(GL_FRAGMENT_SHADER, "precision highp float; " + v +
                                                        "void main() { gl_FragColor = " + sum + "; }"));
    glLinkProgram(p);
    GLint ok = 1;
    glGetProgramiv(p, GL_LINK_STATUS, &ok);
    CHECK_FALSE(ok);
}

TEST_CASE_FIXTURE(Extensions, "extension limits: relations between them follow OpenGL ES") {
    if (integer(GL_MAX_VARYING_VECTORS) &&
        std::string(reinterpret_cast<const char*>(glGetString(GL_VERSION))).find("3.2") == std::string::npos)
        return;
    const int vectors = integer(GL_MAX_VARYING_VECTORS);
    for (const GLenum components :
         {GL_MAX_VARYING_COMPONENTS, GL_MAX_VERTEX_OUTPUT_COMPONENTS, GL_MAX_FRAGMENT_INPUT_COMPONENTS,
          GL_MAX_GEOMETRY_INPUT_COMPONENTS_EXT, GL_MAX_GEOMETRY_OUTPUT_COMPONENTS_EXT,
          GL_MAX_TESS_CONTROL_INPUT_COMPONENTS_EXT, GL_MAX_TESS_CONTROL_OUTPUT_COMPONENTS_EXT,
          GL_MAX_TESS_EVALUATION_INPUT_COMPONENTS_EXT, GL_MAX_TESS_EVALUATION_OUTPUT_COMPONENTS_EXT}) {
        CAPTURE(components);
        CHECK(integer(components) == vectors * 4);
    }
    int all = 0;
    for (const GLenum units :
         {GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, GL_MAX_TEXTURE_IMAGE_UNITS, GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS,
          GL_MAX_GEOMETRY_TEXTURE_IMAGE_UNITS_EXT, GL_MAX_TESS_CONTROL_TEXTURE_IMAGE_UNITS_EXT,
          GL_MAX_TESS_EVALUATION_TEXTURE_IMAGE_UNITS_EXT}) {
        CAPTURE(units);
        CHECK(integer(units) >= 16);
        all += integer(units);
    }
    CHECK(integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS) == all);
    CHECK(integer(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS) >= 96);
    // Each unit exists.
    glActiveTexture(GLenum(GL_TEXTURE0 + all - 1));
    CHECK(glGetError() == GL_NO_ERROR);
    glActiveTexture(GLenum(GL_TEXTURE0 + all));
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(integer(GL_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS_EXT) >= 1024);
    CHECK(integer(GL_MAX_TESS_CONTROL_TOTAL_OUTPUT_COMPONENTS_EXT) >= 2048);
}

TEST_CASE_FIXTURE(Extensions, "extension pixels: GL_EXT_depth_clamp") {
    if (!has("GL_EXT_depth_clamp")) return;
    const GLuint p = program_of(
        "attribute vec2 p; uniform vec3 z; void main() { gl_Position = vec4(p * z.y, z.x + z.z * p.x, z.y); "
        "}",
        "precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }");
    const GLint z = glGetUniformLocation(p, "z"), c = glGetUniformLocation(p, "c");
    const auto draw = [&](float depth, const Bytes& color, float w = 1, float slope = 0) {
        glUniform3f(z, depth, w, slope);
        glUniform4f(c, float(color[0]) / 255, float(color[1]) / 255, float(color[2]) / 255, 1);
        square();
    };
    CHECK_FALSE(glIsEnabled(GL_DEPTH_CLAMP_EXT));
    glEnable(GL_DEPTH_TEST);
    glClearColor(0, 0, 1, 1);
    for (const auto& [near, far] : {std::pair{0.0f, 1.0f}, {0.25f, 0.75f}, {0.75f, 0.25f}})
        for (const float beyond : {-3.0f, 3.0f}) {
            CAPTURE(near);
            CAPTURE(beyond);
            glDepthRangef(near, far);
            glDepthFunc(GL_ALWAYS);
            glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            draw(beyond, kRed);
            CHECK(pixel(8, 8) == kBlue);
            glEnable(GL_DEPTH_CLAMP_EXT);
            CHECK(glIsEnabled(GL_DEPTH_CLAMP_EXT));
            draw(beyond * 2, kRed, 2);
            CHECK(pixel(8, 8) == kRed);
            CHECK(pixel(0, 15) == kRed);
            glDisable(GL_DEPTH_CLAMP_EXT);
            // Checks the stored depth: something farther is hidden, something nearer is visible.
            const float stored = beyond < 0 ? near : far;
            glDepthRangef(0, 1);
            glDepthFunc(GL_LESS);
            if (stored < 0.9f) {
                draw(2 * (stored + 0.01f) - 1, kBlue);
                CHECK(pixel(8, 8) == kRed);
            }
            if (stored > 0.1f) {
                draw(2 * (stored - 0.01f) - 1, kGreen);
                CHECK(pixel(8, 8) == kGreen);
            }
        }
    // A plane that leaves the depth range on both sides is only clipped by the sides of the view.
    glDepthRangef(0.25f, 0.75f);
    glDepthFunc(GL_ALWAYS);
    glEnable(GL_DEPTH_CLAMP_EXT);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw(0, kRed, 1, 4);
    for (const int x : {0, 7, 8, 15}) {
        CAPTURE(x);
        CHECK(pixel(x, 8) == kRed);
    }
    glDepthFunc(GL_LESS);
    glDisable(GL_DEPTH_CLAMP_EXT);
    glDepthRangef(0, 1);
    draw(2 * 0.5f - 1, kGreen);
    CHECK(pixel(15, 8) == kGreen);  // 0.75 at this pixel
    CHECK(pixel(0, 8) == kRed);     // 0.25 at this pixel
    glDisable(GL_DEPTH_TEST);
}

TEST_CASE_FIXTURE(Extensions, "extension pixels: GL_EXT_shadow_samplers in ESSL 1.00") {
    if (!has("GL_EXT_shadow_samplers")) return;
    const GLuint p = program_of(
        "attribute vec2 p; varying vec2 uv; void main() { uv = p * 0.5 + 0.5; gl_Position = vec4(p, 0, 1); }",
        "#extension GL_EXT_shadow_samplers : require\nprecision mediump float; varying vec2 uv; uniform "
        "sampler2DShadow s; "
        "uniform float r; void main() { gl_FragColor = vec4(shadow2DEXT(s, vec3(uv, r)), "
        "shadow2DProjEXT(s, vec4(uv, r, 1.0) * 2.0), 0, 1); }");
    texture();
    const unsigned short depths[4] = {0, 0x4000, 0x8000, 0xffff};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 2, 2, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT,
                 depths);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, GL_COMPARE_REF_TO_TEXTURE_EXT);
    REQUIRE(glGetError() == GL_NO_ERROR);
    GLint size = 0;
    GLenum type = 0;
    char name[16];
    bool seen = false;
    for (GLuint n = 0; n < 2; ++n) {
        glGetActiveUniform(p, n, sizeof name, nullptr, &size, &type, name);
        seen |= type == GL_SAMPLER_2D_SHADOW_EXT;
    }
    CHECK(seen);
    struct Rule {
        GLenum func;
        bool (*passes)(float reference, float stored);
    };
    for (const Rule& rule : {Rule{GL_LEQUAL, [](float r, float d) { return r <= d; }},
                             {GL_GREATER, [](float r, float d) { return r > d; }},
                             {GL_NEVER, [](float, float) { return false; }},
                             {GL_ALWAYS, [](float, float) { return true; }}})
        for (const float r : {0.125f, 0.375f, 0.75f}) {
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC_EXT, GLint(rule.func));
            glUniform1f(glGetUniformLocation(p, "r"), r);
            square();
            for (int n = 0; n < 4; ++n) {
                CAPTURE(rule.func);
                CAPTURE(r);
                CAPTURE(n);
                const auto lit =
                    static_cast<unsigned char>(rule.passes(r, float(depths[n]) / 65535) ? 255 : 0);
                CHECK(pixel(n % 2 ? 12 : 4, n / 2 ? 12 : 4) == Bytes{lit, lit, 0, 255});
            }
        }
}

TEST_CASE_FIXTURE(Extensions, "extension pixels: GL_EXT_separate_shader_objects in ESSL 1.00 and 3.00") {
    if (!has("GL_EXT_separate_shader_objects")) return;
    const auto create = fixture::proc<PFNGLCREATESHADERPROGRAMVEXTPROC>("glCreateShaderProgramvEXT");
    const auto gen = fixture::proc<PFNGLGENPROGRAMPIPELINESEXTPROC>("glGenProgramPipelinesEXT");
    const auto bind = fixture::proc<PFNGLBINDPROGRAMPIPELINEEXTPROC>("glBindProgramPipelineEXT");
    const auto stages = fixture::proc<PFNGLUSEPROGRAMSTAGESEXTPROC>("glUseProgramStagesEXT");
    const auto uniform = fixture::proc<PFNGLPROGRAMUNIFORM4FEXTPROC>("glProgramUniform4fEXT");
    const auto get = fixture::proc<PFNGLGETPROGRAMPIPELINEIVEXTPROC>("glGetProgramPipelineivEXT");
    const std::string extension = "#extension GL_EXT_separate_shader_objects : require\n";
    // Varyings with different names match by their locations.
    const std::string texts[][2] = {{extension + "#define PLACE 4\nlayout(location = 0) attribute vec2 "
                                                 "corner; layout(location = PLACE) varying vec4 left; "
                                                 "layout(location = 1) varying vec2 right; void main() { "
                                                 "left = vec4(0, 1, 0, 1); right = vec2(1, 0); "
                                                 "gl_Position = vec4(corner, 0, 1); }",
                                     extension + "precision mediump float; layout(location = 1) varying vec2 "
                                                 "b; layout(location = 4) varying vec4 a; uniform vec4 c; "
                                                 "void main() { gl_FragColor = a * c * b.x; }"},
                                    {"#version 300 es\n" + extension +
                                         "out vec4 gl_Position; out float gl_PointSize; layout(location = 0) "
                                         "in vec2 corner; layout(location = 4) out vec4 left; "
                                         "layout(location = 1) out vec2 right; void main() { left = vec4(0, "
                                         "1, 0, 1); right = vec2(1, 0); "
                                         "gl_PointSize = 1.0; gl_Position = vec4(corner, 0, 1); }",
                                     "#version 300 es\n" + extension +
                                         "precision mediump float; layout(location = 1) in highp vec2 b; "
                                         "layout(location = 4) in highp vec4 a; uniform vec4 c; "
                                         "out vec4 o; void main() { o = a * c * b.x; }"}};
    const bool es3 =
        std::string(reinterpret_cast<const char*>(glGetString(GL_VERSION))).find("ES 2") == std::string::npos;
    for (int version = 0; version < (es3 ? 2 : 1); ++version) {
        CAPTURE(version);
        GLuint programs[2], pipeline = 0;
        for (int n = 0; n < 2; ++n) {
            const char* text = texts[version][n].c_str();
            programs[n] = create(n ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER, 1, &text);
            char log[512] = "";
            glGetProgramInfoLog(programs[n], sizeof log, nullptr, log);
            GLint linked = 0, separable = 0;
            glGetProgramiv(programs[n], GL_LINK_STATUS, &linked);
            glGetProgramiv(programs[n], GL_PROGRAM_SEPARABLE_EXT, &separable);
            REQUIRE_MESSAGE(linked, log);
            CHECK(separable);
        }
        gen(1, &pipeline);
        bind(pipeline);
        CHECK(integer(GL_PROGRAM_PIPELINE_BINDING_EXT) == GLint(pipeline));
        stages(pipeline, GL_VERTEX_SHADER_BIT_EXT, programs[0]);
        stages(pipeline, GL_FRAGMENT_SHADER_BIT_EXT, programs[1]);
        GLint stage = 0;
        get(pipeline, GL_FRAGMENT_SHADER, &stage);
        CHECK(stage == GLint(programs[1]));
        uniform(programs[1], glGetUniformLocation(programs[1], "c"), 1, 1, 1, 1);
        glUseProgram(0);
        glClearColor(1, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        square();
        CHECK(pixel(8, 8) == kGreen);
        bind(0);
    }
}

TEST_CASE_FIXTURE(
    Extensions,
    "extension pixels: GL_MESA_framebuffer_flip_y turns what is drawn, cleared, read and copied") {
    if (!has("GL_MESA_framebuffer_flip_y")) return;
    const auto parameter = fixture::proc<PFNGLFRAMEBUFFERPARAMETERIMESAPROC>("glFramebufferParameteriMESA");
    const auto get = fixture::proc<PFNGLGETFRAMEBUFFERPARAMETERIVMESAPROC>("glGetFramebufferParameterivMESA");
    constexpr int kWidth = 8, kHeight = 6;
    program_of("attribute vec2 p; void main() { gl_Position = vec4(p * 0.5 + vec2(0.0, 0.5), 0, 1); }",
               "precision highp float; void main() { gl_FragColor = vec4(gl_FragCoord.xy / 8.0, "
               "gl_FrontFacing, 1); }");
    const GLuint target = texture();
    // Level 1 of a larger texture: rows are counted within the level.
    glTexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 2 * kWidth, 2 * kHeight);
    const GLuint plain = framebuffer();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 1);
    const GLuint flipped = framebuffer();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 1);
    parameter(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
    GLint value = 0;
    get(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, &value);
    CHECK(value == 1);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, kWidth, kHeight);
    const auto turned = [](const Bytes& b) {
        Bytes out;
        for (int y = kHeight; y-- > 0;)
            out.insert(out.end(), b.begin() + y * kWidth * 4, b.begin() + (y + 1) * kWidth * 4);
        return out;
    };
    const auto scene = [&] {
        glClearColor(0, 0, 0.5f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_SCISSOR_TEST);
        glScissor(1, 0, 3, 2);
        glClearColor(1, 1, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        square();
        return read(0, 0, kWidth, kHeight);
    };
    const Bytes drawn_flipped = scene();
    CHECK(read(2, 1, 3, 2) == [&] {
        Bytes part;
        for (int y = 1; y < 3; ++y)
            part.insert(part.end(), drawn_flipped.begin() + (y * kWidth + 2) * 4,
                        drawn_flipped.begin() + (y * kWidth + 5) * 4);
        return part;
    }());
    glBindFramebuffer(GL_FRAMEBUFFER, plain);
    const Bytes memory = read(0, 0, kWidth, kHeight), drawn_plain = scene();
    CHECK(drawn_flipped == drawn_plain);  // for GL there is no difference
    CHECK(memory == turned(drawn_flipped));
    CHECK(memory != drawn_flipped);
    // Copies and blits from it.
    glBindFramebuffer(GL_FRAMEBUFFER, flipped);
    scene();
    texture();
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, kWidth, kHeight, 0);
    GLint copy = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &copy);
    framebuffer();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, GLuint(copy), 0);
    CHECK(read(0, 0, kWidth, kHeight) == drawn_plain);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, flipped);
    glBlitFramebuffer(0, 0, kWidth, kHeight, 0, 0, kWidth, kHeight, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    GLint here = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &here);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, GLuint(here));
    CHECK(read(0, 0, kWidth, kHeight) == drawn_plain);
    // Copies and blits to it.
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, flipped);
    glClear(GL_COLOR_BUFFER_BIT);
    glBlitFramebuffer(0, 0, kWidth, kHeight, 0, 0, kWidth, kHeight, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, flipped);
    CHECK(read(0, 0, kWidth, kHeight) == drawn_plain);
    parameter(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_FALSE);
    CHECK(read(0, 0, kWidth, kHeight) == turned(drawn_plain));
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    get(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, &value);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    parameter(GL_FRAMEBUFFER, GL_FRAMEBUFFER_FLIP_Y_MESA, GL_TRUE);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE_FIXTURE(Extensions, "extension pixels: GL_EXT_clear_texture") {
    if (!has("GL_EXT_clear_texture")) return;
    const auto clear = fixture::proc<PFNGLCLEARTEXIMAGEEXTPROC>("glClearTexImageEXT");
    const auto clear_box = fixture::proc<PFNGLCLEARTEXSUBIMAGEEXTPROC>("glClearTexSubImageEXT");
    framebuffer();
    const auto at = [&](GLuint t, GLint level, int x, int y) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, level);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        return read(x, y, 1, 1);
    };
    // Colours, in a box of a level, between draws to it.
    GLuint t = texture();
    glTexStorage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 32, 16);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 1);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    clear_box(t, 1, 3, 2, 0, 5, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, kGreen.data());
    CHECK(at(t, 1, 3, 2) == kGreen);
    CHECK(at(t, 1, 7, 5) == kGreen);
    CHECK(at(t, 1, 2, 2) == kRed);
    CHECK(at(t, 1, 8, 5) == kRed);
    CHECK(at(t, 1, 7, 6) == kRed);
    clear(t, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(at(t, 1, 0, 0) == Bytes{0, 0, 0, 0});
    CHECK(at(t, 1, 15, 7) == Bytes{0, 0, 0, 0});
    // Floats.
    t = texture();
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA16F, 4, 4);
    const float half[4] = {0, 1, 0, 1};
    clear(t, 0, GL_RGBA, GL_FLOAT, half);
    GLfloat f[4] = {};
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    glReadPixels(3, 3, 1, 1, GL_RGBA, GL_FLOAT, f);
    CHECK(std::equal(f, f + 4, half));
    // Integers.
    t = texture();
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32I, 4, 4);
    const GLint numbers[4] = {-5, 6, 1 << 30, -1};
    clear(t, 0, GL_RGBA_INTEGER, GL_INT, numbers);
    GLint i[4] = {};
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    glReadPixels(3, 0, 1, 1, GL_RGBA_INTEGER, GL_INT, i);
    CHECK(std::equal(i, i + 4, numbers));
    // Layers of an array, faces of a cube, slices of a 3D texture.
    for (const GLenum kind : {GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D}) {
        CAPTURE(kind);
        t = texture(kind);
        if (kind == GL_TEXTURE_CUBE_MAP)
            glTexStorage2D(kind, 1, GL_RGBA8, 4, 4);
        else
            glTexStorage3D(kind, 1, GL_RGBA8, 4, 4, 6);
        clear(t, 0, GL_RGBA, GL_UNSIGNED_BYTE, kRed.data());
        clear_box(t, 0, 1, 1, 2, 2, 2, 3, GL_RGBA, GL_UNSIGNED_BYTE, kGreen.data());
        for (int z = 0; z < 6; ++z) {
            if (kind == GL_TEXTURE_CUBE_MAP)
                glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                       GLenum(GL_TEXTURE_CUBE_MAP_POSITIVE_X + z), t, 0);
            else
                glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0, z);
            CAPTURE(z);
            CHECK(read(0, 0, 1, 1) == kRed);
            CHECK(read(2, 2, 1, 1) == (z >= 2 && z < 5 ? kGreen : kRed));
        }
    }
    // All samples.
    GLuint samples = 0;
    glGenTextures(1, &samples);
    const auto storage =
        fixture::proc<void(GL_APIENTRYP)(GLenum, GLsizei, GLenum, GLsizei, GLsizei, GLboolean)>(
            "glTexStorage2DMultisample");
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, samples);
    storage(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 8, 8, GL_TRUE);
    clear(samples, 0, GL_RGBA, GL_UNSIGNED_BYTE, kRed.data());
    clear_box(samples, 0, 4, 0, 0, 4, 8, 1, GL_RGBA, GL_UNSIGNED_BYTE, kGreen.data());
    const GLuint from = framebuffer();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, samples, 0);
    t = texture();
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    framebuffer();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    GLint drawn = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawn);
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(drawn));
    CHECK(read(3, 7, 1, 1) == kRed);
    CHECK(read(4, 0, 1, 1) == kGreen);
    // Depth, checked by a depth test.
    t = texture();
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH_COMPONENT16, 8, 8);
    const GLushort quarter = 0x4000;
    clear(t, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, &quarter);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t, 0);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    const GLuint p =
        program_of("attribute vec2 p; uniform float z; void main() { gl_Position = vec4(p, z, 1); }",
                   "precision mediump float; void main() { gl_FragColor = vec4(0, 0, 1, 1); }");
    glViewport(0, 0, 8, 8);
    glEnable(GL_DEPTH_TEST);
    glUniform1f(glGetUniformLocation(p, "z"), -0.4f);  // 0.3
    square();
    CHECK(read(3, 7, 1, 1) == kRed);
    glUniform1f(glGetUniformLocation(p, "z"), -0.6f);  // 0.2
    square();
    CHECK(read(3, 7, 1, 1) == kBlue);
    glDisable(GL_DEPTH_TEST);
}

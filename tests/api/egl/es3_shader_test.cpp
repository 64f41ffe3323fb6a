// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ESSL 3.00 like a program uses it: features that only shaders of that version have, drawn and read back.
// Each picture is drawn so often that both compilers of the CPU driver draw it.
#include <GLES3/gl3.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/api/egl/fixture.h"

namespace {

struct Version {
    Version() { setenv("TERRAZZO_GLES_VERSION", "3.0", 1); }
    ~Version() { unsetenv("TERRAZZO_GLES_VERSION"); }
};

using Pixel = std::vector<int>;
constexpr GLsizei kSize_px = 16;

/// A context of OpenGL ES 3.0. Programs draw a triangle strip over the whole target, with corners in [-1, 1].
struct Shaders : Version, fixture::Display {
    Shaders() {
        EGLConfig c = config({EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8,
                              EGL_DEPTH_SIZE, 24});
        const EGLint a[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
        EGLContext x = eglCreateContext(dpy, c, EGL_NO_CONTEXT, a);
        EGLSurface s = pbuffer(c, kSize_px, kSize_px);
        REQUIRE(x != EGL_NO_CONTEXT);
        REQUIRE(eglMakeCurrent(dpy, s, s, x));
    }
    ~Shaders() { CHECK(glGetError() == GL_NO_ERROR); }

    static void shader(GLuint p, GLenum type, const std::string& body) {
        const GLuint s = glCreateShader(type);
        const std::string text = "#version 300 es\n" + body;
        const char* strings[] = {text.c_str()};
        glShaderSource(s, 1, strings, nullptr);
        glCompileShader(s);
        char log[512] = "";
        glGetShaderInfoLog(s, sizeof log, nullptr, log);
        GLint compiled = 0;
        glGetShaderiv(s, GL_COMPILE_STATUS, &compiled);
        REQUIRE_MESSAGE(compiled, log);
        glAttachShader(p, s);
    }
    static GLuint program(const std::string& vertex, const std::string& fragment) {
        const GLuint p = glCreateProgram();
        shader(p, GL_VERTEX_SHADER,
               "vec4 corner() { return vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * 2.0 - 1.0, 0.0, "
               "1.0); }\n" +
                   vertex);
        shader(p, GL_FRAGMENT_SHADER, "precision highp float; precision highp int;\n" + fragment);
        glLinkProgram(p);
        char log[512] = "";
        glGetProgramInfoLog(p, sizeof log, nullptr, log);
        GLint linked = 0;
        glGetProgramiv(p, GL_LINK_STATUS, &linked);
        REQUIRE_MESSAGE(linked, log);
        glUseProgram(p);
        return p;
    }
    static Pixel pixel(int x, int y) {
        unsigned char p[4];
        glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        return {p, p + 4};
    }
    /// Draws `mode` many times.
    static void draw(GLenum mode = GL_TRIANGLE_STRIP, GLint first = 0, GLsizei count = 4,
                     GLsizei instances = 1) {
        for (int n = 0; n < 40; ++n) {
            glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            glDrawArraysInstanced(mode, first, count, instances);
        }
    }
    /// The colour at a position, for a fragment shader over the whole target.
    static Pixel color(const std::string& fragment, int x = 3, int y = 5) {
        program("void main() { gl_Position = corner(); }", "out vec4 o;\n" + fragment);
        draw();
        return pixel(x, y);
    }
    static GLuint texture(GLenum target, GLenum filter = GL_NEAREST) {
        GLuint t = 0;
        glGenTextures(1, &t);
        glBindTexture(target, t);
        glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GLint(filter));
        glTexParameteri(target, GL_TEXTURE_MAG_FILTER,
                        filter == GL_NEAREST_MIPMAP_NEAREST ? GL_NEAREST : GLint(filter));
        return t;
    }
};

const Pixel kWhite = {255, 255, 255, 255};

}  // namespace

TEST_CASE_FIXTURE(Shaders, "essl: flat integers are the last vertex's, to the bit, and clipping keeps them") {
    // Beyond the target's edges and on the other side of the eye: each triangle is clipped.
    const GLuint p = program(
        "flat out uvec2 bits; flat out ivec2 id[2]; out vec4 v; uniform float far_away; void main() {\n"
        "gl_Position = corner(); gl_Position.xy *= far_away; gl_Position.z = gl_VertexID == 0 ? -9.0 : 0.0;\n"
        "bits = gl_VertexID == 2 ? uvec2(0xffc00001u, 0x80000000u) : uvec2(1u, uint(gl_VertexID));\n"
        "id[0] = ivec2(gl_VertexID, -7); id[1] = ivec2(0x7fffffff, gl_InstanceID); v = vec4(1.0); }",
        "flat in uvec2 bits; flat in ivec2 id[2]; in vec4 v; out vec4 o; void main() {\n"
        "bool first = bits == uvec2(0xffc00001u, 0x80000000u) && id[0] == ivec2(2, -7);\n"
        "bool second = bits == uvec2(1u, 3u) && id[0] == ivec2(3, -7);\n"
        "o = vec4(first, second, id[1] == ivec2(0x7fffffff, 0), v.w); }");
    for (const float far_away : {1.0f, 40.0f}) {
        glUniform1f(glGetUniformLocation(p, "far_away"), far_away);
        draw();
        CHECK(pixel(13, 13) == Pixel{0, 255, 255, 255});
    }
}

TEST_CASE_FIXTURE(Shaders, "essl: vertex and instance numbers") {
    program(
        "flat out ivec2 number; void main() { gl_Position = corner(); number = ivec2(gl_VertexID, "
        "gl_InstanceID); }",
        "flat in ivec2 number; out vec4 o; void main() { o = vec4(number, 0, 255) / 255.0; }");
    draw(GL_TRIANGLE_STRIP, 8, 4, 3);
    CHECK(pixel(14, 14) == Pixel{11, 2, 0, 255});
    CHECK(pixel(1, 1) == Pixel{10, 2, 0, 255});
}

TEST_CASE_FIXTURE(Shaders, "essl: integer attributes and matrices of any shape") {
    const GLuint p = program(
        "in ivec3 i; in uvec4 u; in mat2x3 m; out vec4 v; void main() { gl_Position = corner();\n"
        "v = vec4(i == ivec3(-5, 0x7fffffff, 3), u == uvec4(1u, 0xffffffffu, 3u, 4u), m * vec2(1, 2) == "
        "vec3(9, 12, 15),\n"
        "(vec3(1, 2, 3) * m) == vec2(14, 32)); }",
        "in vec4 v; out vec4 o; void main() { o = v; }");
    glVertexAttribI4i(GLuint(glGetAttribLocation(p, "i")), -5, 0x7fffffff, 3, 0);
    glVertexAttribI4ui(GLuint(glGetAttribLocation(p, "u")), 1, 0xffffffff, 3, 4);
    const GLuint m = GLuint(glGetAttribLocation(p, "m"));
    glVertexAttrib3f(m, 1, 2, 3);
    glVertexAttrib3f(m + 1, 4, 5, 6);
    draw();
    CHECK(pixel(7, 7) == kWhite);
}

TEST_CASE_FIXTURE(Shaders, "essl: texture arrays, 3D textures and integer textures are fetched and sampled") {
    std::vector<unsigned char> texels(4 * 4 * 4 * 4);
    for (size_t n = 0; n < texels.size(); ++n)
        texels[n] = static_cast<unsigned char>(n % 4 == 3   ? 255
                                               : n % 4 == 2 ? n / 64 * 50
                                               : n % 4 == 1 ? n / 16 % 4 * 50
                                                            : n / 4 % 4 * 50);
    glActiveTexture(GL_TEXTURE0);
    texture(GL_TEXTURE_2D_ARRAY);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    const std::string array = "uniform highp sampler2DArray s; void main() { o = ";
    CHECK(color(array + "texelFetch(s, ivec3(1, 2, 3), 0); }") == Pixel{50, 100, 150, 255});
    CHECK(color(array + "texelFetchOffset(s, ivec3(1, 2, 3), 0, ivec2(1, -2)); }") ==
          Pixel{100, 0, 150, 255});
    CHECK(color(array + "texture(s, vec3(0.3, 0.9, 1.6)); }") == Pixel{50, 150, 100, 255});
    CHECK(color(array + "textureOffset(s, vec3(0.3, 0.9, -5.0), ivec2(2, -1)); }") ==
          Pixel{150, 100, 0, 255});
    CHECK(color(array + "vec4(textureSize(s, 0), 255) / 255.0; }") == Pixel{4, 4, 4, 255});
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    texture(GL_TEXTURE_3D, GL_LINEAR);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    const std::string volume = "uniform highp sampler3D s; void main() { o = ";
    CHECK(color(volume + "texelFetch(s, ivec3(3, 0, 2), 0); }") == Pixel{150, 0, 100, 255});
    CHECK(color(volume + "textureLod(s, vec3(0.5, 0.375, 0.5), 0.0); }") == Pixel{75, 50, 75, 255});
    CHECK(color(volume + "textureProjOffset(s, vec4(0.75, 0.25, 1.25, 2.0), ivec3(0, 1, -1)); }") ==
          Pixel{50, 50, 50, 255});
    CHECK(color(volume + "textureGrad(s, vec3(0.625), vec3(0.1), vec3(0.0)); }") ==
          Pixel{100, 100, 100, 255});
    texture(GL_TEXTURE_2D);
    const GLint words[] = {-5, 0x12345678, 7, 1, 2, 3, 4, 5};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, 2, 1, 0, GL_RGBA_INTEGER, GL_INT, words);
    CHECK(
        color(
            "uniform highp isampler2D s; void main() { o = vec4(texture(s, vec2(0.1)) == ivec4(-5, "
            "0x12345678, 7, 1), "
            "texelFetch(s, ivec2(1, 0), 0) == ivec4(2, 3, 4, 5), textureSize(s, 0) == ivec2(2, 1), 1); }") ==
        kWhite);
    const GLubyte bytes[] = {200, 3};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, 2, 1, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE, bytes);
    CHECK(color("uniform highp usampler2D s; void main() { o = vec4(texture(s, vec2(0.1)) == uvec4(200u, 0u, "
                "0u, 1u), "
                "texelFetchOffset(s, ivec2(0), 0, ivec2(1, 0)).x == 3u, 1, 1); }") == kWhite);
}

TEST_CASE_FIXTURE(Shaders, "essl: levels by number, by gradient, and sizes of levels") {
    texture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
    for (int level = 0; level < 4; ++level) {
        const int size = 8 >> level;
        const std::vector<unsigned char> texels(size_t(size * size * 4),
                                                static_cast<unsigned char>(40 * (level + 1)));
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    }
    const auto grey = [](int n) { return Pixel{n, n, n, n}; };
    const std::string head = "uniform sampler2D s; void main() { o = ";
    CHECK(color(head + "textureLod(s, vec2(0.5), 2.0); }") == grey(120));
    CHECK(color(head + "textureLodOffset(s, vec2(0.5), 1.2, ivec2(1)); }") == grey(80));
    CHECK(color(head + "texelFetch(s, ivec2(0), 3); }") == grey(160));
    CHECK(color(head + "textureGrad(s, vec2(0.5), vec2(0.25, 0.0), vec2(0.0)); }") == grey(80));
    CHECK(color(head + "textureProjGrad(s, vec3(1.0, 1.0, 2.0), vec2(0.0), vec2(0.0, 0.5)); }") == grey(120));
    CHECK(color(head + "texture(s, gl_FragCoord.xy / 16.0); }") == grey(40));
    CHECK(color(head + "texture(s, gl_FragCoord.xy / 4.0); }") == grey(80));
    CHECK(color(head + "texture(s, gl_FragCoord.xy / 16.0, 3.0); }") == grey(120));
    CHECK(color(head + "vec4(textureSize(s, 1), textureSize(s, 3)) / 255.0; }") == Pixel{4, 4, 1, 1});
    CHECK(color("uniform sampler2D s; void main() { o = texelFetch(s, ivec2(8, 0), 0) + texelFetch(s, "
                "ivec2(0), 4); }") == grey(0));
}

TEST_CASE_FIXTURE(Shaders, "essl: comparing textures") {
    texture(GL_TEXTURE_2D);
    const GLushort depths[] = {0x4000, 0xc000};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT16, 2, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT,
                 depths);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    CHECK(color("uniform highp sampler2DShadow s; void main() { o = vec4(texture(s, vec3(0.2, 0.5, 0.5)), "
                "texture(s, "
                "vec3(0.8, 0.5, 0.5)), textureProj(s, vec4(0.4, 1.0, 0.4, 2.0)), textureOffset(s, vec3(0.2, "
                "0.5, 0.7), "
                "ivec2(1, 0))); }") == Pixel{0, 255, 255, 255});
    texture(GL_TEXTURE_2D_ARRAY);
    const GLfloat layers[] = {0.25f, 0.75f};
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT32F, 1, 1, 2, 0, GL_DEPTH_COMPONENT, GL_FLOAT,
                 layers);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LESS);
    CHECK(color("uniform highp sampler2DArrayShadow s; void main() { o = vec4(texture(s, vec4(0.5, 0.5, 0.0, "
                "0.5)), "
                "texture(s, vec4(0.5, 0.5, 1.0, 0.5)), textureGrad(s, vec4(0.5, 0.5, 1.0, 0.8), vec2(0), "
                "vec2(0)), 1); }") == Pixel{0, 255, 0, 255});
}

TEST_CASE_FIXTURE(Shaders, "essl: depth that shaders write") {
    program("void main() { gl_Position = corner(); }",
            "out vec4 o; void main() { gl_FragDepth = gl_FragCoord.x < 8.0 ? 0.25 : 0.75; o = vec4(1.0); }");
    glEnable(GL_DEPTH_TEST);
    glClearDepthf(0.5f);
    draw();
    CHECK(pixel(2, 2) == kWhite);
    CHECK(pixel(12, 2) == Pixel{0, 0, 0, 0});
}

TEST_CASE_FIXTURE(Shaders, "essl: several outputs, also of integers, each in its buffer") {
    GLuint f = 0, r[3];
    glGenFramebuffers(1, &f);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    glGenRenderbuffers(3, r);
    const GLenum formats[] = {GL_RGBA8, GL_RGBA32I, GL_RG16UI};
    const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
    for (int n = 0; n < 3; ++n) {
        glBindRenderbuffer(GL_RENDERBUFFER, r[n]);
        glRenderbufferStorage(GL_RENDERBUFFER, formats[n], kSize_px, kSize_px);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, buffers[n], GL_RENDERBUFFER, r[n]);
    }
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glDrawBuffers(3, buffers);
    const GLuint p = program("void main() { gl_Position = corner(); }",
                             "layout(location = 1) out ivec4 i; layout(location = 0) out vec4 o; "
                             "layout(location = 2) out uvec2 u;\n"
                             "void main() { ivec2 at = ivec2(gl_FragCoord.xy); o = vec4(1, 0, 1, 1); i = "
                             "ivec4(at, -70000, 5); u = uvec2(at.x * 1000, 7u); }");
    CHECK(glGetFragDataLocation(p, "i") == 1);
    CHECK(glGetFragDataLocation(p, "u") == 2);
    CHECK(glGetFragDataLocation(p, "missing") == -1);
    for (int n = 0; n < 40; ++n)
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(pixel(3, 5) == Pixel{255, 0, 255, 255});
    GLint i[4] = {};
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glReadPixels(3, 5, 1, 1, GL_RGBA_INTEGER, GL_INT, i);
    CHECK(std::vector<int>(i, i + 4) == std::vector<int>{3, 5, -70000, 5});
    GLuint u[4] = {};
    glReadBuffer(GL_COLOR_ATTACHMENT2);
    glReadPixels(3, 5, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, u);
    CHECK(u[0] == 3000);
    CHECK(u[1] == 7);
}

TEST_CASE_FIXTURE(Shaders, "essl: derivatives, facing, points") {
    CHECK(color("void main() { vec2 p = gl_FragCoord.xy; o = vec4(dFdx(p.x * 2.0), dFdy(p.y * 3.0), "
                "fwidth(p.x + p.y), "
                "gl_FrontFacing) / vec4(2, 3, 2, 1); }") == kWhite);
    program("void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 8.0; }",
            "out vec4 o; void main() { o = vec4((gl_PointCoord * 8.0 + 0.25) / 255.0, gl_FrontFacing, 1); }");
    draw(GL_POINTS, 0, 1);
    CHECK(pixel(4, 11) == Pixel{1, 1, 255, 255});
    CHECK(pixel(11, 4) == Pixel{8, 8, 255, 255});
}

TEST_CASE_FIXTURE(Shaders, "essl: an output that is read has the earlier colour") {
    program("void main() { gl_Position = corner(); }",
            "#extension GL_EXT_shader_framebuffer_fetch : require\n"
            "layout(location = 0) inout highp vec4 o; void main() { o.x += 16.0 / 255.0; o.w = 1.0; }");
    glClear(GL_COLOR_BUFFER_BIT);
    for (int n = 0; n < 12; ++n)
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(pixel(3, 5) == Pixel{192, 0, 0, 255});
}

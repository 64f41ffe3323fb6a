// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures and framebuffers of OpenGL ES 3.0 like a program uses them: uploaded, sampled, rendered to,
// blitted, resolved, read.
#include <GLES3/gl3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/api/egl/es3_images.h"

using fixture::Images;
using fixture::Pixel;

TEST_CASE_FIXTURE(Images, "layers of an array: uploaded, mipmapped, selected, fetched") {
    texture(GL_TEXTURE_2D_ARRAY);
    unsigned char texels[3][16][4];
    for (int z = 0; z < 3; ++z)
        for (int i = 0; i < 16; ++i)
            for (int c = 0; c < 4; ++c)
                texels[z][i][c] = static_cast<unsigned char>(c == 0   ? 50 * z
                                                             : c == 1 ? 10 * i
                                                             : c == 2 ? 7
                                                                      : 255);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    draw("uniform sampler2DArray t; out vec4 o; void main() { o = texture(t, vec3(uv, 2.0)); }");
    CHECK(pixel(0, 0) == Pixel{100, 0, 7, 255});
    CHECK(pixel(15, 15) == Pixel{100, 150, 7, 255});
    draw("uniform sampler2DArray t; out vec4 o; void main() { o = texelFetch(t, ivec3(2, 1, 1), 0); }");
    CHECK(pixel(3, 3) == Pixel{50, 60, 7, 255});
    glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
    draw("uniform sampler2DArray t; out vec4 o; void main() { o = texelFetch(t, ivec3(0, 0, 1), 2); }");
    CHECK(pixel(3, 3) == Pixel{50, 75, 7, 255});
}

TEST_CASE_FIXTURE(Images, "depths that are uploaded as floats are clamped") {
    const float z[] = {-1.5f, 0.25f, 2.0f, std::nanf("")};
    texture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, 4, 1, 0, GL_DEPTH_COMPONENT, GL_FLOAT, z);
    draw(
        "uniform highp sampler2D t; out vec4 c; void main() { c = vec4(texelFetch(t, ivec2(uv * vec2(4.0, "
        "1.0)), "
        "0).r * 0.5 + 0.25); }");
    const int want[] = {64, 96, 191, 64};
    for (int x = 0; x < 4; ++x)
        CHECK(std::abs(pixel(4 * x + 2, 8)[0] - want[x]) <= 1);
}

TEST_CASE_FIXTURE(Images, "a 3D texture is filtered along all axes") {
    texture(GL_TEXTURE_3D, GL_LINEAR);
    unsigned char texels[2][2][2][4] = {};
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 2; ++x) {
                texels[z][y][x][0] = static_cast<unsigned char>(200 * z);
                texels[z][y][x][1] = static_cast<unsigned char>(100 * x);
            }
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 2, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    draw("uniform sampler3D t; out vec4 o; void main() { o = texture(t, vec3(0.5)); }");
    CHECK(pixel(3, 3) == Pixel{100, 50, 0, 0});
    // A slice is a colour attachment.
    const GLuint t = texture(GL_TEXTURE_3D);
    glTexStorage3D(GL_TEXTURE_3D, 1, GL_RGBA8, 4, 4, 4);
    framebuffer();
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0, 3);
    REQUIRE(complete());
    draw("out vec4 o; void main() { o = vec4(0.0, 1.0, 0.0, 1.0); }");
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    draw(
        "uniform sampler3D t; out vec4 o; void main() { o = texture(t, vec3(uv, uv.x < 0.5 ? 0.9 : 0.6)); }");
    CHECK(pixel(2, 2) == Pixel{0, 255, 0, 255});
    CHECK(pixel(12, 2) == Pixel{0, 0, 0, 0});
}

TEST_CASE_FIXTURE(Images, "integers are sampled, drawn, cleared and read unchanged") {
    texture(GL_TEXTURE_2D);
    const GLuint value[4] = {1, 70000, 3, 0xffffffff};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, 1, 1, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, value);
    framebuffer();
    renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA32UI, 0);
    REQUIRE(complete());
    draw("uniform usampler2D t; out uvec4 o; void main() { o = texture(t, uv) + uvec4(1u, 0u, 0u, 0u); }");
    GLuint got[4];
    glReadPixels(5, 5, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got);
    CHECK(got[0] == 2);
    CHECK(got[1] == 70000);
    CHECK(got[3] == 0xffffffff);
    const GLuint clear[4] = {9, 8, 7, 0x80000000};
    glClearBufferuiv(GL_COLOR, 0, clear);
    glReadPixels(5, 5, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, got);
    CHECK(std::memcmp(got, clear, sizeof got) == 0);
}

TEST_CASE_FIXTURE(Images, "sRGB is decoded when sampled, encoded when drawn, and blended linearly") {
    const GLuint t = texture(GL_TEXTURE_2D);
    const unsigned char encoded[4] = {188, 55, 255, 128};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, encoded);
    draw("uniform sampler2D t; out vec4 o; void main() { o = texture(t, uv); }");
    CHECK(pixel(3, 3) == Pixel{128, 10, 255, 128});
    framebuffer();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    glViewport(0, 0, 1, 1);
    draw("out vec4 o; void main() { o = vec4(0.5, 0.0, 1.0, 0.5); }");
    CHECK(pixel(0, 0) == Pixel{188, 0, 255, 128});
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    draw("out vec4 o; void main() { o = vec4(0.5, 0.0, 0.0, 0.0); }");
    CHECK(pixel(0, 0) == Pixel{255, 0, 255, 128});
}

TEST_CASE_FIXTURE(Images,
                  "floats and integers together in one pass; a buffer that is left out keeps its colours") {
    framebuffer();
    renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA16F, 0);
    renderbuffer(GL_COLOR_ATTACHMENT1, GL_R32I, 0);
    renderbuffer(GL_COLOR_ATTACHMENT2, GL_R11F_G11F_B10F, 0);
    REQUIRE(complete());
    const GLfloat ones[4] = {1, 1, 1, 1};
    const GLenum all[3] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
    const GLenum some[3] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_NONE};
    glDrawBuffers(3, all);
    glClearBufferfv(GL_COLOR, 2, ones);
    glDrawBuffers(3, some);
    draw(
        "layout(location = 0) out vec4 a; layout(location = 1) out ivec4 b; layout(location = 2) out vec4 "
        "c;\n"
        "void main() { a = vec4(3.5, -2.0, uv); b = ivec4(-77); c = vec4(0.25); }");
    GLfloat f[4];
    glReadPixels(1, 1, 1, 1, GL_RGBA, GL_FLOAT, f);
    CHECK(f[0] == 3.5f);
    CHECK(f[1] == -2.0f);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    GLint i[4];
    glReadPixels(1, 1, 1, 1, GL_RGBA_INTEGER, GL_INT, i);
    CHECK(i[0] == -77);
    glReadBuffer(GL_COLOR_ATTACHMENT2);
    glReadPixels(1, 1, 1, 1, GL_RGBA, GL_FLOAT, f);
    CHECK(f[0] == 1.0f);
}

TEST_CASE_FIXTURE(Images,
                  "four samples soften an edge; depth and stencil are stored per sample; a blit resolves") {
    framebuffer();
    renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 4);
    renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, 4);
    REQUIRE(complete());
    GLint samples = 0;
    glGetIntegerv(GL_SAMPLES, &samples);
    CHECK(samples == 4);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 255);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 8, 16);
    draw("out vec4 o; void main() { if (uv.x > 0.9) discard; o = vec4(1.0, 0.0, 0.0, 1.0); }");
    glDisable(GL_SCISSOR_TEST);
    // Pixels whose stencil is 1: a triangle's edge crosses the pixels with x == y.
    glStencilFunc(GL_EQUAL, 1, 255);
    const GLfloat corners[] = {-1, -1, 1, -1, 1, 1};
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    const GLuint p = glCreateProgram();
    shader(p, GL_VERTEX_SHADER,
           "layout(location = 0) in vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }");
    shader(p, GL_FRAGMENT_SHADER, "out vec4 o; void main() { o = vec4(0.0, 1.0, 0.0, 1.0); }");
    glLinkProgram(p);
    glUseProgram(p);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(pixel(2, 10) == Pixel{255, 0, 0, 255});
    CHECK(pixel(6, 2) == Pixel{0, 255, 0, 255});
    CHECK(pixel(12, 2) == Pixel{0, 0, 0, 255});
    const Pixel edge = pixel(4, 4);
    CHECK(std::abs(edge[0] + edge[1] - 255) <= 1);
    CHECK(edge[0] > 60);
    CHECK(edge[1] > 60);
}

TEST_CASE("a surface of many samples is used as if it had one sample, with antialiased edges") {
    const fixture::Version version;
    fixture::Display d;
    EGLint wanted = 0;
    SUBCASE("four") {
        wanted = 4;
    }
    SUBCASE("eight") {
        wanted = 8;
    }
    EGLint most = 0, all = 0;
    REQUIRE(eglGetConfigs(d.dpy, nullptr, 0, &all));
    std::vector<EGLConfig> configs(static_cast<size_t>(all));
    REQUIRE(eglGetConfigs(d.dpy, configs.data(), all, &all));
    for (EGLConfig each : configs) {
        EGLint n = 0;
        CHECK(eglGetConfigAttrib(d.dpy, each, EGL_SAMPLES, &n));
        most = std::max(most, n);
    }
    CHECK(most >= 4);
    if (wanted > most) return;  // Adreno has four
    EGLConfig c =
        d.config({EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SAMPLES, wanted, EGL_DEPTH_SIZE, 24});
    EGLint samples = 0, buffers = 0;
    CHECK(eglGetConfigAttrib(d.dpy, c, EGL_SAMPLES, &samples));
    CHECK(eglGetConfigAttrib(d.dpy, c, EGL_SAMPLE_BUFFERS, &buffers));
    CHECK(samples == wanted);
    CHECK(buffers == 1);
    const EGLint a[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLContext x = eglCreateContext(d.dpy, c, EGL_NO_CONTEXT, a);
    EGLSurface s = d.pbuffer(c, 16, 16);
    REQUIRE(eglMakeCurrent(d.dpy, s, s, x));
    glGetIntegerv(GL_SAMPLES, &samples);
    CHECK(samples == wanted);
    glEnable(GL_DEPTH_TEST);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const GLfloat corners[] = {-1, -1, 1, -1, 1, 1};
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    const GLuint p = glCreateProgram();
    Images::shader(p, GL_VERTEX_SHADER,
                   "layout(location = 0) in vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }");
    Images::shader(p, GL_FRAGMENT_SHADER, "out vec4 o; void main() { o = vec4(1.0); }");
    glLinkProgram(p);
    glUseProgram(p);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(Images::pixel(12, 2) == Pixel{255, 255, 255, 255});
    CHECK(Images::pixel(2, 12) == Pixel{0, 0, 0, 255});
    const int edge = Images::pixel(5, 5)[0];
    CHECK(edge > 60);
    CHECK(edge < 200);
    Images::texture(GL_TEXTURE_2D);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 16, 16, 0);
    CHECK(eglSwapBuffers(d.dpy, s));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(Images, "blits scale with a filter, mirror, and carry depth and stencil") {
    framebuffer();
    renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0, 2);
    REQUIRE(complete());
    glViewport(0, 0, 2, 2);
    draw("out vec4 o; void main() { o = vec4(step(0.5, uv.x), 0.0, 0.0, 1.0); }");
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 2, 2, 16, 0, 0, 16, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(pixel(1, 3) == Pixel{255, 0, 0, 255});
    CHECK(pixel(14, 3) == Pixel{0, 0, 0, 255});
    CHECK(std::abs(pixel(7, 3)[0] - 144) <= 2);  // at 9/16 of the distance
    // Depth and stencil of the surface are copied to a framebuffer and back.
    glViewport(0, 0, 16, 16);
    glClearDepthf(0.25f);
    glClearStencil(7);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    const GLuint f = framebuffer();
    renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, 0);
    renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, 0);
    REQUIRE(complete());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 16, 16, 0, 0, 16, 16, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, f);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 7, 255);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);  // 0.5 is drawn, 0.25 is stored
    draw("out vec4 o; void main() { o = vec4(1.0); }");
    CHECK(pixel(8, 8) == Pixel{255, 255, 255, 255});
}

TEST_CASE_FIXTURE(Images, "pixel buffers: texels are read from one, pixels are written to one") {
    const unsigned char texels[16] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 255};
    GLuint b[2];
    glGenBuffers(2, b);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, b[0]);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, 16, texels, GL_STREAM_DRAW);
    texture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    draw("uniform sampler2D t; out vec4 o; void main() { o = texture(t, uv); }");
    CHECK(pixel(15, 15) == Pixel{9, 9, 9, 255});
    glBindBuffer(GL_PIXEL_PACK_BUFFER, b[1]);
    glBufferData(GL_PIXEL_PACK_BUFFER, 64, nullptr, GL_STREAM_READ);
    glReadPixels(0, 0, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(16));
    const auto* p =
        static_cast<const unsigned char*>(glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, 64, GL_MAP_READ_BIT));
    REQUIRE(p);
    CHECK(p[16] == 255);
    CHECK(p[17] == 0);
    glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

TEST_CASE_FIXTURE(Images, "samplers, swizzles, levels and comparison decide the result of a fetch") {
    texture(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
    for (GLint level = 0; level < 3; ++level) {
        std::vector<unsigned char> texels(size_t(16 >> level * 2) * 4,
                                          static_cast<unsigned char>(50 * (level + 1)));
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 4 >> level, 4 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels.data());
    }
    const char* const kSample = "uniform sampler2D t; out vec4 o; void main() { o = texture(t, uv); }";
    draw(kSample);
    CHECK(pixel(3, 3)[0] == 50);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    draw(kSample);
    CHECK(pixel(3, 3)[0] == 100);
    GLuint s = 0;
    glGenSamplers(1, &s);
    glBindSampler(0, s);
    glSamplerParameteri(s, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glSamplerParameterf(s, GL_TEXTURE_MIN_LOD, 1);
    draw(kSample);
    CHECK(pixel(3, 3)[0] == 150);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_ONE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, GL_ZERO);
    draw(kSample);
    CHECK(pixel(3, 3) == Pixel{255, 0, 150, 150});
    glBindSampler(0, 0);
    texture(GL_TEXTURE_2D);
    const GLfloat depth = 0.5f;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT32F, 1, 1, 0, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
    draw("uniform sampler2D t; out vec4 o; void main() { o = texture(t, uv); }");
    CHECK(pixel(3, 3) == Pixel{128, 0, 0, 255});
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    draw(
        "uniform sampler2DShadow t; out vec4 o;\n"
        "void main() { o = vec4(texture(t, vec3(uv, 0.4)), texture(t, vec3(uv, 0.6)), 0.0, 1.0); }");
    CHECK(pixel(3, 3) == Pixel{255, 0, 0, 255});
}

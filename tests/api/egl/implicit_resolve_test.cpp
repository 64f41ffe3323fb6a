// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EXT_multisampled_render_to_texture: rendering to textures of one sample with several samples. It is
// compared with a multisampled renderbuffer of OpenGL ES 3.0, resolved by a blit.
#include <GLES3/gl3.h>
// After gl3.h:
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <array>

#include "tests/api/egl/es3_images.h"

namespace {

using fixture::Pixel;

struct Implicit : fixture::Images {
    PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC attach =
        reinterpret_cast<PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC>(
            eglGetProcAddress("glFramebufferTexture2DMultisampleEXT"));
    PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC storage =
        reinterpret_cast<PFNGLRENDERBUFFERSTORAGEMULTISAMPLEEXTPROC>(
            eglGetProcAddress("glRenderbufferStorageMultisampleEXT"));
    GLsizei size = 16;
    GLuint program = 0;

    Implicit() {
        program = glCreateProgram();
        shader(program, GL_VERTEX_SHADER,
               "uniform vec4 place; void main() {\n"
               "vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
               "gl_Position = vec4(p * place.xy + place.zw, 0.25 * p.x, 1.0); }");
        shader(program, GL_FRAGMENT_SHADER, "uniform vec4 color; out vec4 o; void main() { o = color; }");
        glLinkProgram(program);
        glUseProgram(program);
    }
    /// Half of a square, away from the corner in the direction (scale_x, scale_y), and moved.
    void triangle(float scale_x, float scale_y, float x, float y, std::array<float, 4> color) const {
        glUniform4f(glGetUniformLocation(program, "place"), scale_x, scale_y, x, y);
        glUniform4fv(glGetUniformLocation(program, "color"), 1, color.data());
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    GLuint target(GLenum format, GLsizei samples, GLenum kind = GL_TEXTURE_2D, GLenum face = GL_TEXTURE_2D,
                  GLint level = 0) const {
        const GLuint t = texture(kind);
        glTexStorage2D(kind, level + 1, format, size << level, size << level);
        attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, face, t, level, samples);
        glViewport(0, 0, size, size);
        return t;
    }
    std::vector<float> pixels() const {
        std::vector<float> p(size_t(size) * size_t(size) * 4);
        GLint type = 0;
        glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                              GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, &type);
        if (type == GL_FLOAT) {
            glReadPixels(0, 0, size, size, GL_RGBA, GL_FLOAT, p.data());
        } else {
            std::vector<unsigned char> b(p.size());
            glReadPixels(0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, b.data());
            std::copy(b.begin(), b.end(), p.begin());
        }
        return p;
    }
    /// The pixels that f draws, through a multisampled renderbuffer.
    template <class F>
    std::vector<float> by_blit(GLenum format, GLsizei samples, F&& f) const {
        framebuffer();
        renderbuffer(GL_COLOR_ATTACHMENT0, format, samples, size);
        REQUIRE(complete());
        glViewport(0, 0, size, size);
        f();
        GLuint one = 0;
        glGenFramebuffers(1, &one);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, one);
        const GLuint t = texture(GL_TEXTURE_2D);
        glTexStorage2D(GL_TEXTURE_2D, 1, format, size, size);
        glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
        glBlitFramebuffer(0, 0, size, size, 0, 0, size, size, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, one);
        return pixels();
    }
};

constexpr std::array<float, 4> kRed = {1, 0, 0, 1}, kGreen = {0, 1, 0.5f, 1};

}  // namespace

TEST_CASE_FIXTURE(Implicit, "implicit resolve: it equals a multisampled renderbuffer and a blit") {
    GLint most = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    for (const GLenum format : {GL_RGBA8, GL_SRGB8_ALPHA8, GL_RGB565, GL_RGBA16F, GL_R8})
        for (const GLsizei samples : {2, 4, 8})
            for (const GLsizei of : {16, 150}) {
                if (samples > most) continue;
                CAPTURE(format);
                CAPTURE(samples);
                size = of;
                const auto scene = [&] {
                    glClearColor(0, 0, 0.25f, 1);
                    glClear(GL_COLOR_BUFFER_BIT);
                    // Two halves of a square: the background is covered.
                    triangle(0.7f, 0.6f, 0.1f, -0.05f, kRed);
                    triangle(-0.7f, -0.6f, 0.1f, -0.05f, kGreen);
                };
                framebuffer();
                target(format, samples);
                REQUIRE(complete());
                scene();
                const std::vector<float> implicit = pixels();
                CHECK(implicit == by_blit(format, samples, scene));
            }
}

TEST_CASE_FIXTURE(Implicit, "implicit resolve: many draws, executed while more are recorded") {
    size = 300;
    const auto scene = [&] {
        glClear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < 24; ++i)
            triangle(1.1f - 0.03f * float(i), i & 1 ? 1.05f : -1.05f, 0, 0, i & 2 ? kRed : kGreen);
    };
    framebuffer();
    target(GL_RGBA8, 4);
    scene();
    const std::vector<float> implicit = pixels();
    CHECK(implicit == by_blit(GL_RGBA8, 4, scene));
}

TEST_CASE_FIXTURE(Implicit, "implicit resolve: later draws load the texture") {
    framebuffer();
    const GLuint t = target(GL_RGBA8, 4);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    triangle(4, 4, 2, 2, kRed);  // the whole texture
    CHECK(pixel(3, 3) == Pixel{255, 0, 0, 255});
    const unsigned char texel[4] = {10, 20, 30, 40};
    glTexSubImage2D(GL_TEXTURE_2D, 0, 2, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glEnable(GL_SCISSOR_TEST);
    glScissor(8, 8, 8, 8);
    triangle(4, 4, 2, 2, kGreen);
    glDisable(GL_SCISSOR_TEST);
    CHECK(pixel(2, 3) == Pixel{10, 20, 30, 40});
    CHECK(pixel(3, 3) == Pixel{255, 0, 0, 255});
    CHECK(pixel(8, 8) == Pixel{0, 255, 128, 255});
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    triangle(4, 4, 2, 2, {0, 0, 1, 0});
    glDisable(GL_BLEND);
    CHECK(pixel(2, 3) == Pixel{10, 20, 255, 40});
    // As a texture, and as the source of a copy.
    texture(GL_TEXTURE_2D);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 3, 1, 1, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, 16, 16);
    draw("uniform sampler2D t; out vec4 o; void main() { o = texelFetch(t, ivec2(0), 0); }");
    CHECK(pixel(0, 0) == Pixel{10, 20, 255, 40});
    glBindTexture(GL_TEXTURE_2D, t);
    draw("uniform sampler2D t; out vec4 o; void main() { o = texelFetch(t, ivec2(8), 0); }");
    CHECK(pixel(0, 0) == Pixel{0, 255, 255, 255});
}

TEST_CASE_FIXTURE(Implicit, "implicit resolve: faces of cube maps, other levels") {
    framebuffer();
    const GLuint cube = target(GL_RGBA8, 4, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 1);
    REQUIRE(complete());
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    triangle(1, 1, 0, 0, kRed);
    CHECK(pixel(1, 1) == Pixel{255, 0, 0, 255});
    const Pixel edge = pixel(8, 7);
    CHECK((edge[0] > 0 && edge[0] < 255));
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, cube, 1);
    CHECK(pixel(8, 7) == edge);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, cube, 1);
    CHECK(pixel(8, 7) == Pixel{0, 0, 0, 0});
}

TEST_CASE_FIXTURE(Implicit, "implicit resolve: depth tests per sample with a renderbuffer of the extension") {
    const auto scene = [&] {
        glEnable(GL_DEPTH_TEST);
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        triangle(0.9f, 0.9f, 0, 0, kRed);
        triangle(-1.1f, 0.7f, 0, 0, kGreen);  // they intersect
        glDisable(GL_DEPTH_TEST);
    };
    GLuint depth[2];
    glGenRenderbuffers(2, depth);
    framebuffer();
    target(GL_RGBA8, 4);
    glBindRenderbuffer(GL_RENDERBUFFER, depth[0]);
    storage(GL_RENDERBUFFER, 4, GL_DEPTH_COMPONENT24, size, size);
    GLint samples = 0;
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES, &samples);
    CHECK(samples == 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth[0]);
    REQUIRE(complete());
    glGetIntegerv(GL_SAMPLES, &samples);
    CHECK(samples == 4);
    scene();
    const std::vector<float> implicit = pixels();
    // Reading depth returns sample 0.
    std::vector<GLuint> z(size_t(size) * size_t(size));
    glReadPixels(0, 0, size, size, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, z.data());
    CHECK(z[size_t(2 * size + 2)] < 0x80000000u);
    CHECK(z.back() == 0xffffffffu);

    GLuint core = 0;
    const std::vector<float> by_core = by_blit(GL_RGBA8, 4, [&] {
        core = renderbuffer(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24, 4, size);
        scene();
    });
    CHECK(implicit == by_core);
    // Core multisampled renderbuffers cannot be combined with textures of the extension.
    framebuffer();
    target(GL_RGBA8, 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, core);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE);
    // A colour renderbuffer of the extension is read without a resolve.
    framebuffer();
    glBindRenderbuffer(GL_RENDERBUFFER, depth[1]);
    storage(GL_RENDERBUFFER, 4, GL_RGBA8, size, size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, depth[1]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth[0]);
    REQUIRE(complete());
    scene();
    CHECK(pixels() == by_core);
}

TEST_CASE_FIXTURE(Implicit, "implicit resolve: queries and errors") {
    const std::string all = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    CHECK((all + " ").find("GL_EXT_multisampled_render_to_texture ") != std::string::npos);
    GLint most = 0, value = 0;
    glGetIntegerv(GL_MAX_SAMPLES_EXT, &most);
    framebuffer();
    const GLuint t = target(GL_RGBA8, 3);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT, &value);
    CHECK(value == 4);
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0, 0);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT, &value);
    CHECK(value == 0);
    const auto fails = [&](GLenum error, GLenum where, GLenum attachment, GLenum textarget, GLint level,
                           GLsizei n) {
        attach(where, attachment, textarget, t, level, n);
        CHECK(glGetError() == error);
    };
    fails(GL_INVALID_ENUM, GL_TEXTURE_2D, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 4);
    fails(GL_INVALID_ENUM, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_TEXTURE_2D, 0, 4);
    fails(GL_INVALID_ENUM, GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, 0, 4);
    fails(GL_INVALID_ENUM, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_3D, 0, 4);
    fails(GL_INVALID_OPERATION, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_POSITIVE_X, 0, 4);
    fails(GL_INVALID_VALUE, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, most + 1);
    fails(GL_INVALID_VALUE, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, -1);
    fails(GL_INVALID_VALUE, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 99, 4);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT, &value);
    CHECK(value == 0);  // unchanged
    storage(GL_RENDERBUFFER, most + 1, GL_RGBA8, 4, 4);
    CHECK(glGetError() == GL_INVALID_VALUE);
    storage(GL_RENDERBUFFER, 4, GL_RGBA8, 4, 4);  // nothing is bound
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    fails(GL_INVALID_OPERATION, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 4);
}

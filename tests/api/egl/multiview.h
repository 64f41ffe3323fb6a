// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A target with several views, a program that draws another picture to each, and a check of every texel of
// every layer.
#pragma once

#include <GLES3/gl31.h>
// After it:
#include <GLES2/gl2ext.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tests/api/egl/fixture.h"

namespace multiview {

using Texel = std::array<unsigned char, 4>;
inline constexpr int kMostViews = 6;

inline GLuint shader_of(GLenum type, const std::string& text) {
    const GLuint s = glCreateShader(type);
    const char* const string = text.c_str();
    glShaderSource(s, 1, &string, nullptr);
    glCompileShader(s);
    char log[1024] = "";
    glGetShaderInfoLog(s, sizeof log, nullptr, log);
    GLint ok = 0;
    glGetShaderiv(s, GL_COMPILE_STATUS, &ok);
    REQUIRE_MESSAGE(ok, log);
    return s;
}

inline std::string views_text(int views) {
    return "#version 300 es\n#extension GL_OVR_multiview2 : require\nprecision highp float;\n" +
           (views ? "layout(num_views = " + std::to_string(views) + ") in;\n" : std::string());
}

/// View i covers the left (i + 1) / (views + 1) of "p". Red is the view in the vertex stage, green the view
/// in the fragment stage, blue is "c", which may be an instance's. Instances are drawn above each other.
inline std::string vertex_text(int views) {
    return views_text(views) +
           "in vec2 p; in float c; out vec2 v; uniform float instances; uniform float depths[" +
           std::to_string(kMostViews) +
           "]; void main() { vec2 q = p * 0.5 + 0.5; q.x *= float(gl_ViewID_OVR + 1u) / " +
           std::to_string(views + 1) +
           ".0; q.y = (q.y + float(gl_InstanceID)) / instances; v = vec2(gl_ViewID_OVR, c); gl_Position = "
           "vec4(q * 2.0 - 1.0, depths[gl_ViewID_OVR], 1); }";
}
inline const std::string kFragment =
    "in vec2 v; out vec4 o; void main() { o = vec4(v.x * 40.0, float(gl_ViewID_OVR) * 40.0, v.y * 255.0, "
    "255) "
    "/ 255.0; }";

struct Multiview : fixture::Current {
    GLuint color = 0, depth = 0, target = 0, reader = 0, program = 0;
    GLint base = 0;
    int w = 0, h = 0, views = 0;
    bool there = false;

    Multiview() {
        there = std::string(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)))
                    .find("GL_OVR_multiview2") != std::string::npos;
        if (!there) MESSAGE("not on this device: GL_OVR_multiview2");
    }
    ~Multiview() { CHECK(glGetError() == GL_NO_ERROR); }

    /// `level`: the first level of the textures is larger accordingly.
    void make_target(int width, int height, int count, int first, bool with_depth = false, int level = 0) {
        w = width, h = height, views = count, base = first;
        const auto attach =
            fixture::proc<PFNGLFRAMEBUFFERTEXTUREMULTIVIEWOVRPROC>("glFramebufferTextureMultiviewOVR");
        glGenFramebuffers(1, &target);
        glGenFramebuffers(1, &reader);
        glBindFramebuffer(GL_FRAMEBUFFER, target);
        const auto array = [&](GLenum format) {
            GLuint t = 0;
            glGenTextures(1, &t);
            glBindTexture(GL_TEXTURE_2D_ARRAY, t);
            glTexStorage3D(GL_TEXTURE_2D_ARRAY, level + 1, format, w << level, h << level, layers());
            return t;
        };
        color = array(GL_RGBA8);
        attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, level, base, views);
        if (with_depth) {
            depth = array(GL_DEPTH24_STENCIL8);
            attach(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, depth, level, base, views);
        }
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glViewport(0, 0, w, h);
        level_ = level;
    }
    [[nodiscard]] int layers() const { return base + views + 1; }

    void use(const std::string& vertex, const std::string& fragment) {
        program = glCreateProgram();
        glAttachShader(program, shader_of(GL_VERTEX_SHADER, vertex));
        glAttachShader(program, shader_of(GL_FRAGMENT_SHADER, fragment));
        glBindAttribLocation(program, 0, "p");
        glBindAttribLocation(program, 1, "c");
        glLinkProgram(program);
        begin();
    }
    void begin() {
        char log[1024] = "";
        glGetProgramInfoLog(program, sizeof log, nullptr, log);
        GLint ok = 0;
        glGetProgramiv(program, GL_LINK_STATUS, &ok);
        REQUIRE_MESSAGE(ok, log);
        glUseProgram(program);
        set_instances(1);
    }
    void use() { use(vertex_text(views), views_text(0) + kFragment); }
    void set_instances(int n) { glUniform1f(glGetUniformLocation(program, "instances"), float(n)); }
    void depths(const std::array<float, kMostViews>& z) {
        glUniform1fv(glGetUniformLocation(program, "depths"), kMostViews, z.data());
    }

    /// Every texel of every layer; layers that are not views are zero.
    void check(const std::function<Texel(int view, int x, int y)>& expected) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, reader);
        for (int layer = 0; layer < layers(); ++layer) {
            const int view = layer - base;
            CAPTURE(view);
            glFramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, color, level_, layer);
            std::vector<Texel> got(size_t(w) * size_t(h));
            glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, got.data());
            int wrong = 0;
            for (int y = 0; y < h; ++y)
                for (int x = 0; x < w; ++x) {
                    const Texel want = view < 0 || view >= views ? Texel{} : expected(view, x, y);
                    const Texel& is = got[size_t(y) * size_t(w) + size_t(x)];
                    if (is == want || wrong++ > 3) continue;
                    const std::string text = "at " + std::to_string(x) + " " + std::to_string(y) + ": " +
                                             std::to_string(is[0]) + " " + std::to_string(is[1]) + " " +
                                             std::to_string(is[2]) + " " + std::to_string(is[3]);
                    CHECK_MESSAGE(is == want, text);
                }
            CHECK(wrong == 0);
        }
        glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
        REQUIRE(glGetError() == GL_NO_ERROR);
    }
    /// The picture of vertex_text() and kFragment.
    [[nodiscard]] bool covers(int view, int x) const {
        return (x + 0.5) / w < double(view + 1) / (views + 1);
    }
    [[nodiscard]] Texel drawn(int view, int blue) const {
        const auto n = static_cast<unsigned char>(view * 40);
        return {n, n, static_cast<unsigned char>(blue), 255};
    }
    void release() {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glDeleteFramebuffers(1, &target);
        glDeleteFramebuffers(1, &reader);
        const GLuint t[] = {color, depth};
        glDeleteTextures(2, t);
        glDeleteProgram(program);
        depth = 0;
    }

  private:
    int level_ = 0;
};

inline constexpr float kSquare[] = {-1, -1, 1, -1, -1, 1, 1, 1};
inline constexpr GLushort kOrder[] = {0, 1, 2, 2, 1, 3};
inline constexpr Texel kBack{10, 20, 30, 255};

inline void clear_to_back() {
    glClearColor(10 / 255.0f, 20 / 255.0f, 30 / 255.0f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

inline GLuint buffer_of(GLenum target, const void* data, size_t size_B) {
    GLuint b = 0;
    glGenBuffers(1, &b);
    glBindBuffer(target, b);
    glBufferData(target, GLsizeiptr(size_B), data, GL_STATIC_DRAW);
    return b;
}

inline void square_from_buffer() {
    buffer_of(GL_ARRAY_BUFFER, kSquare, sizeof kSquare);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
}

}  // namespace multiview

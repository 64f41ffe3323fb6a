// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context on the recording device with a 64 x 48 surface, and short forms of common calls.
#pragma once

#include <memory>
#include <string>

#include "state_tracker/context.h"
#include "tests/state_tracker/fake_pipe.h"

namespace terrazzo::test {

/// A context of OpenGL ES 3.0.
inline st::ContextConfig es3() {
    st::ContextConfig c;
    c.version = 30;
    return c;
}

/// A context of OpenGL ES 3.1.
inline st::ContextConfig es31() {
    st::ContextConfig c;
    c.version = 31;
    return c;
}

/// A surface whose buffers are resources of the fake screen.
class FakeDrawable final : public st::Drawable {
  public:
    FakeDrawable(pipe::Screen& screen, uint32_t width, uint32_t height) {
        color_format = pipe::Format::R8G8B8A8_UNORM;
        depth_stencil_format = pipe::Format::D24_UNORM_S8_UINT;
        depth_bits = 24;
        stencil_bits = 8;
        pipe::ResourceDesc d;
        d.width = width;
        d.height = height;
        d.format = color_format;
        d.bind = pipe::bind::kColor;
        buffers.color = screen.create_resource(d);
        d.format = depth_stencil_format;
        d.bind = pipe::bind::kDepthStencil;
        buffers.depth_stencil = screen.create_resource(d);
        buffers.width_px = width;
        buffers.height_px = height;
    }
    bool acquire(Buffers* out) override {
        if (lost) return false;
        *out = buffers;
        return true;
    }
    Buffers buffers;
    bool lost = false;
};

struct Harness {
    fake::FakeScreen screen;
    pipe::Ref<FakeDrawable> drawable;
    std::unique_ptr<st::Context> context;
    st::Context& ctx;

    explicit Harness(st::ContextConfig config = {}, bool surface = true)
        : drawable(pipe::Ref<FakeDrawable>::adopt(new FakeDrawable(screen, 64, 48))),
          context(st::Context::create(screen, nullptr, config)),
          ctx(*context) {
        if (surface) ctx.make_current(drawable, drawable);
    }
    fake::FakeContext& pipe() { return static_cast<fake::FakeContext&>(*ctx.pipe); }
    GLenum error() { return st::GetError(ctx); }
    GLint integer(GLenum pname) {
        GLint v[64] = {-77};
        st::GetIntegerv(ctx, pname, v);
        return v[0];
    }

    GLuint shader(GLenum type, const std::string& text) {
        GLuint s = st::CreateShader(ctx, type);
        const char* strings[] = {text.c_str()};
        st::ShaderSource(ctx, s, 1, strings, nullptr);
        st::CompileShader(ctx, s);
        return s;
    }
    /// A program after linking; its link status may be false.
    GLuint program(const std::string& vertex, const std::string& fragment) {
        GLuint p = st::CreateProgram(ctx), v = shader(GL_VERTEX_SHADER, vertex),
               f = shader(GL_FRAGMENT_SHADER, fragment);
        st::AttachShader(ctx, p, v);
        st::AttachShader(ctx, p, f);
        st::LinkProgram(ctx, p);
        st::DeleteShader(ctx, v);
        st::DeleteShader(ctx, f);
        return p;
    }
    /// Position at location 0, one uniform "color".
    GLuint simple_program() {
        return program("attribute vec4 position; void main() { gl_Position = position; }",
                       "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }");
    }
    bool linked(GLuint p) {
        GLint status = -1;
        st::GetProgramiv(ctx, p, GL_LINK_STATUS, &status);
        return status == 1;
    }
};

}  // namespace terrazzo::test

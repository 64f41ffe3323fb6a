// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context on the fake device with a 16 x 8 surface, and short names for common queries in the tests of
// images.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "state_tracker/context.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/texture.h"
#include "state_tracker/programs/program.h"
#include "state_tracker/vertices/vertex_array.h"
#include "tests/state_tracker/fake_pipe.h"

namespace terrazzo::st::images_test {

/// A surface whose buffers are created again after a change of its size or stamp.
class TestDrawable final : public Drawable {
  public:
    TestDrawable(pipe::Screen& s, pipe::Format color, pipe::Format ds, uint32_t w, uint32_t h)
        : screen(s), width(w), height(h) {
        color_format = color;
        depth_stencil_format = ds;
        alpha_bits = uint8_t(pipe::format_info(color).component_bits(3));
        depth_bits = uint8_t(pipe::format_info(ds).depth_bits());
        stencil_bits = uint8_t(pipe::format_info(ds).stencil_bits());
    }
    bool acquire(Buffers* out) override {
        ++acquired;
        if (lost) return false;
        Buffers b;
        b.width_px = width;
        b.height_px = height;
        b.color = make(color_format, pipe::bind::kColor);
        if (depth_stencil_format != pipe::Format::None)
            b.depth_stencil = make(depth_stencil_format, pipe::bind::kDepthStencil);
        last = b;
        *out = std::move(b);
        return true;
    }
    pipe::Screen& screen;
    uint32_t width, height;
    bool lost = false;
    int acquired = 0;
    Buffers last;

  private:
    pipe::Ref<pipe::Resource> make(pipe::Format f, uint32_t bind) {
        pipe::ResourceDesc d;
        d.format = f;
        d.width = std::max(width, 1u);  // a surface of size 0 has storage, too
        d.height = std::max(height, 1u);
        d.bind = bind;
        return screen.create_resource(d);
    }
};

struct Fixture {
    explicit Fixture(pipe::Format color = pipe::Format::R8G8B8A8_UNORM,
                     pipe::Format ds = pipe::Format::D24_UNORM_S8_UINT, int version = 20) {
        drawable = pipe::Ref<TestDrawable>::adopt(new TestDrawable(screen, color, ds, 16, 8));
        ContextConfig config;
        config.version = version;
        ctx = Context::create(screen, nullptr, config);
        REQUIRE(ctx);
        ctx->make_current(drawable, drawable);
        c().calls.clear();
    }
    ~Fixture() {
        CHECK(c().violations == std::vector<std::string>{});
        CHECK(c().maps == 0);
    }
    fake::FakeContext& c() { return static_cast<fake::FakeContext&>(*ctx->pipe); }
    Context& gl() { return *ctx; }

    GLuint texture(GLenum target = GL_TEXTURE_2D) {
        GLuint name = 0;
        GenTextures(*ctx, 1, &name);
        BindTexture(*ctx, target, name);
        return name;
    }
    Texture& object(GLuint name) { return *ctx->share->textures.find(name); }
    GLuint framebuffer() {
        GLuint name = 0;
        GenFramebuffers(*ctx, 1, &name);
        BindFramebuffer(*ctx, GL_FRAMEBUFFER, name);
        return name;
    }
    GLuint renderbuffer(GLenum format, GLsizei w, GLsizei h) {
        GLuint name = 0;
        GenRenderbuffers(*ctx, 1, &name);
        BindRenderbuffer(*ctx, GL_RENDERBUFFER, name);
        RenderbufferStorage(*ctx, GL_RENDERBUFFER, format, w, h);
        return name;
    }
    void image(GLint level, GLsizei w, GLsizei h, const void* pixels = nullptr, GLenum format = GL_RGBA,
               GLenum type = GL_UNSIGNED_BYTE, GLenum target = GL_TEXTURE_2D) {
        TexImage2D(*ctx, target, level, GLint(format), w, h, 0, format, type, pixels);
    }
    /// Bytes of an image's texel, in whichever resource it is.
    std::vector<uint8_t> texel(GLuint name, unsigned level, int x, int y, unsigned face = 0, int z = 0) {
        const TextureImage* i = object(name).image(face, level);
        REQUIRE(i);
        REQUIRE(i->resource);
        auto& r = static_cast<fake::FakeResource&>(*i->resource);
        const uint8_t* p = r.at(i->level, x, y, int(i->layer) + z);
        return {p, p + pipe::format_info(r.desc.format).block_B};
    }
    /// Installs a program whose fragment shader has these samplers; slot i uses unit i.
    void use_samplers(const std::vector<TextureTarget>& targets) {
        auto exe = pipe::Ref<Executable>::adopt(new Executable);
        for (uint32_t i = 0; i < targets.size(); ++i) {
            exe->samplers[size_t(pipe::Stage::Fragment)].push_back({targets[i], false, i});
            exe->values.push_back(i);
            exe->sampler_stages = 1u << unsigned(pipe::Stage::Fragment);
        }
        install_executable(*ctx, exe);
        program = pipe::Ref<Program>::adopt(new Program(1));
        ctx->dirty |= dirty::kTextures;
    }
    pipe::SamplerView* emitted_view(unsigned slot = 0) {
        emit_textures(*ctx);
        return c().views[size_t(pipe::Stage::Fragment)][slot];
    }
    GLenum error() { return ctx->take_error(); }

    fake::FakeScreen screen;
    pipe::Ref<TestDrawable> drawable;
    pipe::Ref<Program> program;
    std::unique_ptr<Context> ctx;
};

/// A context of OpenGL ES 3.0.
struct Fixture30 : Fixture {
    Fixture30() : Fixture(pipe::Format::R8G8B8A8_UNORM, pipe::Format::D24_UNORM_S8_UINT, 30) {}
    GLuint buffer(GLenum target, GLsizeiptr size_B, const void* data = nullptr) {
        GLuint name = 0;
        GenBuffers(*ctx, 1, &name);
        BindBuffer(*ctx, target, name);
        BufferData(*ctx, target, size_B, data, GL_STATIC_DRAW);
        return name;
    }
};

/// One call that must cause one error, on a new fixture after `prepare`.
struct ErrorRow {
    const char* rule;
    GLenum error;
    void (*run)(Fixture&);
};
template <class F = Fixture, size_t N>
void check_errors(const ErrorRow (&rows)[N]) {
    for (const ErrorRow& r : rows) {
        CAPTURE(r.rule);
        F f;
        r.run(f);
        CHECK(f.error() == r.error);
        CHECK(f.error() == GLenum(GL_NO_ERROR));
    }
}

}  // namespace terrazzo::st::images_test

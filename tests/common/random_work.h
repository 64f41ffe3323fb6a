// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random passes, copies, mipmaps, uploads and reads of a few images, in several passes and submissions, on
// any device. Texels are only copied, so that all devices must agree to the bit.
#pragma once

#include <random>

#include "drivers/soft/factory.h"
#include "pipe/blit/blit.h"
#include "tests/common/driver_scene.h"

namespace terrazzo::test::work {

using pipe::Format;

// A size at which the GPU copies level 0 even if it is idle.
inline constexpr int32_t kSide_px = 64;
inline constexpr uint32_t kLevels = 3, kImages = 4;

// Red and green are from the fragments' texture, the other channels from the vertices' texture.
inline constexpr char kCopyingVertexText[] =
    "attribute vec4 position; attribute vec4 color; varying vec2 at; varying vec4 v; uniform sampler2D t;\n"
    "void main() { gl_Position = position; at = color.xy;\n"
    "  v = texture2DLod(t, vec2(0.3, 0.7), color.z); }\n";
inline constexpr char kCopyingFragmentText[] =
    "precision highp float; varying vec2 at; varying vec4 v; uniform sampler2D t;\n"
    "void main() { gl_FragColor = vec4(texture2D(t, at).xy, v.zw); }\n";

/// One action, with random numbers for its choices.
struct Action {
    enum class Kind { Draw, DrawAgain, Clear, Copy, CopyPart, Mipmap, Upload, Read, Flush } kind;
    uint32_t n[6];
};

/// The images of a scene's device, and the actions on them.
class World {
  public:
    /// The number of draws for each rectangle.
    World(DriverScene& s, uint32_t columns) : s_(s), columns_(columns) {
        for (auto& i : images_) {
            i = s.image(Format::R8G8B8A8_UNORM, kSide_px, kSide_px, pipe::bind::kColor | pipe::bind::kSampled,
                        kLevels);
            pipe::SamplerViewDesc d{.format = Format::R8G8B8A8_UNORM};
            d.last_level = kLevels - 1;
            views_.push_back(s.screen->create_sampler_view(i, d));
            REQUIRE(views_.back());
        }
        sampler_ = s.screen->create_sampler({.mag = pipe::Filter::Nearest, .mip = pipe::MipFilter::Nearest});
        REQUIRE(sampler_);
        copying_ = s.link(kCopyingVertexText, kCopyingFragmentText);
        s.context->bind_program(copying_.get());
        bind(0, 0);
        // New images may contain anything.
        for (uint32_t i = 0; i < kImages; ++i)
            if (i % 2)
                clear(i, 0x10203040 * i);
            else
                upload(i, i);
        for (uint32_t i = 0; i < kImages; ++i)
            mipmap(i);
    }
    ~World() {
        s_.context->set_textures(pipe::Stage::Vertex, 0, kNone, {});
        s_.context->set_textures(pipe::Stage::Fragment, 0, kNone, {});
    }
    /// The bytes that were read, if any.
    std::vector<uint32_t> act(const Action& a) {
        const uint32_t i = a.n[0] % kImages, other = (i + 1 + a.n[1] % (kImages - 1)) % kImages;
        const uint32_t third = (i + 1 + a.n[2] % (kImages - 1)) % kImages;
        switch (a.kind) {
            case Action::Kind::Draw:
                bind(other, third);
                draw(i, a);
                break;
            case Action::Kind::DrawAgain:  // with the bound textures
                if (i != bound_[0] && i != bound_[1]) draw(i, a);
                break;
            case Action::Kind::Clear:
                clear(i, a.n[1]);
                break;
            case Action::Kind::Copy:
                copy(i, other, {0, 0, 0, kSide_px, kSide_px, 1}, 0, 0);
                break;
            case Action::Kind::CopyPart:
                copy(i, other,
                     {int32_t(a.n[2] % 40), int32_t(a.n[3] % 40), 0, int32_t(1 + a.n[4] % 24),
                      int32_t(1 + a.n[5] % 24), 1},
                     int32_t(a.n[4] % 40), int32_t(a.n[5] % 40));
                break;
            case Action::Kind::Mipmap:
                mipmap(i);
                break;
            case Action::Kind::Upload:
                upload(i, a.n[1]);
                break;
            case Action::Kind::Read:
                return read(i, a.n[1] % kLevels);
            case Action::Kind::Flush:
                REQUIRE(s_.context->flush());
                break;
        }
        return {};
    }
    std::vector<uint32_t> read(uint32_t i, uint32_t level) {
        const int32_t side = kSide_px >> level;
        std::vector<uint32_t> out(size_t(side) * size_t(side));
        const pipe::Mapping m =
            s_.context->map(*images_[i], level, {0, 0, 0, side, side, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        for (int32_t y = 0; y < side; ++y)
            std::memcpy(&out[size_t(y * side)], static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B,
                        size_t(side) * 4);
        s_.context->unmap(*images_[i], m);
        return out;
    }

  private:
    static constexpr pipe::SamplerView* kNone[1] = {nullptr};

    void bind(uint32_t fragment, uint32_t vertex) {
        pipe::SamplerState* const samplers[] = {sampler_.get()};
        pipe::SamplerView *const f[] = {views_[fragment].get()}, *const v[] = {views_[vertex].get()};
        s_.context->set_textures(pipe::Stage::Fragment, 0, f, samplers);
        s_.context->set_textures(pipe::Stage::Vertex, 0, v, samplers);
        bound_[0] = fragment;
        bound_[1] = vertex;
    }
    pipe::RenderPassDesc pass(uint32_t i, pipe::LoadOp load) {
        pipe::RenderPassDesc p;
        p.color[0].resource = images_[i].get();
        p.color[0].format = Format::R8G8B8A8_UNORM;
        p.color[0].load = load;
        p.color_count = 1;
        p.width = p.height = uint32_t(kSide_px);
        return p;
    }
    /// Copies the other image's whole level 0 to this image, or its level 1 to a quarter.
    void draw(uint32_t i, const Action& a) {
        s_.context->begin_render_pass(pass(i, a.n[3] % 4 ? pipe::LoadOp::Load : pipe::LoadOp::Clear));
        const bool part = a.n[4] % 2;
        const float x = part ? 16 : 0, y = part ? float(a.n[5] % 2 * 32) : 0, side = part ? 32 : 64;
        std::vector<Vertex> v;
        for (uint32_t n = 0; n < 2 * (columns_ + 1); ++n) {
            const float s = float(n / 2) / float(columns_), t = float(n % 2);
            v.push_back(s_.at(x + s * side, y + t * side));
            v.back().color[0] = s;
            v.back().color[1] = t;
            v.back().color[2] = float(a.n[5] % kLevels);
        }
        s_.draw(pipe::Primitive::TriangleStrip, v);
        s_.context->end_render_pass();
    }
    void clear(uint32_t i, uint32_t rgba) {
        pipe::RenderPassDesc p = pass(i, pipe::LoadOp::Clear);
        for (unsigned c = 0; c < 4; ++c)
            p.clear_color[0].f[c] = float(rgba >> 8 * c & 255) / 255;
        s_.context->begin_render_pass(p);
        s_.context->end_render_pass();
    }
    void copy(uint32_t to, uint32_t from, const pipe::Box& box, int32_t x, int32_t y) {
        s_.context->copy_region(*images_[to], 0, x, y, 0, *images_[from], 0, box);
    }
    void mipmap(uint32_t i) {
        pipe::MipmapInfo info{
            .resource = images_[i].get(), .format = Format::R8G8B8A8_UNORM, .last_level = kLevels - 1};
        REQUIRE(pipe::generate_mipmap(*s_.context, info) == pipe::BlitStatus::Ok);
    }
    void upload(uint32_t i, uint32_t seed) {
        std::mt19937 random(seed);
        const pipe::Mapping m =
            s_.context->map(*images_[i], 0, {0, 0, 0, kSide_px, kSide_px, 1}, pipe::map_flag::kWrite);
        REQUIRE(m.data);
        for (int32_t y = 0; y < kSide_px; ++y)
            for (int32_t x = 0; x < kSide_px; ++x) {
                const uint32_t texel = uint32_t(random());
                std::memcpy(static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B + size_t(x) * 4,
                            &texel, 4);
            }
        s_.context->unmap(*images_[i], m);
    }

    DriverScene& s_;
    const uint32_t columns_;
    std::array<pipe::Ref<pipe::Resource>, kImages> images_;
    std::vector<pipe::Ref<pipe::SamplerView>> views_;
    pipe::Ref<pipe::SamplerState> sampler_;
    pipe::Ref<pipe::Program> copying_;
    uint32_t bound_[2] = {};
};

inline Action random_action(std::mt19937& random, bool cpu) {
    using K = Action::Kind;
    constexpr K kKinds[] = {K::Draw, K::Draw,     K::Draw,   K::DrawAgain, K::DrawAgain, K::Clear,  K::Copy,
                            K::Copy, K::CopyPart, K::Mipmap, K::Flush,     K::CopyPart,  K::Upload, K::Read};
    Action a{};
    a.kind = kKinds[random() % (std::size(kKinds) - (cpu ? 0 : 2))];
    for (uint32_t& n : a.n)
        n = uint32_t(random());
    return a;
}

inline std::unique_ptr<pipe::Screen> soft_screen(const pipe::Log& log) {
    soft::SoftOptions options;
    options.threads = 1;
    options.force_interpreter = true;
    options.code_cache = false;
    return soft::create_screen(options, log);
}

/// The same work on `device` and on the CPU driver, whose images are the expected ones.
inline void compare(DriverScene& device, unsigned seed, uint32_t columns, unsigned actions = 60) {
    std::mt19937 random(seed);
    DriverScene cpu(kSide_px, kSide_px, Format::None, soft_screen);
    World on_device(device, columns), on_cpu(cpu, columns);
    for (unsigned i = 0; i < actions; ++i) {
        CAPTURE(i);
        // In some rounds the CPU reads nothing for long.
        const Action a = random_action(random, seed % 3);
        REQUIRE(on_device.act(a) == on_cpu.act(a));
    }
    for (uint32_t i = 0; i < kImages; ++i)
        for (uint32_t level = 0; level < kLevels; ++level)
            CHECK(on_device.read(i, level) == on_cpu.read(i, level));
    REQUIRE(device.context->reset_status() == pipe::ResetStatus::None);
}

}  // namespace terrazzo::test::work

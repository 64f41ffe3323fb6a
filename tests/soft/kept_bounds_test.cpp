// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth bounds that are kept after a pass. Whatever else writes the image, each pixel must be as without
// bounds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include "drivers/soft/binning/raster_types.h"
#include "drivers/soft/resources/resource.h"
#include "pipe/blit/blit.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

constexpr uint32_t kW = 150, kH = 90, kLayers = 2;
constexpr pipe::Format kFormats[] = {pipe::Format::D16_UNORM, pipe::Format::D24_UNORM_S8_UINT,
                                     pipe::Format::D24_UNORM_X8, pipe::Format::D32_FLOAT,
                                     pipe::Format::D32_FLOAT_S8X24_UINT};

pipe::VertexLayoutDesc layout_of_vertex() {
    pipe::VertexLayoutDesc l;
    l.count = 3;
    l.elements[0] = {pipe::Format::R32G32B32A32_FLOAT, 0, 0, 0};
    l.elements[1] = {pipe::Format::R32G32B32A32_FLOAT, 0, 16, 0};
    l.elements[2] = {pipe::Format::R32_FLOAT, 0, 32, 0};
    return l;
}

void append(std::vector<uint8_t>& out, pipe::Context& c, pipe::Resource& r, uint32_t level, uint32_t layer) {
    const uint32_t w = r.desc.width >> level, h = r.desc.height >> level;
    const pipe::Mapping m =
        c.map(r, level, {0, 0, int32_t(layer), int32_t(w), int32_t(h), 1}, pipe::map_flag::kRead);
    const size_t row_B = size_t(w) * r.desc.samples * pipe::format_info(r.desc.format).block_B;
    for (uint32_t y = 0; y < h; ++y) {
        const auto* const row = static_cast<const uint8_t*>(m.data) + size_t(y) * m.row_stride_B;
        out.insert(out.end(), row, row + row_B);
    }
    c.unmap(r, m);
}

/// Random commands of two contexts that share images. When the context changes, the new one waits for the
/// other.
class Player {
  public:
    Player(unsigned seed, bool bound_depth)
        : random_(seed),
          s_({.width = kW, .height = kH, .threads = seed % 2 ? 3u : 1u, .bound_depth = bound_depth}),
          samples_(seed % 4 == 3 ? 4 : 1),
          format_(kFormats[seed % 5]),
          layout_(s_.screen.create_vertex_layout(layout_of_vertex())),
          other_(s_.screen.create_context({})) {
        const auto image = [&](pipe::Format f, uint32_t w, uint32_t h, uint32_t levels) {
            return s_.screen.create_resource({.kind = pipe::ResourceKind::Tex2DArray,
                                              .format = f,
                                              .width = w,
                                              .height = h,
                                              .layers = kLayers,
                                              .levels = samples_ > 1 ? 1 : levels,
                                              .samples = samples_});
        };
        for (auto& d : depth_)
            d = image(format_, kW, kH, 2);
        colors_[0] = image(pipe::Format::R8G8B8A8_UNORM, kW, kH, 1);
        colors_[1] = image(pipe::Format::R8G8B8A8_UNORM, kW, kH, 1);
        colors_[2] = image(pipe::Format::R8G8B8A8_UNORM, 100, 70, 1);
        other_->set_viewport({{kW / 2.0f, kH / 2.0f, 0.5f}, {kW / 2.0f, kH / 2.0f, 0.5f}});
        other_->bind_vertex_layout(layout_.get());
    }

    std::vector<uint8_t> play(unsigned commands) {
        for (unsigned i = 0; i < commands; ++i)
            step();
        end_pass();
        std::vector<uint8_t> seen;
        for (const auto& r : {depth_[0], depth_[1], colors_[0], colors_[1], colors_[2]})
            for (uint32_t level = 0; level < r->desc.levels; ++level)
                for (uint32_t layer = 0; layer < kLayers; ++layer)
                    append(seen, *s_.context, *r, level, layer);
        s_.context->flush()->wait(pipe::Fence::kForever);
        other_.reset();
        return seen;
    }

  private:
    unsigned any(unsigned n) { return unsigned(random_() % n); }
    float eighth() { return float(any(9)) / 8; }

    void step() {
        const unsigned n = any(60);
        if (n == 0) return upload();
        if (n == 1) return copy();
        if (n == 2) return blit();
        if (n == 3) return change_context();
        if (n == 4) return replace();
        if (n < 8) return clear();
        if (n < 10 && in_pass_) s_.context->discard_attachments(pipe::attachment_bit::kDepth);
        if (n < 12) {
            end_pass();
            s_.context->flush();
        } else if (n < 24) {
            begin_pass();
        } else {
            draw();
        }
    }

    /// A new image of the same size may get the same address.
    void replace() {
        if (any(4)) return;
        end_pass();
        auto& d = depth_[any(2)];
        const pipe::ResourceDesc desc = d->desc;
        d = nullptr;
        d = s_.screen.create_resource(desc);
    }

    void end_pass() {
        if (in_pass_) s_.context->end_render_pass();
        in_pass_ = false;
    }

    void begin_pass() {
        end_pass();
        pipe::RenderPassDesc p;
        pipe::Attachment& d = p.depth_stencil;
        d.resource = depth_[any(4) == 0].get();
        d.format = format_;
        d.level = any(4) ? 0 : any(d.resource->desc.levels);
        p.layers = d.layer_count = any(4) ? 1 : 2;
        d.first_layer = any(kLayers + 1 - p.layers);
        if (any(5) == 0) d.load = pipe::LoadOp::Clear;
        if (any(9) == 0) d.load = pipe::LoadOp::DontCare;
        if (any(5) == 0) d.store = pipe::StoreOp::DontCare;
        p.clear_depth = eighth();
        p.color_count = 1;
        p.color[0].resource = colors_[any(5) ? any(2) : 2].get();
        p.color[0].format = pipe::Format::R8G8B8A8_UNORM;
        p.color[0].first_layer = any(kLayers + 1 - p.layers);
        p.color[0].layer_count = p.layers;
        p.width = std::min(d.resource->desc.width >> d.level, p.color[0].resource->desc.width);
        p.height = std::min(d.resource->desc.height >> d.level, p.color[0].resource->desc.height);
        s_.context->begin_render_pass(p);
        in_pass_ = true;
    }

    void clear() {
        if (!in_pass_) return;
        pipe::ClearInfo c;
        c.attachments = pipe::attachment_bit::kDepth;
        c.depth = eighth();
        c.scissored = any(2);
        c.scissor = {int(any(100)), int(any(60)), int(kW), int(kH)};
        s_.context->clear(c);
    }

    void draw() {
        if (!in_pass_) return;
        const pipe::Compare usual[] = {pipe::Compare::Less, pipe::Compare::LessEqual};
        s_.depth_stencil({.depth_test = any(10) != 0,
                          .depth_write = any(4) != 0,
                          .depth_compare = any(4) ? usual[any(2)] : pipe::Compare(any(8))});
        s_.raster({});
        const Paint paints[] = {Paint::Varying, Paint::Varying, Paint::DiscardOdd, Paint::WriteDepth};
        s_.paint(paints[any(4)]);
        const float flat = float(any(17)) / 16;
        const bool is_flat = any(4) != 0;
        std::vector<Vertex> v;
        for (int k = 0; k < 3; ++k) {
            const float x = float(any(500)) - 150, y = float(any(400)) - 150;
            v.push_back(s_.at(x, y, is_flat ? flat : float(any(1000)) / 999));
            for (float& c : v.back().color)
                c = float(any(256)) / 255;
        }
        if (any(4))
            s_.rectangle(float(any(40)), float(any(40)), float(80 + any(80)), float(50 + any(50)), flat,
                         v[0].color);
        else
            s_.draw(pipe::Primitive::Triangles, v);
    }

    pipe::Box some(uint32_t level) {
        return {int32_t(any(20)), int32_t(any(20)), int32_t(any(kLayers)),
                level ? 40 : 90,  level ? 20 : 60,  1};
    }

    void upload() {
        end_pass();
        pipe::Resource& r = *depth_[any(4) == 0];
        const uint32_t level = any(r.desc.levels);
        uint32_t flags = pipe::map_flag::kWrite;
        if (any(2)) {
            s_.context->flush()->wait(pipe::Fence::kForever);
            flags |= pipe::map_flag::kUnsynchronized;
        }
        const pipe::Box box = some(level);
        const pipe::Mapping m = s_.context->map(r, level, box, flags);
        const float depth = eighth();
        const size_t pixel_B = pipe::format_info(format_).block_B;
        uint8_t pixel[8] = {};
        pipe::pack_depth_f32(format_, pixel, &depth, 1);
        for (int32_t y = 0; y < box.height; ++y)
            for (int32_t x = 0; x < box.width * int32_t(samples_); ++x)
                std::memcpy(static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B + size_t(x) * pixel_B,
                            pixel, pixel_B);
        s_.context->unmap(r, m);
    }

    void copy() {
        end_pass();
        const pipe::Box box = some(0);
        s_.context->copy_region(*depth_[any(2)], 0, int32_t(any(50)), int32_t(any(20)), int32_t(any(kLayers)),
                                *depth_[any(2)], 0, box);
    }

    void blit() {
        end_pass();
        pipe::BlitInfo b;
        b.color = false;
        b.depth = true;
        const unsigned to = any(2);
        b.src = {.resource = depth_[1 - to].get(), .format = format_, .level = 0, .box = some(0)};
        b.dst = {.resource = depth_[to].get(), .format = format_, .level = 0, .box = some(0)};
        if (samples_ == 1 && any(2)) b.dst.box.width /= 2;
        (void)pipe::blit(*s_.context, b);
    }

    void change_context() {
        end_pass();
        s_.context->flush()->wait(pipe::Fence::kForever);
        std::swap(s_.context, other_);
    }

    std::mt19937 random_;
    Scene s_;
    const uint32_t samples_;
    const pipe::Format format_;
    const pipe::Ref<pipe::VertexLayout> layout_;
    std::unique_ptr<pipe::Context> other_;
    pipe::Ref<pipe::Resource> depth_[2], colors_[3];
    bool in_pass_ = false;
};

constexpr BoundedPart kPart = {pipe::Format::D32_FLOAT, 0, 0, 1, 1, 64, 64};

}  // namespace

TEST_CASE("random passes and other writes of their depth have the same results as without bounds") {
    for (unsigned seed = 0; seed < 100; ++seed) {
        INFO("seed ", seed);
        REQUIRE(Player(seed, true).play(250) == Player(seed, false).play(250));
    }
}

TEST_CASE("bounds are reused for the same part, by the same owner or when they are unused") {
    KeptBounds kept;
    const int a = 0, b = 0;
    const auto first = kept.acquire(kPart, 1, &a);
    CHECK(first->data()[15] == kNoBound);
    CHECK(kept.acquire(kPart, 1, &a).get() == first.get());
    first->end_use();
    const auto second = kept.acquire(kPart, 1, &b);  // a's second pass is in flight
    CHECK(second.get() != first.get());
    second->end_use();
    CHECK(kept.acquire(kPart, 1, &a).get() == second.get());
}

TEST_CASE("bounds of overlapping or written parts are not reused") {
    KeptBounds kept;
    const int a = 0;
    const auto first = kept.acquire(kPart, 1, &a);
    BoundedPart layers = kPart, level = kPart, small = kPart;
    layers.first_layer = 1, layers.layers = 2;
    level.level = 1;
    small.width_px = 32;
    CHECK(kept.acquire(layers, 2, &a).get() != first.get());
    CHECK(kept.acquire(level, 1, &a).get() != first.get());
    CHECK(kept.acquire(kPart, 1, &a).get() == first.get());
    const auto smaller = kept.acquire(small, 1, &a);
    CHECK(smaller.get() != first.get());
    CHECK(kept.acquire(kPart, 1, &a).get() != first.get());
    const auto last = kept.acquire(kPart, 1, &a);
    kept.forget();
    CHECK(kept.acquire(kPart, 1, &a).get() != last.get());
}

TEST_CASE("contexts of two threads draw to halves of one depth buffer") {
    const auto draw = [](bool bound_depth) {
        Scene s({.width = 256,
                 .height = 128,
                 .depth = pipe::Format::D24_UNORM_X8,
                 .threads = 3,
                 .bound_depth = bound_depth});
        const float black[4] = {};
        s.begin(black);
        s.context->end_render_pass();
        s.context->flush()->wait(pipe::Fence::kForever);
        const auto program = s.paint(Paint::Varying);
        const auto layout = s.screen.create_vertex_layout(layout_of_vertex());
        const pipe::Ref<pipe::DepthStencilState> depth[] = {
            s.screen.create_depth_stencil(
                {.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::Less}),
            s.screen.create_depth_stencil(
                {.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::Always})};
        pipe::RasterDesc scissored;
        scissored.scissor = true;
        const auto raster = s.screen.create_raster(scissored);
        const auto half = [&](int n) {
            std::mt19937 random{unsigned(n)};
            const auto c = s.screen.create_context({});
            c->set_viewport({{128, 64, 0.5f}, {128, 64, 0.5f}});
            c->bind_vertex_layout(layout.get());
            c->bind_program(program.get());
            c->bind_raster(raster.get());
            c->set_scissor({n * 128, 0, n * 128 + 128, 128});
            pipe::RenderPassDesc p = s.pass;
            p.color[0].load = p.depth_stencil.load = p.stencil_load = pipe::LoadOp::Load;
            for (int i = 0; i < 200; ++i) {
                c->begin_render_pass(p);
                std::vector<Vertex> v;
                const float z = float(random() % 17) / 16;
                for (int k = 0; k < 4; ++k) {
                    v.push_back(s.at(k & 1 ? 256 : 0, k & 2 ? 128 : 0, z));
                    v.back().color[0] = float(random() % 256) / 255;
                }
                auto vb = s.screen.create_resource({.kind = pipe::ResourceKind::Buffer,
                                                    .width = uint32_t(v.size() * sizeof(Vertex)),
                                                    .bind = pipe::bind::kVertex});
                std::memcpy(soft(*vb).data(), v.data(), v.size() * sizeof(Vertex));
                const pipe::VertexBuffer binding = {vb.get(), 0, sizeof(Vertex)};
                c->set_vertex_buffers({&binding, 1});
                c->bind_depth_stencil(depth[random() % 4 == 0].get());
                pipe::DrawInfo info;
                info.mode = pipe::Primitive::TriangleStrip;
                const pipe::DrawRange range = {0, 4, 0};
                c->draw(info, {&range, 1});
                c->end_render_pass();
                if (random() % 2) c->flush();
            }
            c->flush()->wait(pipe::Fence::kForever);
        };
        std::thread left(half, 0), right(half, 1);
        left.join();
        right.join();
        std::vector<uint8_t> seen = s.bytes();
        const std::vector<uint8_t> depths = s.bytes(true);
        seen.insert(seen.end(), depths.begin(), depths.end());
        return seen;
    };
    CHECK(draw(true) == draw(false));
}

}  // namespace terrazzo::soft::test

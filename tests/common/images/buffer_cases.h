// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The CPU writes ranges of a buffer while the device reads it, on any device.
#pragma once

#include "tests/common/images/access_cases.h"

namespace terrazzo::test {

/// Adjacent strips of the scene's target, each drawn with four vertices of a buffer.
struct StripBuffer {
    static constexpr int kStrips = 8, kVertices = 4;
    static constexpr size_t kStrip_B = kVertices * sizeof(Vertex);
    using Strip = std::array<Vertex, kVertices>;

    /// `before_B`: the bytes of the buffer that precede the vertices.
    explicit StripBuffer(AccessScene& scene, size_t before_B = 0) : s(scene), before_B(before_B) {
        std::vector<Vertex> all;
        for (int i = 0; i < kStrips; ++i) {
            const Strip v = strip(i, {1, 0, 0, 1});
            all.insert(all.end(), v.begin(), v.end());
        }
        contents.resize(before_B + all.size() * sizeof(Vertex));
        std::memcpy(contents.data() + before_B, all.data(), all.size() * sizeof(Vertex));
        buffer = s.buffer(contents.data(), contents.size());
    }
    [[nodiscard]] Strip strip(int place, const std::array<float, 4>& rgba) const {
        const float w = float(s.width) / kStrips, x = w * float(place), h = float(s.height);
        Strip v = {s.at(x, 0), s.at(x + w, 0), s.at(x, h), s.at(x + w, h)};
        for (Vertex& i : v)
            std::copy_n(rgba.data(), 4, i.color);
        return v;
    }
    void draw(pipe::Context& c, int first, int count) const {
        const pipe::VertexBuffer binding{buffer.get(), before_B, sizeof(Vertex)};
        c.set_vertex_buffers({&binding, 1});
        pipe::DrawInfo info;
        info.mode = pipe::Primitive::TriangleStrip;
        for (int i = first; i < first + count; ++i) {
            const pipe::DrawRange range{uint32_t(kVertices * i), kVertices, 0};
            c.draw(info, {&range, 1});
        }
        c.set_vertex_buffers({});
    }
    /// `at_B`: after the bytes that precede the vertices.
    void write(size_t at_B, const void* bytes, size_t size_B) {
        at_B += before_B;
        const pipe::Mapping m = s.context->map(*buffer, 0, {int32_t(at_B), 0, 0, int32_t(size_B), 1, 1},
                                               pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange);
        REQUIRE(m.data);
        std::memcpy(m.data, bytes, size_B);
        s.context->unmap(*buffer, m);
        std::memcpy(contents.data() + at_B, bytes, size_B);
    }
    void check_contents() const {
        const pipe::Mapping m =
            s.context->map(*buffer, 0, {0, 0, 0, int32_t(contents.size()), 1, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        CHECK(std::memcmp(m.data, contents.data(), contents.size()) == 0);
        s.context->unmap(*buffer, m);
    }

    AccessScene& s;
    const size_t before_B;
    pipe::Ref<pipe::Resource> buffer;
    std::vector<uint8_t> contents;
};

/// Draws before a write use the old vertices, draws after it the new ones. The CPU does not wait.
/// (If the CPU converts vertices, since they are not aligned, it waits in the draws that read what was
/// written.)
inline void check_busy_buffers(AccessScene& s, size_t before_B = 0) {
    constexpr uint32_t kRed = 0xff0000ff, kGreen = 0xff00ff00;
    for (const bool submitted : {false, true}) {
        CAPTURE(submitted);
        StripBuffer strips(s, before_B);
        s.begin();
        strips.draw(*s.context, 0, StripBuffer::kStrips);
        s.context->end_render_pass();
        if (submitted) (void)s.context->flush();
        s.messages.clear();
        // The fourth strip is moved to the position of the sixth.
        const StripBuffer::Strip moved = strips.strip(5, {0, 1, 0, 1});
        strips.write(3 * StripBuffer::kStrip_B, moved.data(), StripBuffer::kStrip_B);
        CHECK(!s.waited());
        s.resume();
        strips.draw(*s.context, 3, 1);
        s.context->end_render_pass();
        if (before_B % sizeof(float)) s.messages.clear();
        // Offset and size are not aligned. Two writes to the same range take effect in order.
        const uint8_t once[7] = {1, 2, 3, 4, 5, 6, 7}, again[3] = {8, 9, 10};
        strips.write(7 * StripBuffer::kStrip_B + 5, once, sizeof once);
        strips.write(7 * StripBuffer::kStrip_B + 7, again, sizeof again);
        CHECK(!s.waited());
        for (int i = 0; i < StripBuffer::kStrips; ++i)
            CHECK(AccessScene::pixel(*s.context, *s.color, 0, i * s.width / StripBuffer::kStrips) ==
                  (i == 5 ? kGreen : kRed));
        strips.check_contents();
    }
    CHECK(s.context->reset_status() == pipe::ResetStatus::None);
}

/// Copies between buffers, at any offset and of any size, of which each reads what earlier ones wrote.
inline void check_buffer_copies(AccessScene& s) {
    constexpr size_t kSize_B = 300'000;
    std::vector<uint8_t> contents[2];
    pipe::Ref<pipe::Resource> buffers[2];
    for (unsigned i = 0; i < 2; ++i) {
        contents[i].resize(kSize_B);
        for (uint8_t& b : contents[i])
            b = uint8_t(s.random());
        buffers[i] = s.buffer(contents[i].data(), kSize_B);
    }
    s.messages.clear();
    for (unsigned i = 0; i < 24; ++i) {
        CAPTURE(i);
        const unsigned from = i % 3 == 0, to = i % 2;
        const size_t align = size_t(1) << i % 6, half = kSize_B / 2;
        // Within one buffer, from one half to the other.
        const size_t src_B = s.random() % (half / 4) / align * align + (from == to ? half : 0),
                     dst_B = s.random() % (half / 4) / align * align,
                     size_B = i % 4 ? 65'536 + s.random() % 40'000 : 1 + s.random() % 100;
        s.context->copy_region(*buffers[to], 0, int32_t(dst_B), 0, 0, *buffers[from], 0,
                               {int32_t(src_B), 0, 0, int32_t(size_B), 1, 1});
        std::memcpy(contents[to].data() + dst_B, contents[from].data() + src_B, size_B);
    }
    CHECK(!s.waited());
    for (unsigned i = 0; i < 2; ++i) {
        const pipe::Mapping m =
            s.context->map(*buffers[i], 0, {0, 0, 0, int32_t(kSize_B), 1, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        CHECK(std::memcmp(m.data, contents[i].data(), kSize_B) == 0);
        s.context->unmap(*buffers[i], m);
    }
    CHECK(s.context->reset_status() == pipe::ResetStatus::None);
}

/// Another context has recorded a draw that reads the buffer. The order of the two is not defined: it draws
/// the old vertices or the new ones.
inline void check_busy_buffers_of_two_contexts(AccessScene& s) {
    StripBuffer strips(s);
    pipe::Context& other = *s.second;
    const auto target = s.target();
    pipe::VertexLayoutDesc layout;
    layout.count = 2;
    for (unsigned i = 0; i < 2; ++i) {
        layout.elements[i].format = pipe::Format::R32G32B32A32_FLOAT;
        layout.elements[i].offset_B = 16 * i;
    }
    const auto vertices = s.screen->create_vertex_layout(layout);
    other.bind_vertex_layout(vertices.get());
    other.bind_program(s.program.get());
    const float half = float(target->desc.width) / 2;
    other.set_viewport({{half, half, 0.5f}, {half, half, 0.5f}});
    pipe::RenderPassDesc p = s.pass;
    p.color[0].resource = target.get();
    p.color[0].load = pipe::LoadOp::Clear;
    p.width = target->desc.width;
    p.height = target->desc.height;
    p.area = {0, 0, int32_t(p.width), int32_t(p.height)};
    for (int i = 0; i < 4; ++i) {
        CAPTURE(i);
        s.messages.clear();
        other.begin_render_pass(p);
        strips.draw(other, 0, StripBuffer::kStrips);
        other.end_render_pass();
        // Both contexts have recorded reads.
        s.begin();
        strips.draw(*s.context, 0, StripBuffer::kStrips);
        s.context->end_render_pass();
        const StripBuffer::Strip fresh = strips.strip(3, {0, float(i % 2), 1, 1});
        strips.write(3 * StripBuffer::kStrip_B, fresh.data(), StripBuffer::kStrip_B);
        CHECK(!s.waited());
        if (i < 2) (void)s.context->flush();
        (void)other.flush();
        const uint32_t drawn = AccessScene::pixel(other, *target, 0, int32_t(target->desc.width) * 2 / 16);
        CHECK(drawn == 0xff0000ff);
        strips.check_contents();
    }
    CHECK(s.context->reset_status() == pipe::ResetStatus::None);
    CHECK(other.reset_status() == pipe::ResetStatus::None);
    other.bind_vertex_layout(nullptr);
    other.bind_program(nullptr);
}

}  // namespace terrazzo::test

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver with a tiler heap that is too small for the draws: the picture is the same.
#include "tests/mali/driver/scene.h"

#include <random>

namespace terrazzo::test {

namespace {

constexpr mali::HeapDesc kTiny{128 << 10, 1, 2};

/// Many blended, depth-tested triangles over a clear colour, in two draws; then a pass that loads the result
/// and samples nothing. The second pass' depth is not stored.
std::vector<uint32_t> picture(const mali::HeapDesc& heap, bool keep_depth, std::string* messages) {
    MaliScene s(80, 72, "sim:mali-g610", pipe::Format::D24_UNORM_S8_UINT, heap);
    s.depth_stencil({.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::LessEqual});
    pipe::BlendDesc blend;
    blend.targets[0].enable = true;
    blend.targets[0].src_rgb = blend.targets[0].src_alpha = pipe::BlendFactor::SrcAlpha;
    blend.targets[0].dst_rgb = blend.targets[0].dst_alpha = pipe::BlendFactor::OneMinusSrcAlpha;
    s.blend(blend);
    std::mt19937 random(11);
    const auto unit = [&] { return float(random() % 4096) / 4096.0f; };
    for (int pass = 0; pass < 3; ++pass) {
        if (!keep_depth && pass == 2)
            s.pass.depth_stencil.store = s.pass.stencil_store = pipe::StoreOp::DontCare;
        if (pass == 0)
            s.begin(0.25f, 0.5f, 0.75f, 1);
        else
            s.resume();
        for (int draw = 0; draw < 2; ++draw) {
            std::vector<Vertex> v;
            for (int i = 0; i < 2500; ++i) {
                const float x = unit() * 80, y = unit() * 72, z = unit();
                const float color[4] = {unit(), unit(), unit(), unit()};
                for (int corner = 0; corner < 3; ++corner) {
                    v.push_back(s.at(x + float(corner == 1) * 6, y + float(corner == 2) * 6, z));
                    std::copy_n(color, 4, v.back().color);
                }
            }
            s.draw(pipe::Primitive::Triangles, v);
        }
        s.context->end_render_pass();
    }
    std::vector<uint32_t> p = s.pixels();
    *messages = s.messages.text();
    return p;
}

}  // namespace

TEST_CASE("heap: draws that do not fit are drawn in parts, with the same picture") {
    for (const bool keep_depth : {true, false}) {
        std::string messages;
        const std::vector<uint32_t> whole = picture({}, keep_depth, &messages);
        CHECK(messages.empty());
        CHECK(std::count(whole.begin(), whole.end(), whole[0]) < 80 * 72 / 2);
        const std::vector<uint32_t> parts = picture(kTiny, keep_depth, &messages);
        CHECK(messages.empty());
        CHECK(whole == parts);
    }
}

}  // namespace terrazzo::test

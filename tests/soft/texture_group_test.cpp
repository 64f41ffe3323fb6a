// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Groups of texture instructions: which groups a shader has, and that each instruction's result is the same
// as without a group.
#include <bit>

#include "doctest/doctest.h"
#include "drivers/soft/interp/tex_groups.h"
#include "shaders/ir/parse.h"
#include "shaders/ir/print.h"
#include "tests/soft/texture_reference.h"

namespace terrazzo::soft::test {

namespace {

using pipe::Filter;
using pipe::Format;

std::unique_ptr<ir::Shader> gathered(std::string_view text) {
    auto parsed = ir::parse(text);
    INFO(parsed.error);
    REQUIRE(parsed.shader);
    gather_tex_coordinates(*parsed.shader);
    return std::move(parsed.shader);
}

/// Rows of coordinates, and instructions that use two of them each.
struct Group {
    alignas(32) float s[TexGroup::kMost][kLanes], t[TexGroup::kMost][kLanes];
    alignas(32) float out[TexGroup::kMost][4][kLanes];
    TexGroup group = {};
};

}  // namespace

TEST_CASE("texture groups: coordinates are computed first, code that depends on a texture stays") {
    const auto s = gathered(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = const 0.5
  %2: f32, %3: f32, %4: f32, %5: f32 = tex sample 2d coords=2 binding=0 (%0, %1)
  %6: f32 = fadd %2, %1
  store_output 0.x, %6
  %7: f32 = fadd %0, %1
  %8: f32 = fmul %7, %7
  %9: f32, %10: f32, %11: f32, %12: f32 = tex sample 2d coords=2 binding=0 (%8, %1)
  %13: f32, %14: f32, %15: f32, %16: f32 = tex sample 2d coords=2 binding=0 (%6, %1)
  %17: f32, %18: f32, %19: f32, %20: f32 = tex sample 2d coords=2 binding=1 (%8, %8)
  store_output 0.y, %9
  store_output 0.z, %13
  store_output 0.w, %17
}
)");
    s->renumber();
    CHECK(print(*s) == R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = const 0.5
  %2: f32 = fadd %0, %1
  %3: f32 = fmul %2, %2
  %4: f32, %5: f32, %6: f32, %7: f32 = tex sample 2d coords=2 binding=0 (%0, %1)
  %8: f32 = fadd %4, %1
  store_output 0.x, %8
  %9: f32, %10: f32, %11: f32, %12: f32 = tex sample 2d coords=2 binding=0 (%3, %1)
  %13: f32, %14: f32, %15: f32, %16: f32 = tex sample 2d coords=2 binding=0 (%8, %1)
  %17: f32, %18: f32, %19: f32, %20: f32 = tex sample 2d coords=2 binding=1 (%3, %3)
  store_output 0.y, %9
  store_output 0.z, %13
  store_output 0.w, %17
}
)");
    const ir::Instr* first = s->body->first;
    while (first->op != ir::Op::Tex)
        first = first->next;
    const TexGroupShape shape = tex_group_of(*first, [](const ir::Value* v) { return v->id < 4; });
    REQUIRE(shape.members.size() == 2);
    CHECK(shape.s.size() == 2);
    CHECK(shape.t.size() == 1);
    CHECK(shape.at[1].s == 1);
    CHECK(shape.at[1].t == 0);
    CHECK(shape.channels == 1);
}

TEST_CASE("texture groups: words of a uniform block may be read first, those of a storage buffer may not") {
    const auto s = gathered(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32, %2: f32, %3: f32, %4: f32 = tex sample 2d coords=2 binding=0 (%0, %0)
  %5: i32 = const 0
  %6: f32, %7: f32 = load_buffer uniform_block binding=1 words=2 (%5)
  %8: f32 = load_buffer buffer binding=1 (%5)
  %9: f32, %10: f32, %11: f32, %12: f32 = tex sample 2d coords=2 binding=0 (%7, %0)
  %13: f32, %14: f32, %15: f32, %16: f32 = tex sample 2d coords=2 binding=0 (%8, %0)
  store_output 0.x, %9
}
)");
    s->renumber();
    const std::string text = print(*s);
    CHECK(text.find("uniform_block") < text.find("tex sample"));
    CHECK(text.find("load_buffer buffer") > text.find("tex sample"));
    const ir::Instr* first = s->body->first;
    while (first->op != ir::Op::Tex)
        first = first->next;
    CHECK(tex_group_of(*first, [&](const ir::Value* v) {
              return v->id < first->result()->id;
          }).members.size() == 2);
}

TEST_CASE("texture groups: no group crosses a discard") {
    const auto s = gathered(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32, %2: f32, %3: f32, %4: f32 = tex sample 2d coords=2 binding=0 (%0, %0)
  %5: bool = flt %1, %0
  discard %5
  %6: f32 = fadd %0, %0
  %7: f32, %8: f32, %9: f32, %10: f32 = tex sample 2d coords=2 binding=0 (%6, %0)
  store_output 0.x, %7
}
)");
    const std::string before = print(*s);
    CHECK(before.find("discard") < before.find("%6: f32 = fadd"));
    const ir::Instr* first = s->body->first->next;
    CHECK(tex_group_of(*first, [](const ir::Value*) { return true; }).members.size() == 1);
}

TEST_CASE("texture groups: the same bits as without groups") {
    constexpr Format kFormats[] = {Format::R8G8B8A8_UNORM, Format::B8G8R8X8_UNORM,
                                   Format::R8G8B8_UNORM,   Format::L8_UNORM,
                                   Format::B5G6R5_UNORM,   Format::R16G16B16A16_FLOAT};
    std::mt19937 random(41);
    const auto below = [&](int n) { return int(random() % unsigned(n)); };
    const auto real = [&](float low, float high) {
        return low + (high - low) * float(random() % 1000003) / 1000003.0f;
    };
    const auto g = std::make_unique<Group>();
    for (unsigned round = 0; round < 6000; ++round) {
        const int w = 1 + below(40), h = 1 + below(40), levels = below(3) ? 1 : 1 + below(5);
        Texture t(pipe::ResourceKind::Tex2D, kFormats[below(3) ? below(2) : below(6)], w, h, 1, levels,
                  random);
        t.unit.sampler.wrap_s = pipe::Wrap(below(3));
        t.unit.sampler.wrap_t = pipe::Wrap(below(3));
        t.unit.sampler.min = Filter(below(2));
        t.unit.sampler.mag = below(5) ? t.unit.sampler.min : Filter(below(2));
        t.unit.sampler.mip = below(3) ? pipe::MipFilter::None : pipe::MipFilter(below(3));
        if (below(4) == 0)
            for (pipe::Swizzle& s : t.unit.swizzle)
                s = pipe::Swizzle(below(6));
        prepare_texture_unit(&t.unit);
        TexGroup& group = g->group;
        group.unit = &t.unit;
        group.mask = below(3) ? 0xff : unsigned(1 + below(255));
        group.s_count = uint32_t(1 + below(6));
        group.t_count = uint32_t(1 + below(6));
        group.count = uint32_t(1 + below(int(TexGroup::kMost)));
        group.channels = below(2) ? 7 : uint32_t(1 + below(15));
        group.s = g->s;
        group.t = g->t;
        group.out = g->out;
        for (auto& at : group.at)
            at = {uint8_t(below(int(group.s_count))), uint8_t(below(int(group.t_count)))};
        // Usually coordinates as in an unrotated picture, with at most a texel a pixel; otherwise anywhere.
        const bool upright = below(3) != 0;
        const float step = real(-0.1f, 1.0f);
        const auto fill = [&](float(*rows)[kLanes], uint32_t count, bool across, int size_px) {
            for (uint32_t n = 0; n < count; ++n) {
                const float base = below(4) ? real(0.05f, 0.6f) : real(-2, 3);
                for (unsigned i = 0; i < kLanes; ++i) {
                    const unsigned px = across ? (i & 1) + (i >> 2) * 2 : i >> 1 & 1;
                    rows[n][i] = upright ? base + float(px) * step / float(size_px) : real(-3, 3);
                }
            }
        };
        fill(g->s, group.s_count, true, w);
        fill(g->t, group.t_count, false, h);
        t.unit.sample_group(&group);
        for (uint32_t n = 0; n < group.count; ++n) {
            TexCall call = {};
            call.unit = &t.unit;
            call.mode = TexMode::Implicit;
            call.mask = group.mask;
            std::memcpy(call.s, g->s[group.at[n].s], sizeof call.s);
            std::memcpy(call.t, g->t[group.at[n].t], sizeof call.t);
            t.unit.sample(&call);
            for (unsigned k = 0; k < 4; ++k)
                for (unsigned i = 0; i < kLanes; ++i) {
                    if (!(group.mask >> i & 1) || !(group.channels >> k & 1)) continue;
                    CAPTURE(n);
                    CAPTURE(k);
                    CAPTURE(i);
                    REQUIRE(std::bit_cast<uint32_t>(g->out[n][k][i]) ==
                            std::bit_cast<uint32_t>(call.out[k][i]));
                }
        }
    }
}

}  // namespace terrazzo::soft::test

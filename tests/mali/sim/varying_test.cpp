// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LD_VAR_BUF for random primitives, compared with the formula for one lane.
#include <random>

#include "drivers/common/wave/lanes.h"
#include "drivers/mali/sim/fragment/shade.h"
#include "pipe/half.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;

namespace {

constexpr unsigned kVarying_B = 40;

struct Mode {
    const char* name;
    bool half, flat;
};
constexpr Mode kModes[] = {{"src_f32", false, false},
                           {"src_f16", true, false},
                           {"src_flat32", false, true},
                           {"src_flat16", true, true}};

uint32_t stored(const uint8_t* vertex, uint32_t offset_B, unsigned c, bool half) {
    uint32_t v = 0;
    std::memcpy(&v, vertex + offset_B + c * (half ? 2 : 4), half ? 2 : 4);
    return v;
}

// One component in one lane: a word, or a half.
uint32_t expected(const FragmentStage& s, unsigned lane, uint32_t offset_B, unsigned c, const Mode& mode,
                  bool to_half) {
    const FragmentPrimitive& p = *s.primitive[lane / 4];
    if (mode.flat) {
        const uint32_t v = stored(p.varying[p.provoking], offset_B, c, mode.half);
        return to_half ? std::min(v, 0xffffu) : v;
    }
    float v[3] = {};
    for (unsigned i = 0; i < p.vertex_count(); ++i) {
        const uint32_t bits = stored(p.varying[i], offset_B, c, mode.half);
        v[i] = mode.half ? pipe::half_to_float(uint16_t(bits)) : std::bit_cast<float>(bits);
    }
    const double x = s.x[lane] + 0.5, y = s.y[lane] + 0.5;
    const double w = 1 / p.inv_w.at(x, y);
    const double first = v[0];
    const auto out = float(first + p.weight[1].at(x, y) * w * (p.vertex_count() > 1 ? v[1] - first : 0) +
                           p.weight[2].at(x, y) * w * (p.vertex_count() > 2 ? v[2] - first : 0));
    return to_half ? wave::to_half(double(out)) : std::bit_cast<uint32_t>(out);
}

}  // namespace

TEST_CASE("varying: random primitives, formats and lanes are interpolated like a single lane") {
    std::mt19937 random(11);
    const auto below = [&](unsigned n) { return unsigned(random() % n); };
    const auto real = [&] { return float(int32_t(random())) * 0x1p-28f; };
    FlatSpace space;
    Window window(space);
    FragmentUnits units;
    std::vector<uint8_t> memory(3 * kVarying_B * 4 + 16);
    FragmentDraw draw;
    for (unsigned round = 0; round < 4000; ++round) {
        CAPTURE(round);
        const Mode& mode = kModes[below(4)];
        const bool to_half = below(2);
        const unsigned count = 1 + below(4), registers = to_half ? (count + 1) / 2 : count;
        const uint32_t offset_B = (mode.half ? 2 : 4) * below(4);
        std::string text = std::string("LD_VAR_BUF_IMM.") + (to_half ? "f16" : "f32") + ".slot0" +
                           (count > 1 ? ".v" + std::to_string(count) : "") + "." + mode.name +
                           ".center.store.wait0 @r0";
        for (unsigned i = 1; i < registers; ++i)
            text += ":r" + std::to_string(i);
        char hex[16];
        std::snprintf(hex, sizeof(hex), "0x%X", offset_B);
        text += std::string(", r61, index:") + hex;
        CAPTURE(text);
        mali::isa::Instr instr;
        mali::isa::Error error;
        [[maybe_unused]] const bool good = mali::isa::assemble_line(text, &instr, &error);
        INFO(std::string(error.reason));
        REQUIRE(good);

        // Values of all sizes; sometimes random bits.
        for (size_t i = 0; i + 4 <= memory.size(); i += 4) {
            const uint32_t v = below(16) == 0 ? uint32_t(random())
                               : mode.half
                                   ? pipe::float_to_half(real()) | uint32_t(pipe::float_to_half(real())) << 16
                                   : std::bit_cast<uint32_t>(real());
            std::memcpy(&memory[i], &v, 4);
        }
        FragmentPrimitive primitive[kQuads];
        FragmentStage s;
        s.draw = &draw;
        const unsigned quads = 1 + below(kQuads);
        for (unsigned q = 0; q < quads; ++q) {
            FragmentPrimitive& p = primitive[q];
            const uint8_t* begin = memory.data() + below(4) + q * 3 * kVarying_B;
            p.kind = units::PrimitiveKind(below(3));
            p.varying_size_B = kVarying_B;
            for (unsigned i = 0; i < p.vertex_count(); ++i) {
                p.varying[i] = begin + i * kVarying_B;
                p.weight[i] = {real() * 0.01, real() * 0.01, 2 + real()};
                p.inv_w.a += p.weight[i].a, p.inv_w.b += p.weight[i].b, p.inv_w.c += p.weight[i].c;
            }
            p.provoking = below(p.vertex_count());
            // Sometimes a quad of the same primitive as the quad before.
            const FragmentPrimitive& from = q && below(2) ? *s.primitive[q - 1] : p;
            (void)s.add(from, int32_t(2 * below(512)), int32_t(2 * below(512)), 1 + below(15));
        }
        Warp warp;
        warp.stage = static_cast<Stage*>(&s);
        const uint32_t active = s.lanes() & (below(2) ? ~0u : uint32_t(random()));
        U32 source[2 * mali::isa::OpInfo::kMaxSources] = {}, out[4] = {};
        const MessageIn m{instr, active, source, nullptr, 0, registers, window};
        std::string why;
        units.allow_avx2 = round % 2 == 0;
        const bool done = units.varying(warp, m, out, &why);
        INFO(why);
        REQUIRE(done);
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            if (!(active >> lane & 1)) continue;
            for (unsigned c = 0; c < count; ++c) {
                const uint32_t word = out[to_half ? c / 2 : c][lane];
                const uint32_t actual = !to_half ? word : c % 2 ? word >> 16 : word & 0xffff;
                REQUIRE(actual == expected(s, lane, offset_B, c, mode, to_half));
            }
            const uint32_t rest = to_half && count % 2 ? out[count / 2][lane] >> 16 : 0;
            REQUIRE(rest == 0u);
        }
    }
}

TEST_CASE("varying: in a rectangle a coordinate along x is equal in all rows, in both triangles") {
    // The place in pixels, and texels: many centres of pixels are at edges of texels.
    constexpr float kAt[2][2] = {{11, 43}, {141, 151}}, kTexel[2] = {73.0f / 127, 21.0f / 127};
    constexpr unsigned kCorner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    float stored[4];
    FragmentPrimitive triangle[2];
    for (unsigned t = 0; t < 2; ++t) {  // of a fan
        units::Primitive p;
        for (unsigned i = 0; i < 3; ++i) {
            const unsigned v = i ? i + t : 0;
            const float x = kAt[kCorner[v][0]][0], y = kAt[kCorner[v][1]][1];
            stored[v] = kTexel[kCorner[v][0]];
            p.vertex[i] = {x, y, 0, 1};
            p.corner[i][0] = pipe::raster::to_fixed(x);
            p.corner[i][1] = pipe::raster::to_fixed(y);
            triangle[t].varying[i] = reinterpret_cast<const uint8_t*>(&stored[v]);
        }
        triangle[t].varying_size_B = sizeof stored[0];
        REQUIRE(units::set_up_raster(p, {}, false, &triangle[t]));
    }
    mali::isa::Instr instr;
    mali::isa::Error error;
    REQUIRE(mali::isa::assemble_line(
        "LD_VAR_BUF_IMM.f32.slot0.src_f32.center.store.wait0 @r0, r61, index:0x0", &instr, &error));
    FlatSpace space;
    Window window(space);
    FragmentUnits units;
    FragmentDraw draw;
    for (int32_t x = 12; x < 140; x += 2) {
        uint32_t column[2] = {};
        for (int32_t y = 44; y < 150; y += 2)
            for (const FragmentPrimitive& p : triangle) {
                FragmentStage s;
                s.draw = &draw;
                (void)s.add(p, x, y, 15);
                Warp warp;
                warp.stage = static_cast<Stage*>(&s);
                U32 source[2 * mali::isa::OpInfo::kMaxSources] = {}, out[4] = {};
                std::string why;
                REQUIRE(units.varying(warp, {instr, 15, source, nullptr, 0, 1, window}, out, &why));
                for (unsigned lane = 0; lane < 4; ++lane) {
                    uint32_t& first = column[lane % 2];
                    if (!first) first = out[0][lane];
                    REQUIRE(first == out[0][lane]);
                }
            }
    }
}

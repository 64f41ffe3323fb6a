// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Units that serve the messages of a bundle's warps at once, compared with a call for each warp.
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "drivers/mali/sim/fragment/shade.h"
#include "tests/mali/sim/core_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

struct CountingUnits : FragmentUnits {
    bool serve_all(const BundleMessage& m) override {
        const bool done = FragmentUnits::serve_all(m);
        if (done && m.warps.size() > 1) ++served[m.instr.op];
        return done;
    }
    std::map<mali::isa::Op, unsigned> served;  // how often, for several warps
};
struct SingleUnits : FragmentUnits {
    bool serve_all(const BundleMessage&) override { return false; }
};

}  // namespace

TEST_CASE("bundle: units that serve all warps have the results of single warps") {
    std::mt19937 random(5);
    const auto below = [&](unsigned n) { return unsigned(random() % n); };
    const auto real = [&] { return float(int32_t(random())) * 0x1p-30f; };
    constexpr unsigned kVarying_B = 32, kPrimitives = 12;
    CoreFixture code;
    std::map<mali::isa::Op, unsigned> served;
    unsigned faults = 0;
    for (unsigned round = 0; round < 400; ++round) {
        CAPTURE(round);
        const bool half = below(2);
        const std::string type = half ? "f16" : "f32", staging = half ? "@r0:r1" : "@r0:r1:r2:r3",
                          place = below(4) ? "center" : "centroid", offset = below(32) ? "10" : "14",
                          clamp = below(3) ? "" : "NOP.discard\n";
        const std::string text = "LD_VAR_BUF_IMM." + type + ".slot0.v4.src_f32." + place + ".store.wait0 " +
                                 staging + ", r61, index:0x" + offset + "\n" + clamp + "LD_VAR_BUF_IMM." +
                                 type + ".slot0.v2.src_f32.center.retrieve.wait0 @r4" + (half ? "" : ":r5") +
                                 ", r61, index:0x0\nATEST" + (below(2) ? ".discard" : "") +
                                 " @r60, r60, r3, atest_datum.w0\nNOP.wait\nBLEND.slot0.v4." + type +
                                 ".end " + staging + ", blend_descriptor_0.w0, r60, target:0x0\n";
        CAPTURE(text);
        code.load(text);

        FramebufferState fb;
        fb.samples = below(3) ? 1 : 4;
        fb.pattern.count = fb.samples;
        fb.bounds = {0, 0, below(2) ? 32 : 29, below(2) ? 32 : 31};
        fb.targets.resize(1);
        REQUIRE(tile_format(
            below(4) ? hw::ColorBufferInternalFormat::R8G8B8A8 : hw::ColorBufferInternalFormat::R10G10B10A2,
            &fb.targets[0].tile));
        FragmentDraw draw;
        draw.multisampled = fb.samples > 1;
        draw.pattern = fb.pattern;
        draw.flags_0.alpha_to_coverage = below(8) == 0;
        draw.blend.resize(1);
        hw::Blend& blend = draw.blend[0].d;
        blend.enable = below(8) != 0;
        blend.internal.mode = below(2) ? hw::BlendMode::Opaque : hw::BlendMode::FixedFunction;
        blend.internal.conversion.memory_format =
            hw::blend_memory_format(fb.targets[0].tile.internal, false, false);
        blend.internal.conversion.register_format =
            half ? hw::RegisterFileFormat::F16 : hw::RegisterFileFormat::F32;
        blend.equation.rgb =
            blend.equation.alpha = {hw::BlendOperandA::Dest,
                                    false,
                                    hw::BlendOperandB::SrcMinusDest,
                                    false,
                                    below(2) ? hw::BlendOperandC::SrcAlpha : hw::BlendOperandC::Zero,
                                    bool(below(2))};
        blend.equation.color_mask = below(2) ? 15 : below(16);
        uint32_t words[2];
        hw::pack(blend.internal, words);
        if (below(32) == 0) words[1] |= 1u << 23;  // reserved

        std::vector<float> vertices(kPrimitives * 3 * kVarying_B / 4);
        for (float& v : vertices)
            v = below(200) ? real() : std::numeric_limits<float>::quiet_NaN();
        std::vector<FragmentPrimitive> primitives(kPrimitives);
        for (unsigned n = 0; n < kPrimitives; ++n) {
            FragmentPrimitive& p = primitives[n];
            p.kind = units::PrimitiveKind(below(8) ? 0 : below(3));
            p.draw = &draw;
            p.varying_size_B = kVarying_B;
            for (unsigned i = 0; i < p.vertex_count(); ++i) {
                p.varying[i] = reinterpret_cast<const uint8_t*>(&vertices[(3 * n + i) * kVarying_B / 4]);
                p.weight[i] = {real() * 0.01, real() * 0.01, 2 + real()};
                p.inv_w.a += p.weight[i].a, p.inv_w.b += p.weight[i].b, p.inv_w.c += p.weight[i].c;
            }
        }
        // The same warps for both.
        Area area[2];
        std::vector<Warp> warp[2];
        std::vector<FragmentStage> stage[2];
        const unsigned count = 1 + below(kMostBundled);
        uint64_t passed = 0;
        std::vector<FragmentStage> stages(count);
        std::vector<Warp> warps(count);
        for (unsigned n = 0; n < count; ++n) {
            FragmentStage& s = stages[n];
            s.draw = &draw, s.fb = &fb, s.samples_passed = &passed;
            const unsigned quads = count == 1 ? 1 + below(kQuads) : kQuads;
            for (unsigned q = 0; q < quads; ++q) {
                const unsigned x = 2 * below(14), y = 2 * below(15), mask = 1 + below(15);
                s.first_pixel[q] = y * kArea_px + x;
                s.samples[q] = units::samples_of(mask) * (fb.samples == 1 ? 1 : 1 + below(15));
                s.passed[q] = s.samples[q] & (below(4) ? ~0u : uint32_t(random()));
                (void)s.add(primitives[below(kPrimitives)], int32_t(x), int32_t(y), mask);
            }
            Warp& w = warps[n];
            w.defined = uint64_t(0xf) << 60 | 0x3f;
            for (unsigned r = 0; r < 6; ++r)
                w.r[r] = wave::splat(uint32_t(random()));
            for (unsigned lane = 0; lane < kWarpLanes; ++lane)
                w.r[60][lane] = w.r[61][lane] = s.samples_of_lane(lane);
            w.special[unsigned(mali::isa::Special::kBlendDescriptor0)] = uint64_t(words[1]) << 32 | words[0];
            Core::start(w, ArraySpace::kCode, s.lanes(), s.lanes() & ~s.covered);
        }
        CountingUnits together;
        SingleUnits single;
        Core cores[2] = {{code.space, together}, {code.space, single}};
        CoreFault fault[2];
        Outcome outcome[2];
        for (unsigned k = 0; k < 2; ++k) {
            area[k].begin(fb, 0, 0);
            std::mt19937 same(round);
            for (uint8_t& byte : area[k].color[0])
                byte = uint8_t(same());
            warp[k] = warps, stage[k] = stages;
            for (unsigned n = 0; n < count; ++n) {
                stage[k][n].area = &area[k];
                warp[k][n].stage = static_cast<Stage*>(&stage[k][n]);
            }
            outcome[k] = cores[k].run(warp[k], &fault[k]);
        }
        REQUIRE(outcome[0] == outcome[1]);
        CHECK(fault[0].reason == fault[1].reason);
        CHECK(fault[0].pc == fault[1].pc);
        CHECK(fault[0].lane == fault[1].lane);
        CHECK(area[0].color[0] == area[1].color[0]);
        CHECK(area[0].touched_color == area[1].touched_color);
        if (outcome[0] == Outcome::Done)
            for (unsigned n = 0; n < count; ++n)
                CHECK(std::memcmp(warp[0][n].r, warp[1][n].r, sizeof(U32) * kRegisters) == 0);
        for (const auto& [op, times] : together.served)
            served[op] += times;
        faults += outcome[0] == Outcome::Fault;
    }
    CHECK(served[mali::isa::Op::kAtest] > 100);
    CHECK(served[mali::isa::Op::kBlend] > 100);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        CHECK(served[mali::isa::Op::kLdVarBufImmF32] + served[mali::isa::Op::kLdVarBufImmF16] > 100);
#endif
    CHECK(faults > 10);
}

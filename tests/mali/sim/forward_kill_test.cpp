// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Forward pixel kill: fewer shaders run, and pictures and counters do not change.
#include <algorithm>
#include <random>

#include "drivers/mali/sim/fragment/pending.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

// The draws of a random scene. A bit for each draw decides whether its flags allow pixels to be killed.
struct KillFixture : DrawFixture {
    uint64_t pixels = room(kWidth * kHeight * 4), counters = room(4096);
    std::mt19937 random;
    unsigned below(unsigned n) { return unsigned(random() % n); }
    float real() { return float(below(4096)) / 4096; }

    KillFixture() {
        char text[256];
        std::snprintf(text, sizeof(text),
                      "IADD_IMM.i32 r6, 0x0, #0x%X\nIADD_IMM.i32 r7, 0x0, #0x0\nIADD_IMM.i32 r8, 0x0, #0x1\n"
                      "ATOM.i32.slot0.aadd.wait0 @r8, r6, offset:0x0\n",
                      unsigned(counters));
        fragment_shader(text + std::string(kColorShader));
        host.grown = room(48 * 0x10000);
        host.chunks_left = 48;
        heap.context_va = room(32);
        set(hw::IdvsRegisters::occlusion, counters + 64);
    }
    template <class T>
    T take(uint64_t va) {
        T v;
        std::memcpy(&v, at(va), sizeof(v));
        std::memset(at(va), 0, sizeof(v));
        return v;
    }
    hw::Blend equation(bool opaque) {
        hw::Blend b;
        b.equation.color_mask = 15;
        b.internal.mode = opaque ? hw::BlendMode::Opaque : hw::BlendMode::FixedFunction;
        b.internal.num_comps = 4;
        b.internal.conversion.memory_format =
            hw::blend_memory_format(hw::ColorBufferInternalFormat::R8G8B8A8, false, false);
        b.internal.conversion.register_format = hw::RegisterFileFormat::F32;
        b.load_destination = !opaque;
        b.equation.rgb = {.a = hw::BlendOperandA::Dest,
                          .b = hw::BlendOperandB::SrcMinusDest,
                          .c = hw::BlendOperandC::SrcAlpha};
        b.equation.alpha = b.equation.rgb;
        return b;
    }

    // The scene of a seed. `allowed`: draws that may kill and be killed, if the state permits it.
    void scene(unsigned seed, bool allowed) {
        random.seed(seed);
        new_frame();
        for (unsigned n = 1 + below(6); n > 0; --n) {
            const bool opaque = below(4) != 0, late = below(6) == 0, kills = below(4) != 0,
                       killable = below(8) != 0;
            hw::DcdFlags0 flags;
            if (late) flags.zs_update_operation = flags.pixel_kill_operation = hw::PixelKill::ForceLate;
            flags.allow_forward_pixel_to_kill = allowed && opaque && !late && kills;
            flags.allow_forward_pixel_to_be_killed = allowed && killable;
            flags.occlusion_query = hw::OcclusionMode::Counter;
            dcd_flags(flags);
            blend(equation(opaque));
            set(hw::IdvsRegisters::depth_stencil,
                place(hw::DepthStencil{
                    .depth_write_enable = below(4) != 0,
                    .depth_function = below(3) ? hw::CompareFunc::Less : hw::CompareFunc::Always}));
            std::vector<Vertex> v;
            const float size = below(2) ? 60 : 8;
            for (unsigned i = 3 * (1 + below(60)); i > 0; --i)
                v.push_back({{real() * size + real() * 10, real() * size + real() * 10, real(), 1},
                             {real(), real(), real(), real()}});
            vertices(v);
            REQUIRE(draw() == JobStatus::Done);
        }
    }
};

}  // namespace

TEST_CASE_FIXTURE(KillFixture, "forward kill: pixels that a later draw replaces are not shaded") {
    const std::vector<Vertex> everywhere = {
        {{0, 0, 0, 1}, {1, 0, 0, 1}}, {{128, 0, 0, 1}, {1, 0, 0, 1}}, {{0, 128, 0, 1}, {1, 0, 0, 1}}};
    const auto draw_twice = [&](bool kills, bool killable) {
        new_frame();
        hw::DcdFlags0 flags;
        flags.allow_forward_pixel_to_kill = kills;
        flags.allow_forward_pixel_to_be_killed = killable;
        dcd_flags(flags);
        vertices(everywhere);
        REQUIRE(draw() == JobStatus::Done);
        REQUIRE(draw() == JobStatus::Done);
        REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
        CHECK(pixel(pixels, 31, 40) == 0xff0000ff);
        return take<uint32_t>(counters);
    };
    CHECK(draw_twice(true, true) == kWidth * kHeight);
    CHECK(draw_twice(true, false) == 2 * kWidth * kHeight);
    CHECK(draw_twice(false, true) == 2 * kWidth * kHeight);
}

TEST_CASE_FIXTURE(KillFixture, "forward kill: random scenes are the same with and without it") {
    uint64_t shaded = 0, shaded_all = 0;
    const uint64_t start = next;
    for (unsigned seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        std::vector<uint8_t> picture[2];
        uint64_t passed[2];
        for (const bool allowed : {false, true}) {
            // The heap is empty again, and so is the memory of descriptors.
            next = start;
            heap = {};
            hw::TilerHeap h;
            h.size = 0x10000 * 40;
            h.base = room(h.size);
            h.bottom = h.base + 64;
            h.top = h.base + h.size;
            heap_descriptor = place(h);
            scene(seed, allowed);
            std::memset(at(pixels), 0, kWidth * kHeight * 4);
            REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
            picture[allowed].assign(at(pixels), at(pixels) + kWidth * kHeight * 4);
            passed[allowed] = take<uint64_t>(counters + 64);
            (allowed ? shaded : shaded_all) += take<uint32_t>(counters);
        }
        REQUIRE(picture[0] == picture[1]);
        REQUIRE(passed[0] == passed[1]);
    }
    CHECK(shaded < shaded_all);
}

TEST_CASE_FIXTURE(KillFixture, "forward kill: late tests run before the early tests of later draws") {
    // Fewer quads than a warp has, then another draw over them.
    const auto small = [](float z, float r, float g) -> std::vector<Vertex> {
        return {{{0, 0, z, 1}, {r, g, 0, 1}}, {{4, 0, z, 1}, {r, g, 0, 1}}, {{0, 4, z, 1}, {r, g, 0, 1}}};
    };
    set(hw::IdvsRegisters::depth_stencil,
        place(hw::DepthStencil{.depth_write_enable = true, .depth_function = hw::CompareFunc::Less}));
    for (const bool late_first : {false, true}) {
        CAPTURE(late_first);
        new_frame();
        for (const bool first : {true, false}) {
            hw::DcdFlags0 flags;
            if (first == late_first)
                flags.zs_update_operation = flags.pixel_kill_operation = hw::PixelKill::ForceLate;
            dcd_flags(flags);
            vertices(small(first ? 0.25f : 0.5f, first ? 1 : 0, first ? 0 : 1));
            REQUIRE(draw() == JobStatus::Done);
        }
        REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
        CHECK(pixel(pixels, 0, 0) == 0xff0000ff);
    }
}

TEST_CASE("forward kill: pending quads keep the pixels that no quad has killed, for draws with any flags") {
    std::mt19937 random(3);
    const auto below = [&](unsigned n) { return unsigned(random() % n); };
    FragmentDraw draws[8];
    FragmentPrimitive primitives[8];
    for (unsigned n = 0; n < 8; ++n) {
        draws[n].kills = n & 1;
        draws[n].killable = n & 2;
        draws[n].shades_rejected = n & 4;
        primitives[n].draw = &draws[n];
    }
    PendingQuads pending;
    const Area area;
    unsigned killed = 0;
    for (unsigned round = 0; round < 300; ++round) {
        CAPTURE(round);
        pending.clear();
        const unsigned samples = below(4) ? 1 : 4, all = (1u << samples) - 1;
        const unsigned usual = below(60);  // so many primitives kill and may be killed
        std::vector<uint32_t> wanted;      // samples
        int owner[8][8];
        std::fill_n(&owner[0][0], 64, -1);
        for (unsigned n = 0; n < 50; ++n) {
            const FragmentPrimitive& p = primitives[n < usual ? 3 : below(8)];
            const FragmentDraw& d = *p.draw;
            std::vector<units::PrimitiveQuads::Quad> quads;
            for (int32_t at = int32_t(below(4)); at < 16; at += 1 + int32_t(below(6))) {
                const uint32_t covered = uint32_t(random()) & all * 0x01010101u;
                const uint32_t passed = covered & (below(2) ? ~0u : uint32_t(random()));
                quads.push_back({at % 4 * 2, at / 4 * 2, covered, passed});
                const uint32_t shaded = d.shades_rejected ? covered : passed;
                for (int i = 0; i < 4; ++i) {
                    int& last = owner[at / 4 * 2 + i / 2][at % 4 * 2 + i % 2];
                    if (d.kills && last >= 0 && (passed >> 8 * i & 0xff) == all)
                        wanted[size_t(last)] &= ~(0xffu << 8 * i), ++killed;
                    if (!(shaded >> 8 * i & 0xff)) continue;
                    last = d.killable ? int(wanted.size()) : -1;
                }
                wanted.push_back(shaded);
            }
            pending.add(p, quads, area, samples);
        }
        pending.find_killed();
        REQUIRE(pending.quads().size() == wanted.size());
        for (size_t n = 0; n < wanted.size(); ++n)
            REQUIRE(pending.quads()[n].samples == wanted[n]);
    }
    CHECK(killed > 1000);
}

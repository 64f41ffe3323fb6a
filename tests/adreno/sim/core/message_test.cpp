// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Categories 5 and 6: the requests to units, memory, atomics, exchanges between lanes.
#include <doctest/doctest.h>

#include "tests/adreno/sim/core/runner.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::sim;

namespace {

void set_va(Runner& r, unsigned reg, unsigned stride_B) {
    for (unsigned lane = 0; lane < 64; ++lane) {
        const uint64_t va = TestSpace::kData + lane * stride_B;
        (void)r.wave->set({uint8_t(reg)}, false, lane, uint32_t(va));
        (void)r.wave->set({uint8_t(reg + 1)}, false, lane, uint32_t(va >> 32));
    }
}

}  // namespace

TEST_CASE("ir3 core: a texture unit gets its words, and the mask selects the results") {
    Runner r("sam.3d.a.s (f32)(xz)r2.x, r0.x, s#3, t#2");
    for (unsigned i = 0; i < 5; ++i)
        r.set(i, i + 1);
    r.set(9, 77);
    CHECK(r.report() == "");
    CHECK(r.units.last_in_count == 5);  // s t r, comparison, layer
    CHECK(r.units.last_in[4] == 5);
    CHECK(r.units.last_sampler == 3);
    CHECK(r.get(8) == 2100);
    CHECK(r.get(9) == 77);
    CHECK(r.get(10) == 2102);
    CHECK(!Runner("sam (f32)(x)r2.x, r15.w, s#0, t#0").report().empty());  // r16.x
}

TEST_CASE("ir3 core: the second vector, gradients") {
    Runner r("saml.o (f32)(x)r8.x, r0.x, r4.x, s#0, t#0");
    for (unsigned i = 16; i < 19; ++i)
        r.set(i, i);
    CHECK(r.report() == "");
    CHECK(r.units.last_in_count == 5);
    CHECK(r.units.last_in[10] == 18);
    Runner g("samgq.3d (f32)(x)r8.x, r0.x, s#0, t#0");
    g.set(9, 99);
    CHECK(g.report() == "");
    CHECK(g.units.last_in_count == 10);
    CHECK(g.units.last_in[9] == 99);
}

TEST_CASE("ir3 core: samgp0 to samgp3 each sample one lane of every four") {
    Runner r("samgp1.3d (f32)(x)r8.x, r0.x, s#0, t#0");
    r.set(32, 77);
    CHECK(r.report() == "");
    CHECK(r.units.calls == 1);
    CHECK(r.units.last_in_count == 10);
    CHECK(r.units.last_active == LaneMask{{0x2222222222222222, 0}});
    CHECK(r.get(32, 0) == 77);
    CHECK(r.get(32, 1) != 77);
    Runner all(
        "samgp0 (f32)(x)r8.x, r0.x, s#0, t#0\nsamgp1 (f32)(x)r8.x, r0.x, s#0, t#0\n"
        "(sy)samgp2 (f32)(x)r8.x, r0.x, s#0, t#0\n(sy)samgp3 (f32)(x)r8.x, r0.x, s#0, t#0");
    all.set(32, 77);
    CHECK_MESSAGE(all.report() == "", all.report());
    CHECK(all.units.calls == 4);
    for (unsigned lane = 0; lane < 64; ++lane)
        CHECK(all.get(32, lane) != 77);
}

TEST_CASE("ir3 core: a register names the texture, for each lane another one") {
    Runner r("sam.s2en.nonuniform (f32)(x)r2.x, r0.x, hr4.x");
    for (unsigned lane = 0; lane < 64; ++lane)
        (void)r.wave->set({16}, true, lane, lane % 3);
    r.set(17, 6, true);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.units.calls == 3);
    CHECK(r.units.last_sampler == 6);
    CHECK(r.get(8, 2) == 2000);
    CHECK(r.get(8, 4) == 1000);
}

TEST_CASE("ir3 core: a1.x has the texture's number and the sampler's set") {
    Runner r("mova1 a1.x, 42\n(rpt5)nop\nsam.base2 (f32)(x)r2.x, r0.x, s#3, a1.x");
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.units.last_sampler == 3);
    CHECK(r.units.last_sampler_base == 2);
    CHECK(r.get(8) == 5000);
}

TEST_CASE("ir3 core: a unit's refusal is a fault") {
    Runner r("sam (f32)(x)r2.x, r0.x, s#0, t#0");
    r.units.refuse = "there is no texture 0";
    CHECK(r.report() ==
          "shader 0x10000+0x0, lane 0: there is no texture 0 (sam (f32)(x)r2.x, r0.x, s#0, t#0)");
}

TEST_CASE("ir3 core: varyings") {
    Runner r("(rpt1)bary.f (ei)r2.x, (r)3, r0.x\nflat.b r3.x, 5, 5\nbary.f hr8.x, 2, r0.x");
    r.setf(0, 0.5f);
    r.setf(1, 0.25f);
    for (const uint32_t no_planes : {~0u, 0u}) {
        r.units.no_planes = no_planes;
        r.units.calls = r.units.plane_calls = 0;
        CHECK(r.report() == "");
        CHECK(r.getf(8) == 3.625f);
        CHECK(r.getf(9) == 4.625f);
        CHECK(r.getf(12) == 5.0f);
        CHECK(r.get(32, 0, true) == 0x4140);
        // With planes, only flat.b is a message.
        CHECK(r.units.calls == (no_planes ? 3 : 1));
        CHECK(r.units.plane_calls == 2);
    }
}

TEST_CASE("ir3 core: the result of an interpolation may overwrite its weight") {
    for (const uint32_t no_planes : {~0u, 0u}) {
        Runner r("(rpt2)bary.f r0.x, (r)1, r0.x\nbary.f (ei)r63.x, 40, r0.x");
        r.units.no_planes = no_planes;
        r.setf(0, 0.5f);
        r.setf(1, 0.25f);
        CHECK(r.report() == "");
        for (unsigned k = 0; k < 3; ++k)
            CHECK(r.getf(k) == float(k + 1) + 0.625f);
    }
}

TEST_CASE("ir3 core: derivatives, exchanges in a quad") {
    Runner r(
        "dsx (f32)(x)r1.x, r0.x\ndsy (f32)(x)r1.y, r0.x\ndsxpp.1 (x)r1.z, r0.x\ndsxpp.1.p (x)r1.z, r0.x\n"
        "dsypp.1 (x)r1.w, r0.x\ndsypp.1.p (x)r1.w, r0.x\n"
        "quad_shuffle.horiz (u32)(x)r2.x, r0.x\nquad_shuffle.vert (u32)(x)r2.y, r0.x\nquad_shuffle.diag "
        "(u32)(x)r2.z, r0.x\n"
        "quad_shuffle.brcst (u32)(x)r2.w, r0.x, r0.y");
    for (unsigned lane = 0; lane < 64; ++lane)
        (void)r.wave->set({0}, false, lane, std::bit_cast<uint32_t>(float(lane * lane)));
    r.set(1, 2);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.getf(4, 7) == 25 - 16);
    CHECK(r.getf(5, 7) == 36 - 16);
    CHECK(r.getf(6, 7) == 49 - 36);
    CHECK(r.getf(7, 7) == 49 - 25);
    CHECK(r.getf(7, 4) == 36 - 16);
    CHECK(r.getf(8, 6) == 49);
    CHECK(r.getf(9, 6) == 16);
    CHECK(r.getf(10, 6) == 25);
    CHECK(r.getf(11, 5) == 36);
}

TEST_CASE("ir3 core: brcst.active, shfl, getfiberid") {
    Runner r("brcst.active.w8 (u32)(x)r1.x, r0.x\nshfl.xor.u32 r1.y, r0.x, 1\ngetfiberid.u32 r1.z");
    r.set_lanes(0);
    r.set(4, 500);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.get(4, 3) == 500);
    CHECK(r.get(4, 5) == 3);
    CHECK(r.get(4, 12) == 11);
    CHECK(r.get(5, 6) == 7);
    CHECK(r.get(6, 33) == 33);
}

TEST_CASE("ir3 core: global memory") {
    Runner r(
        "stg.u32 g[r2.x+4], r0.x, 1\nstg.a.u32 g[r2.x+(r1.x+1)<<2], r0.x, 1\nldg.u32 r3.x, g[r2.x+4], "
        "2\nldg.u16 hr24.x, g[r2.x+4], 1\nldg.u8 hr24.y, g[r2.x+8], 1");
    r.set_lanes(0);
    r.set(4, 1);  // r1.x: 2 words further
    set_va(r, 8, 16);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.space.data[16 * 5 + 4] == 5);
    CHECK(r.get(12, 9) == 9);
    CHECK(r.get(13, 9) == 9);
    CHECK(r.get(96, 9, true) == 9);
    CHECK(r.get(97, 63, true) == 63);
}

TEST_CASE("ir3 core: helpers read unmapped memory without a fault, and store nothing") {
    Runner r("stg.u32 g[r2.x], r0.x, 1\nldg.u32 r3.x, g[r2.x], 1");
    r.set_lanes(0);
    set_va(r, 8, 16);
    (void)r.wave->set({8}, false, 2, 0xffff0000);
    LaneMask helpers;
    helpers.set(2);
    helpers.set(1);
    CHECK(r.run(nullptr, helpers) == Outcome::Done);
    CHECK(r.space.data[16] == 0);
    CHECK(r.space.data[48] == 3);
    CHECK(r.get(12, 2) == 0);
    CHECK(r.run() == Outcome::Fault);
    CHECK(r.fault.memory);
    CHECK(r.fault.lane == 2);
}

TEST_CASE("ir3 core: local and private memory") {
    Runner r(
        "stl.u32 l[r1.x], r0.x, 1\nldl.u32 r2.x, l[r1.x+4], 1\nstp.u32 p[r3.x+4], r0.x, 1\nldp.u32 r2.y, "
        "p[r3.x+4], 1");
    r.set_lanes(0);
    for (unsigned lane = 0; lane < 64; ++lane)
        (void)r.wave->set({4}, false, lane, 4 * lane);
    r.wave->private_va = TestSpace::kData;
    r.wave->private_B = 16;
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.get(8, 5) == 6);
    CHECK(r.get(9, 5) == 5);
    CHECK(r.space.data[16 * 5 + 4] == 5);
    r.wave->private_B = 4;
    CHECK(r.report().find("private memory at 4 is beyond its 4 bytes") != std::string::npos);
}

TEST_CASE("ir3 core: atomics run lane by lane") {
    Runner r(
        "atomic.add.untyped.1d.u32.1.l r1.x, l[r3.x], r0.y\natomic.g.max.untyped.1d.s32.1.g r1.y, r2.x, "
        "r0.x\n"
        "atomic.cmpxchg.untyped.1d.u32.1.l r1.z, l[r3.y], r0.z");
    r.set_lanes(0);
    r.set(1, 2);
    r.set(13, 8);
    r.set(2, 5);  // the new value
    r.set(3, 0);  // the compared value
    set_va(r, 8, 0);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.get(4, 10) == 20);
    CHECK(r.shared[0] == 128);
    CHECK(r.space.data[0] == 63);
    CHECK(r.get(5, 10) == 9);
    CHECK(r.get(6, 0) == 0);
    CHECK(r.get(6, 1) == 5);
    r.set(12, 2);
    CHECK(r.report().find("an atomic at 2 of 1024 bytes") != std::string::npos);
}

TEST_CASE("ir3 core: the compared value is the last operand of a global atomic") {
    Runner r("atomic.g.cmpxchg.untyped.1d.u32.1.g r1.y, r2.x, r0.x");
    r.set_lanes(0);
    set_va(r, 8, 0);
    const uint32_t old = 7;
    std::memcpy(r.space.data, &old, 4);
    r.set(0, 5);
    r.set(1, 6);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.space.data[0] == 7);
    r.set(1, 7);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.space.data[0] == 5);
    CHECK(r.get(5, 0) == 7);
}

TEST_CASE("ir3 core: uniform buffers and images") {
    Runner r(
        "ldc.offset0.2.imm r1.x, r0.x, 3\nldib.b.typed.2d.f32.4.imm r2.x, r0.x, 1\nstib.b.typed.2d.f32.2.imm "
        "r0.x, r0.z, 1\n(sy)(ss)nop\n"
        "atomic.b.add.typed.1d.u32.1.imm r3.x, r0.x, 1");
    r.set(0, 7);
    CHECK_MESSAGE(r.report() == "", r.report());
    CHECK(r.units.calls == 4);
    CHECK(r.get(4) == 3700);
    CHECK(r.get(5) == 3701);
    CHECK(r.get(11) == 1703);
    CHECK(r.get(12) == 1700);
    Runner k("mova1 a1.x, 8\n(rpt5)nop\nldc.2.k.imm c[a1.x], r0.x, 0\n(sy)mov.u32u32 r1.x, c3.y");
    k.set(0, 2);
    CHECK_MESSAGE(k.report() == "", k.report());
    CHECK(k.get(4) == 301);
}

TEST_CASE("ir3 core: every word runs or is refused") {
    Runner r("nop");
    r.space.code.assign(64, 0);
    uint64_t state = 88172645463325252ull;
    for (unsigned i = 0; i < 20000; ++i) {
        for (uint64_t& word : r.space.code) {
            do {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                word = state;
                if (i & 1) word &= ~(uint64_t(0xff) << 44);  // more of these words are known
                terrazzo::adreno::isa::Instr instr;
                if (isa::decode(word, &instr, nullptr)) break;
            } while (state & 7);
        }
        r.core->turn_limit = 2000;
        const Outcome outcome = r.run();
        const bool told = outcome != Outcome::Fault || !r.fault.reason.empty();
        if (!told) FAIL_CHECK("no reason");
    }
}

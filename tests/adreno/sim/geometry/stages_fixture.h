// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws with a geometry shader, with freedreno's registers: the header is in r0.x, the primitive id in r0.y,
// attribute 0 of the vertex shader in r3.xyzw. The position goes from r1 to location 4, r2 to locations 0 to
// 3, the flags are in r0.z.
#pragma once

#include <random>

#include "tests/adreno/sim/geometry/fixture.h"

namespace terrazzo::adreno::sim::testing {

inline uint32_t word_of(const Wave& wave, unsigned reg, unsigned component, unsigned lane) {
    uint32_t v = 0;
    CHECK(wave.get(isa::reg(reg, component), false, lane, &v));
    return v;
}
inline void put(Wave& wave, unsigned reg, unsigned component, unsigned lane, uint32_t v) {
    CHECK(wave.set(isa::reg(reg, component), false, lane, v));
}
template <class F>
void each_lane(const Wave& wave, F&& f) {
    for (unsigned lane = 0; lane < wave.groups * kGroupLanes; ++lane)
        if (wave.lanes.has(lane)) f(lane);
}

struct Header {
    uint32_t primitive, vertex, invocation, thread;
    explicit Header(uint32_t h)
        : primitive(h & 63), vertex(h >> 6 & 31), invocation(h >> 11 & 31), thread(h >> 16 & 1023) {}
};

/// An ir3 program at the address.
inline void load_program(Fixture& f, uint64_t va, const std::string& text) {
    std::vector<uint64_t> words;
    isa::Error error;
    const bool good = isa::assemble(text, &words, &error);
    INFO(error.reason);
    REQUIRE(good);
    std::memcpy(f.at(va), words.data(), words.size() * 8);
}

/// Changes a few of the written registers, and a few words of code at `code`. The draw then ends with a
/// report, or it is drawn.
inline void change_at_random(Fixture& f, std::mt19937& random, const std::vector<uint16_t>& written,
                             std::initializer_list<uint64_t> code) {
    const auto changed = [&](uint32_t old) {
        return random() % 3 == 0 ? uint32_t(random()) : old ^ 1u << random() % 32;
    };
    for (unsigned n = 1 + random() % 3; n; --n) {
        const uint16_t reg = written[random() % written.size()];
        f.machine.registers.write(reg, changed(f.machine.registers.value(reg)));
    }
    for (const uint64_t va : code) {
        if (random() % 4) continue;
        const uint64_t at = va + random() % 20 * 4;
        f.write_words(at, {changed(f.word(at))});
    }
}
inline std::vector<uint16_t> written_registers(const Registers& r) {
    std::vector<uint16_t> list;
    for (unsigned i = 0; i < Registers::kCount; ++i)
        if (r.is_set(uint16_t(i))) list.push_back(uint16_t(i));
    return list;
}

struct GeometryFixture : Fixture {
    static constexpr uint32_t kVertex_B = 16;  // of local memory
    unsigned corners = 3;

    GeometryFixture() {
        using namespace hw;
        set(VFD_DEST_CNTL_INSTR{.writemask = 15, .regid = 12});
        set(VFD_CONTROL_1{.regid4vtx = 0xfc, .regid4inst = 0xfc, .regid4primid = 1, .regid4viewid = 0xfc});
        set(VFD_CONTROL_5{.regid_gsheader = 0, .unk8 = 0xfc});
        set(SP_GS_CTRL_REG0{.fullregfootprint = 4});
        set(SP_GS_OBJ_START{.value = kOther + 0x1000});
        set(SP_GS_OBJ_FIRST_EXEC_OFFSET{});
        set(SP_GS_INSTRLEN{.value = 1});
        set(SP_GS_CONFIG{.value = {.enabled = true}});
        set(SP_GS_PRIM_SIZE{.value = kVertex_B / 4});
        set(HLSQ_GS_CNTL{.value = {.constlen = 4, .enabled = true}});
        set(SP_GS_PRIMITIVE_CNTL{.value = {.out = 2, .flags_regid = 2}});
        set(SP_GS_OUT{.a_regid = 8, .a_compmask = 15, .b_regid = 4, .b_compmask = 15});
        set(SP_GS_VPC_DST{.outloc0 = 0, .outloc1 = 4});
        set(VPC_GS_PACK{.value = {.stride_in_vpc = 8, .positionloc = 4, .psizeloc = 255}});
        set(PC_GS_OUT_CNTL{.value = {.stride_in_vpc = 8}});
        set(VPC_GS_LAYER_CNTL{.value = {.layerloc = 255, .viewloc = 255, .shadingrateloc = 255}});
        set(VPC_GS_CLIP_CNTL{.value = {.clip_dist_03_loc = 255, .clip_dist_47_loc = 255}});
        set(GRAS_GS_CL_CNTL{});
        set(VPC_CNTL_0{.primidloc = 255, .viewidloc = 255});
        emits(3, 1, TessOutput::TESS_CW_TRIS);
        inputs(3);
        call.initiator.gs_enable = true;
        // The vertex shader stores its attribute at the address in the header.
        programs_of_vertices();
    }
    void inputs(unsigned n) {
        corners = n;
        set(hw::PC_PRIMITIVE_CNTL_6{.stride_in_vpc = n * kVertex_B / 16});
    }
    void emits(unsigned vertices, unsigned invocations, hw::TessOutput output) {
        set(hw::PC_PRIMITIVE_CNTL_5{.value = {.gs_vertices_out = vertices - 1,
                                              .gs_invocations = invocations - 1,
                                              .gs_output = output}});
    }
    void programs_of_vertices() {
        runner.programs[size_t(Stage::Vertex)] = [this](Wave& w) {
            each_lane(w, [&](unsigned lane) {
                const Header h(word_of(w, 0, 0, lane));
                const size_t at = (h.primitive * corners + h.vertex) * kVertex_B;
                REQUIRE(at + kVertex_B <= w.shared.size());
                for (unsigned c = 0; c < 4; ++c) {
                    const uint32_t v = word_of(w, 3, c, lane);
                    std::memcpy(&w.shared[at + 4 * c], &v, 4);
                }
            });
        };
    }
    // The value that the previous stage stored for corner `k` of a lane's primitive.
    uint32_t stored(const Wave& w, const Header& h, unsigned k, unsigned c) const {
        uint32_t v;
        std::memcpy(&v, &w.shared[(h.primitive * corners + k) * kVertex_B + 4 * c], 4);
        return v;
    }
    void geometry(std::function<void(Wave&, unsigned lane, const Header&)> program) {
        runner.programs[size_t(Stage::Geometry)] = [program](Wave& w) {
            w.killed = {};
            each_lane(w, [&](unsigned lane) { program(w, lane, Header(word_of(w, 0, 0, lane))); });
        };
    }
    // Copies corner `thread` of the primitive.
    void pass_on(Wave& w, unsigned lane, const Header& h) {
        for (unsigned c = 0; c < 4; ++c)
            put(w, 1, c, lane, stored(w, h, h.thread, c));
        put(w, 2, 0, lane, word_of(w, 0, 1, lane));
        put(w, 2, 1, lane, h.invocation);
        put(w, 0, 2, lane, h.thread ? 0 : 4);
    }
};

}  // namespace terrazzo::adreno::sim::testing

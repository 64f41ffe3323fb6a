// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A machine whose registers have the values for a plain draw, memory in one array, and vertex shaders in C++.
// The vertex' attribute 0 is in r0.xyzw, the vertex id in r1.x, the instance in r1.y. The position goes from
// r0 to location 4, r2 to locations 0 to 3.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "drivers/adreno/sim/geometry/geometry.h"

namespace terrazzo::adreno::sim::testing {

/// A draw's primitives, in order.
struct DrawnPrimitives {
    VertexOutputs outputs;
    std::vector<DrawnPrimitive> primitives;
};

/// Collects all primitives of a draw.
class Collector final : public PrimitiveSink {
  public:
    explicit Collector(DrawnPrimitives* out) : out_(*out) {}
    bool take(const VertexOutputs& outputs, std::span<const DrawnList> lists, Fault*) override {
        const uint32_t base = outputs.words ? uint32_t(out_.outputs.values.size() / outputs.words) : 0;
        out_.outputs.words = outputs.words;
        out_.outputs.values.insert(out_.outputs.values.end(), outputs.values.begin(), outputs.values.end());
        for (const DrawnList& list : lists)
            for (const DrawnPrimitive& p : list)
                for (uint32_t& vertex : out_.primitives.emplace_back(p).shape.varying)
                    vertex += base;
        return true;
    }

  private:
    DrawnPrimitives& out_;
};
inline bool run_geometry(Machine& machine, WaveRunner& runner, const DrawCall& call, DrawnPrimitives* out,
                         Fault* fault) {
    *out = {};
    Collector collector(out);
    return sim::run_geometry(machine, runner, call, collector, fault);
}

class ArraySpace final : public window::Space {
  public:
    static constexpr uint64_t kBase = 0x100000;
    ArraySpace() : bytes(4u << 20) {}
    window::Mapping find(uint64_t va) override {
        if (va < kBase || va >= kBase + bytes.size()) return {};
        return {kBase, kBase + bytes.size(), bytes.data(), true, true};
    }
    uint64_t epoch() const override { return 0; }
    std::vector<uint8_t> bytes;
};

class TestHost final : public Host {
  public:
    window::Space& space() override { return array; }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return stop; }
    ArraySpace array;
    bool stop = false;
};

class LambdaRunner final : public WaveRunner {
  public:
    bool run(Wave& wave, const StageRun& stage_run, std::string* why) override {
        ++waves;
        for (unsigned lane = 0; lane < wave.groups * kGroupLanes; ++lane)
            lanes += wave.lanes.has(lane);
        if (!error.empty()) {
            *why = error;
            return false;
        }
        const auto& program = programs[size_t(stage_run.stage)];
        if (program)
            program(wave);
        else if (shader)
            shader(wave);
        return true;
    }
    std::function<void(Wave&)> shader;             // runs for every stage
    std::function<void(Wave&)> programs[kStages];  // runs for one stage
    std::string error;
    unsigned waves = 0, lanes = 0;
};

inline uint32_t bits(float v) {
    return std::bit_cast<uint32_t>(v);
}

struct Fixture {
    static constexpr uint64_t kVertices = ArraySpace::kBase, kIndices = kVertices + 0x100000,
                              kStreams = kVertices + 0x200000, kOther = kVertices + 0x300000;
    TestHost host;
    Machine machine;
    LambdaRunner runner;
    DrawCall call;
    DrawnPrimitives out;
    Fault fault;

    explicit Fixture(const char* chip = "adreno-630") : machine(*hw::find_chip(chip), host, 1) {
        using namespace hw;
        set(PC_PRIMITIVE_CNTL_0{.value = {.provoking_vtx_last = true}});
        set(PC_RESTART_INDEX{.value = 0xffff});
        set(PC_RASTER_CNTL{});
        set(PC_POLYGON_MODE{.mode = PolygonMode::POLYMODE6_TRIANGLES});
        set(VFD_CONTROL_0{.fetch_cnt = 1, .decode_cnt = 1});
        set(VFD_CONTROL_1{.regid4vtx = 4, .regid4inst = 5, .regid4primid = 0xfc, .regid4viewid = 0xfc});
        set(VFD_ADD_OFFSET{.vertex = true});
        set(VFD_INDEX_OFFSET{});
        set(VFD_INSTANCE_START_OFFSET{});
        set(VFD_FETCH_BASE{.value = kVertices});
        set(VFD_FETCH_SIZE{.value = 0x100000});
        set(VFD_FETCH_STRIDE{.value = 16});
        set(VFD_DECODE_INSTR{.format = Format::FMT6_32_32_32_32_FLOAT, .unk30 = true, .float_ = true});
        set(VFD_DECODE_STEP_RATE{.value = 1});
        set(VFD_DEST_CNTL_INSTR{.writemask = 15, .regid = 0});
        set(SP_VS_CTRL_REG0{.halfregfootprint = 0, .fullregfootprint = 4, .mergedregs = true});
        set(SP_VS_OBJ_START{.value = kOther});
        set(SP_VS_OBJ_FIRST_EXEC_OFFSET{});
        set(SP_VS_INSTRLEN{.value = 1});
        set(SP_VS_PVT_MEM_PARAM{});
        set(SP_VS_PVT_MEM_ADDR{});
        set(SP_VS_PVT_MEM_SIZE{});
        set(HLSQ_VS_CNTL{.value = {.constlen = 4, .enabled = true}});
        set(SP_VS_PRIMITIVE_CNTL{.value = {.out = 2}});
        set(SP_VS_OUT{.a_regid = 8, .a_compmask = 15, .b_regid = 0, .b_compmask = 15});
        set(SP_VS_VPC_DST{.outloc0 = 0, .outloc1 = 4});
        pack_stride(8);
        set(VPC_VS_LAYER_CNTL{.value = {.layerloc = 255, .viewloc = 255, .shadingrateloc = 255}});
        set(VPC_VS_CLIP_CNTL{.value = {.clip_dist_03_loc = 255, .clip_dist_47_loc = 255}});
        set(GRAS_VS_CL_CNTL{});
        set(GRAS_CL_CNTL{});
        set(GRAS_SU_CNTL{.linehalfwidth = 0.5f});
        set(GRAS_SU_POINT_MINMAX{.min = 1, .max = 100});
        set(GRAS_SU_POINT_SIZE{.value = 3});
        set_view(0, 64, 64);
        set(GRAS_SC_WINDOW_SCISSOR_TL{});
        set(GRAS_SC_WINDOW_SCISSOR_BR{.value = {.x = 63, .y = 63}});
        call.initiator.source_select = SourceSelect::DI_SRC_SEL_AUTO_INDEX;
        call.initiator.prim_type = PrimType::DI_PT_TRILIST;
        call.max_indices = 1000;
        call.indices_va = kIndices;
    }

    void pack_stride(uint32_t stride, uint32_t size_location = 255) {
        set(hw::VPC_VS_PACK{.value = {.stride_in_vpc = stride, .positionloc = 4, .psizeloc = size_location}});
        set(hw::PC_VS_OUT_CNTL{.value = {.stride_in_vpc = stride}});
    }
    // The viewport goes from (0, 0) to (w, h); depth stays as in clip space, from -1 to 1.
    void set_view(unsigned i, float w, float h) {
        using namespace hw;
        set(GRAS_CL_VPORT_XOFFSET{.value = w / 2}, i);
        set(GRAS_CL_VPORT_XSCALE{.value = w / 2}, i);
        set(GRAS_CL_VPORT_YOFFSET{.value = h / 2}, i);
        set(GRAS_CL_VPORT_YSCALE{.value = h / 2}, i);
        set(GRAS_CL_VPORT_ZOFFSET{.value = 0.5f}, i);
        set(GRAS_CL_VPORT_ZSCALE{.value = 0.5f}, i);
        const ScissorXy last{.x = uint32_t(w) - 1, .y = uint32_t(h) - 1};
        set(GRAS_SC_SCREEN_SCISSOR_TL{}, i);
        set(GRAS_SC_SCREEN_SCISSOR_BR{.value = last}, i);
        set(GRAS_SC_VIEWPORT_SCISSOR_TL{}, i);
        set(GRAS_SC_VIEWPORT_SCISSOR_BR{.value = last}, i);
    }
    template <class R>
    void set(const R& r, unsigned i = 0) {
        uint32_t words[R::kSize_dw];
        pack(r, words);
        for (unsigned w = 0; w < R::kSize_dw; ++w)
            machine.registers.write(uint16_t(R::at(i) + w), words[w]);
    }
    uint8_t* at(uint64_t va) { return &host.array.bytes[va - ArraySpace::kBase]; }
    void write_words(uint64_t va, const std::vector<uint32_t>& words) {
        std::memcpy(at(va), words.data(), words.size() * 4);
    }
    void vertices(const std::vector<float>& xyzw) {
        std::memcpy(at(kVertices), xyzw.data(), xyzw.size() * 4);
        call.count = uint32_t(xyzw.size() / 4);
    }
    void indices(const std::vector<uint16_t>& list) {
        std::memcpy(at(kIndices), list.data(), list.size() * 2);
        call.initiator.source_select = hw::SourceSelect::DI_SRC_SEL_DMA;
        call.initiator.index_size = hw::IndexSize::INDEX4_SIZE_16_BIT;
        call.count = uint32_t(list.size());
        call.max_indices = call.count;
    }
    uint32_t word(uint64_t va) {
        uint32_t v;
        std::memcpy(&v, at(va), 4);
        return v;
    }
    bool run() { return run_geometry(machine, runner, call, &out, &fault); }
    void must_run() {
        const bool good = run();
        INFO(fault.report);
        REQUIRE(good);
    }
    // The report "draw 0: ..." of a failing draw.
    std::string report() {
        CHECK(!run());
        return fault.report;
    }
};

}  // namespace terrazzo::adreno::sim::testing

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A machine whose registers have freedreno's values for a dispatch of an assembled shader with one storage
// buffer.
#pragma once

#include <doctest/doctest.h>

#include "drivers/adreno/sim/compute/compute.h"
#include "tests/adreno/sim/texture/fixture.h"

namespace terrazzo::adreno::test {

inline constexpr uint64_t kCode_va = 0x10000;

/// The code is executable, the rest is data.
struct CodeSpace : ArraySpace {
    std::vector<uint64_t> code;
    window::Mapping find(uint64_t va) override {
        const uint64_t code_B = code.size() * 8;
        if (va >= kCode_va && va - kCode_va < code_B)
            return {kCode_va, kCode_va + code_B, reinterpret_cast<uint8_t*>(code.data()), false, true};
        return ArraySpace::find(va);
    }
};
struct ComputeHost : sim::Host {
    CodeSpace memory;
    bool stops = false;
    window::Space& space() override { return memory; }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return stops; }
};

struct Compute {
    static constexpr uint64_t kBuffer_va = 0x100000000ull;
    static constexpr uint32_t kBuffer_dw = 4096;
    ComputeHost host;
    sim::Machine machine;
    sim::ComputeShaders shaders{machine};
    sim::Fault fault;
    uint8_t* buffer = host.memory.map(kBuffer_va, kBuffer_dw * 4);

    template <class R>
    void set(const R& r) {
        uint32_t words[R::kSize_dw];
        hw::pack(r, words);
        for (unsigned w = 0; w < R::kSize_dw; ++w)
            machine.registers.write(uint16_t(R::kRegister + w), words[w]);
    }
    /// `text`: the shader; x, y, z: the size of workgroups.
    Compute(const char* text, uint32_t x, uint32_t y, uint32_t z, unsigned threads = 1)
        : machine(chip(), host, threads) {
        isa::Error error;
        const bool good = isa::assemble(text, &host.memory.code, &error);
        INFO(std::string(error.reason));
        REQUIRE(good);
        set(hw::HLSQ_CS_CNTL{.value = {.constlen = 8, .enabled = true}});
        set(hw::HLSQ_CS_CNTL_0{
            .wgidconstid = 48 * 4, .wgsizeconstid = 0xfc, .wgoffsetconstid = 0xfc, .localidregid = 0});
        set(hw::HLSQ_CS_CNTL_1{.linearlocalidregid = 0xfc});
        hw::SP_CS_CTRL_REG0 control;
        control.fullregfootprint = 8;
        control.halfregfootprint = 8;
        control.mergedregs = true;
        set(control);
        set(hw::SP_CS_CTRL_REG1{.shared_size = 1});
        set(hw::SP_CS_OBJ_START{.value = kCode_va});
        set(hw::SP_CS_OBJ_FIRST_EXEC_OFFSET{});
        set(hw::SP_CS_PVT_MEM_PARAM{});
        set(hw::SP_CS_PVT_MEM_ADDR{});
        set(hw::HLSQ_CS_NDRANGE_0{
            .kerneldim = 3, .localsizex = x - 1, .localsizey = y - 1, .localsizez = z - 1});
        hw::TexConst d;
        d.type = hw::TexType::A6XX_TEX_BUFFER;
        d.fmt = hw::Format::FMT6_32_UINT;
        d.width = kBuffer_dw;
        d.structsizetexels = 1;
        d.base = kBuffer_va;
        sim::StageState& stage = machine.stages[unsigned(sim::Stage::Compute)];
        stage.images.assign(hw::TexConst::kSize_dw, 0);
        hw::pack(d, stage.images.data());
        stage.constants = {x, x * y, x * y * z, 64};
    }
    bool run(uint32_t x, uint32_t y = 1, uint32_t z = 1) {
        return shaders.dispatch({.groups = {x, y, z}, .number = 7}, &fault);
    }
    uint32_t word(uint32_t i) const {
        uint32_t v;
        std::memcpy(&v, buffer + 4 * i, 4);
        return v;
    }
};

}  // namespace terrazzo::adreno::test

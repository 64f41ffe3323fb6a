// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, src/gallium/drivers/freedreno/a6xx/fd6_program.cc,
// src/freedreno/ir3/ir3_compiler_nir.c (collect_tex_prefetches: bindless commands have the tables' numbers in
// the place of the texture's).
#include "drivers/adreno/sim/texture/prefetch.h"

#include <algorithm>

namespace terrazzo::adreno::sim {

namespace {

// By TexPrefetchCmd; kNop: none.
constexpr isa::Op kSampleOps[] = {isa::Op::kNop,      isa::Op::kSam,      isa::Op::kGather4r,
                                  isa::Op::kGather4g, isa::Op::kGather4b, isa::Op::kGather4a};

}  // namespace

bool TexturePrefetch::init(const Machine& machine, Fault* fault) {
    count_ = 0;
    const Registers& registers = machine.registers;
    if (!registers.is_set(hw::SP_FS_PREFETCH_CNTL::kRegister)) return true;
    const uint32_t count = registers.get<hw::SP_FS_PREFETCH_CNTL>().count;
    if (count > kMaxCommands) return fail(fault, "SP_FS_PREFETCH_CNTL: ", count, " commands");
    for (unsigned n = 0; n < count; ++n) {
        hw::SP_FS_PREFETCH_CMD cmd;
        if (!registers.require(&cmd, fault, n)) return false;
        Command& c = commands_[n];
        const isa::Op op =
            unsigned(cmd.cmd) < std::size(kSampleOps) ? kSampleOps[unsigned(cmd.cmd)] : isa::Op::kNop;
        if (op == isa::Op::kNop)
            return fail(fault, "SP_FS_PREFETCH_CMD[", n, "]: command ", unsigned(cmd.cmd), " has no meaning");
        c.location = cmd.src;
        c.half = cmd.half;
        c.bindless = cmd.bindless;
        c.texture = cmd.tex_id;
        c.sampler = cmd.samp_id;
        if (cmd.bindless) {
            hw::SP_FS_BINDLESS_PREFETCH_CMD ids;
            if (!registers.require(&ids, fault, n)) return false;
            c.base = cmd.tex_id;
            c.texture = ids.tex_id;
            c.sampler = ids.samp_id;
        }
        c.interpolate = isa::make(isa::Op::kBaryF);
        c.interpolate.set_repeat(1);
        c.sample = isa::make(op);
        c.sample.set_type(cmd.half ? isa::Type::kF16 : isa::Type::kF32);
        c.sample.set_write_mask(cmd.wrmask);
        c.sample.dst[0] = {isa::Reg{uint8_t(cmd.dst)}, cmd.half, false};
    }
    count_ = count;
    return true;
}

bool TexturePrefetch::run(Units& units, Wave& wave, window::Window& memory, const PixelWeights& weights,
                          std::string* why) const {
    for (unsigned n = 0; n < count_; ++n) {
        const Command& c = commands_[n];
        UnitCall varying(c.interpolate, wave, wave.lanes, memory);
        UnitCall sample(c.sample, wave, wave.lanes, memory);
        for (unsigned g = 0; g < wave.groups; ++g) {
            varying.in[0][g] = wave::splat(c.location);
            varying.in[1][g] = weights.i[g];
            varying.in[2][g] = weights.j[g];
        }
        varying.in_count = 3;
        if (!units.varying(varying, why)) return false;
        for (unsigned k = 0; k < 2; ++k)
            std::copy_n(varying.out[k], wave.groups, sample.in[k]);
        sample.in_count = 2;
        sample.bindless = c.bindless;
        sample.base = c.base;
        sample.texture = c.texture;
        sample.sampler = c.sampler;
        if (!units.texture(sample, why)) return false;
        for (unsigned component = 0; component < 4; ++component) {
            if (!(c.sample.write_mask() >> component & 1)) continue;
            const isa::Reg reg{uint8_t(c.sample.dst[0].reg.index + component)};
            wave.comes_by_sy(reg, c.half);
            for (unsigned g = 0; g < wave.groups; ++g)
                if (!wave.set_group(reg, c.half, g, sample.out[component][g]))
                    return refuse(why, "a prefetch to register ", reg.index, " in fours");
        }
    }
    return true;
}

}  // namespace terrazzo::adreno::sim

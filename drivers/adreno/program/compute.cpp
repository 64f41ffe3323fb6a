// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_compute.cc, fd6_program.cc; captured streams.
#include <algorithm>

#include "drivers/adreno/program/pack.h"

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kSharedUnit_B = 1024;

hw::ConstRamMode const_ram(uint32_t constlen) {
    return constlen > 256   ? hw::ConstRamMode::CONSTLEN_512
           : constlen > 192 ? hw::ConstRamMode::CONSTLEN_256
           : constlen > 128 ? hw::ConstRamMode::CONSTLEN_192
                            : hw::ConstRamMode::CONSTLEN_128;
}

/// Waves of 128, unless 64 lanes are enough for a workgroup.
hw::Threadsize wave_size(const compiler::Info& info, const hw::Chip& chip) {
    const uint32_t invocations = info.workgroup_size[0] * info.workgroup_size[1] * info.workgroup_size[2];
    return invocations > hw::Chip::kThreadsize && runs_double(info, chip) ? hw::Threadsize::THREAD128
                                                                          : hw::Threadsize::THREAD64;
}

void pack_ids(const compiler::Info& info, const hw::Chip& chip, hw::Threadsize threads, ProgramWords* out) {
    const compiler::SystemValues& s = info.system;
    out->write(hw::HLSQ_CS_CNTL_0{.wgidconstid = s.workgroup_id,
                                  .wgsizeconstid = compiler::kNoRegister,
                                  .wgoffsetconstid = compiler::kNoRegister,
                                  .localidregid = s.local_id},
               hw::HLSQ_CS_CNTL_1{.linearlocalidregid = compiler::kNoRegister, .threadsize = threads});
    if (!chip.generation.has_lpac) return;
    out->write(hw::SP_CS_CNTL_0{.wgidconstid = s.workgroup_id,
                                .wgsizeconstid = compiler::kNoRegister,
                                .wgoffsetconstid = compiler::kNoRegister,
                                .localidregid = s.local_id},
               hw::SP_CS_CNTL_1{.linearlocalidregid = compiler::kNoRegister, .threadsize = threads});
}

void pack_memory(const compiler::Info& info, const hw::Chip& chip, ProgramWords* out) {
    // At least two units, as in freedreno.
    const uint32_t units = std::max((info.shared_B + kSharedUnit_B - 1) / kSharedUnit_B, 2u);
    const hw::ConstRamMode mode = const_ram(constlen(info));
    out->write(hw::SP_CS_CTRL_REG1{.shared_size = units - 1, .constantrammode = mode});
    if (chip.generation.has_lpac)
        out->write(hw::HLSQ_CS_CTRL_REG1{.shared_size = units - 1, .constantrammode = mode});
}

}  // namespace

void pack_compute(const hw::Chip& chip, const AdrenoProgram& p, ProgramWords* out) {
    const StageCode& code = p.stage(pipe::Stage::Compute);
    const compiler::Info& info = code.info;
    const PrivateMemory own = info.private_B ? p.private_memory : PrivateMemory();
    const hw::Threadsize threads = wave_size(info, chip);
    out->write(kInvalidatePrograms, hw::HLSQ_CS_CNTL{{.constlen = constlen(info), .enabled = true}},
               hw::SP_CS_CONFIG{stage_config(info)});
    pack_ids(info, chip, threads, out);
    out->write(hw::SP_CS_CTRL_REG0{.fullregfootprint = info.full_registers,
                                   .branchstack = branch_stack(info),
                                   .threadsize = threads,
                                   .mergedregs = true},
               hw::SP_CS_OBJ_FIRST_EXEC_OFFSET{}, hw::SP_CS_OBJ_START{code.va()},
               hw::SP_CS_PVT_MEM_PARAM{{.memsizeperitem = own.fiber_B}}, hw::SP_CS_PVT_MEM_ADDR{own.va()},
               hw::SP_CS_PVT_MEM_SIZE{{.totalpvtmemsize = own.processor_B}},
               hw::SP_CS_INSTRLEN{code.instrlen},
               hw::SP_CS_PVT_MEM_HW_STACK_OFFSET{{.offset = own.processor_B}});
    pack_memory(info, chip, out);
    // The instruction cache is prefetched beyond the end of this code, as far as the fragment shader's length
    // says (Mesa's merge request 19023).
    if (code.instrlen > chip.generation.instr_cache_128B) out->write(hw::SP_FS_INSTRLEN{code.instrlen});
    load_code(code, pipe::Stage::Compute, chip, out);
    load_immediates(code, pipe::Stage::Compute, out);
    out->write(hw::HLSQ_CS_NDRANGE_0{.kerneldim = 3,
                                     .localsizex = info.workgroup_size[0] - 1,
                                     .localsizey = info.workgroup_size[1] - 1,
                                     .localsizez = info.workgroup_size[2] - 1});
    out->write(hw::HLSQ_CS_KERNEL_GROUP_X{1}, hw::HLSQ_CS_KERNEL_GROUP_Y{1}, hw::HLSQ_CS_KERNEL_GROUP_Z{1});
}

}  // namespace terrazzo::adreno

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Packs a stage's uniforms and parameters as words.
#include <algorithm>
#include <cstring>

#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/program/program.h"
#include "drivers/common/program/uniform_runs.h"
#include "pipe/raster/sample_positions.h"
#include "winsys/trap.h"

namespace terrazzo::adreno {
namespace {

uint32_t value_of(compiler::Param p, const ParamValues& v) {
    using compiler::Param;
    switch (p) {
        case Param::BaseVertex:
            return v.base_vertex;
        case Param::BaseInstance:
            return v.base_instance;
        case Param::DrawId:
            return v.draw_id;
        case Param::NumWorkGroupsX:
        case Param::NumWorkGroupsY:
        case Param::NumWorkGroupsZ:
            return v.groups[unsigned(p) - unsigned(Param::NumWorkGroupsX)];
        case Param::NumSamples:
            return v.samples;
        case Param::SamplePositionsX:
            return pipe::raster::packed_sample_positions(v.samples, 0);
        case Param::SamplePositionsY:
            return pipe::raster::packed_sample_positions(v.samples, 1);
        case Param::PatchVertices:
            return v.patch_vertices;
        case Param::PatchRecordsLow:
            return uint32_t(v.patches.records_va);
        case Param::PatchRecordsHigh:
            return uint32_t(v.patches.records_va >> 32);
        case Param::PatchRowsLow:
            return uint32_t(v.patches.rows_va);
        case Param::PatchRowsHigh:
            return uint32_t(v.patches.rows_va >> 32);
        case Param::TessFactorsLow:
            return uint32_t(v.patches.factors_va);
        case Param::TessFactorsHigh:
            return uint32_t(v.patches.factors_va >> 32);
    }
    winsys::unreachable();
}

}  // namespace

uint32_t params_size_dw(const StageCode& code) {
    const size_t count = code.info.constants.params.size();
    return count ? kLoadState_dw + uint32_t((count + 3) & ~size_t(3)) : 0;
}

uint32_t* put_params(uint32_t* out, pipe::Stage stage, const StageCode& code, const ParamValues& values) {
    const compiler::ConstLayout& c = code.info.constants;
    const auto vec4s = uint32_t((c.params.size() + 3) / 4);
    out = put_constants_header(out, stage, c.params_at_dw / 4, vec4s);
    for (size_t i = 0; i < c.params.size(); ++i)
        out[i] = value_of(c.params[i], values);
    return std::fill_n(out + c.params.size(), vec4s * 4 - c.params.size(), 0u);
}

uint32_t uniforms_size_dw(const StageCode& code) {
    const compiler::ConstLayout& c = code.info.constants;
    uint32_t size_dw = c.uniforms_dw ? kLoadState_dw + ((c.uniforms_dw + 3) & ~3u) : 0;
    if (code.info.reads_default_block) size_dw += kLoadState_dw + hw::Ubo::kSize_dw;
    return size_dw;
}

uint32_t* put_uniforms(uint32_t* out, pipe::Stage stage, const StageCode& code,
                       std::span<const uint32_t> uniforms, uint64_t default_block_va) {
    const compiler::ConstLayout& c = code.info.constants;
    if (c.uniforms_dw) {
        const uint32_t vec4s = (c.uniforms_dw + 3) / 4;
        out = put_constants_header(out, stage, 0, vec4s);
        out = programs::put_padded(out, uniforms.first(std::min<size_t>(uniforms.size(), c.uniforms_dw)),
                                   vec4s * 4);
    }
    if (code.info.reads_default_block) {
        uint32_t words[hw::Ubo::kSize_dw];
        pack(uniform_buffer(default_block_va, uint64_t(code.uniform_dw) * 4), words);
        out = put_load_state(out, stage,
                             {.dst_off = compiler::kDefaultBlock,
                              .state_type = hw::StateType::ST6_UBO,
                              .state_src = hw::StateSrc::SS6_DIRECT,
                              .state_block = shader_block(stage),
                              .num_unit = 1},
                             words);
    }
    return out;
}

}  // namespace terrazzo::adreno

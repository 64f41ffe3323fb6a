// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CP_LOAD_STATE6: constants, uniform buffers, samplers, textures, code, in a packet or from memory.
#pragma once

#include <algorithm>
#include <span>

#include "drivers/adreno/submission/registers.h"

namespace terrazzo::adreno {

/// The stages that draws have.
enum class DrawStage : uint8_t { Vertex, Fragment };

constexpr hw::StateBlock shader_block(DrawStage s) {
    return s == DrawStage::Vertex ? hw::StateBlock::SB6_VS_SHADER : hw::StateBlock::SB6_FS_SHADER;
}
constexpr hw::StateBlock texture_block(DrawStage s) {
    return s == DrawStage::Vertex ? hw::StateBlock::SB6_VS_TEX : hw::StateBlock::SB6_FS_TEX;
}

inline constexpr uint32_t kLoadState_dw = 4;  // without what is in the packet

/// `data`: of SS6_DIRECT, whole units. Behind the last word.
inline uint32_t* put_load_state(uint32_t* out, DrawStage stage, const hw::LoadState& load,
                                std::span<const uint32_t> data = {}) {
    const auto opcode =
        stage == DrawStage::Vertex ? hw::Pm4Opcode::CP_LOAD_STATE6_GEOM : hw::Pm4Opcode::CP_LOAD_STATE6_FRAG;
    *out++ = hw::pack_type7(opcode, hw::LoadState::kSize_dw + uint32_t(data.size()));
    pack(load, out);
    out += hw::LoadState::kSize_dw;
    return std::copy(data.begin(), data.end(), out);
}

/// Header and first words of constants that the caller writes behind them: `vec4s` registers from `first_vec4` on.
inline uint32_t* put_constants_header(uint32_t* out, DrawStage stage, uint32_t first_vec4, uint32_t vec4s) {
    const auto opcode =
        stage == DrawStage::Vertex ? hw::Pm4Opcode::CP_LOAD_STATE6_GEOM : hw::Pm4Opcode::CP_LOAD_STATE6_FRAG;
    *out++ = hw::pack_type7(opcode, hw::LoadState::kSize_dw + 4 * vec4s);
    pack(hw::LoadState{.dst_off = first_vec4,
                       .state_type = hw::StateType::ST6_CONSTANTS,
                       .state_src = hw::StateSrc::SS6_DIRECT,
                       .state_block = shader_block(stage),
                       .num_unit = vec4s},
         out);
    return out + hw::LoadState::kSize_dw;
}

}  // namespace terrazzo::adreno

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What CP_LOAD_STATE6* loads, by the combination of block and type. Source: Mesa 25.0.7,
// src/freedreno/decode/cffdec.c.
#pragma once

#include <cstdint>

#include "drivers/adreno/hw/structs.h"

namespace terrazzo::adreno::hw {

enum class StateKind : uint8_t { Unknown, Code, Constants, Samplers, Textures, UniformBuffers, Images };

constexpr StateKind state_kind(const LoadState& load) {
    switch (load.state_block) {
        case StateBlock::SB6_VS_TEX:
        case StateBlock::SB6_HS_TEX:
        case StateBlock::SB6_DS_TEX:
        case StateBlock::SB6_GS_TEX:
        case StateBlock::SB6_FS_TEX:
        case StateBlock::SB6_CS_TEX:
            if (load.state_type == StateType::ST6_SHADER) return StateKind::Samplers;
            if (load.state_type == StateType::ST6_CONSTANTS) return StateKind::Textures;
            return load.state_type == StateType::ST6_UBO ? StateKind::UniformBuffers : StateKind::Unknown;
        case StateBlock::SB6_VS_SHADER:
        case StateBlock::SB6_HS_SHADER:
        case StateBlock::SB6_DS_SHADER:
        case StateBlock::SB6_GS_SHADER:
        case StateBlock::SB6_FS_SHADER:
        case StateBlock::SB6_CS_SHADER:
            if (load.state_type == StateType::ST6_SHADER) return StateKind::Code;
            if (load.state_type == StateType::ST6_CONSTANTS) return StateKind::Constants;
            return load.state_type == StateType::ST6_UBO ? StateKind::UniformBuffers : StateKind::Images;
        case StateBlock::SB6_IBO:
        case StateBlock::SB6_CS_IBO:
            return StateKind::Images;
    }
    return StateKind::Unknown;
}

/// Words per unit of LoadState::num_unit.
constexpr unsigned state_unit_dw(StateKind kind) {
    switch (kind) {
        case StateKind::Unknown:
            return 1;
        case StateKind::Code:
            return 32;
        case StateKind::Constants:
            return 4;
        case StateKind::Samplers:
            return TexSamp::kSize_dw;
        case StateKind::Textures:
        case StateKind::Images:
            return TexConst::kSize_dw;
        case StateKind::UniformBuffers:
            return Ubo::kSize_dw;
    }
    return 1;
}

/// Words per descriptor of a bindless table, of any kind.
inline constexpr unsigned kBindlessDescriptor_dw = 16;

}  // namespace terrazzo::adreno::hw

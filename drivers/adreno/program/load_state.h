// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CP_LOAD_STATE6: loads constants, uniform buffers, samplers, textures and code, from the packet or from
// memory.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "drivers/adreno/stream/registers.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// The stages of draws.
inline constexpr pipe::Stage kDrawStages[] = {pipe::Stage::Vertex, pipe::Stage::TessControl,
                                              pipe::Stage::TessEval, pipe::Stage::Geometry,
                                              pipe::Stage::Fragment};

// The enumerators of stages' blocks are in the order of pipe::Stage.
constexpr hw::StateBlock texture_block(pipe::Stage s) {
    static_assert(unsigned(hw::StateBlock::SB6_HS_TEX) == unsigned(pipe::Stage::TessControl) &&
                  unsigned(hw::StateBlock::SB6_DS_TEX) == unsigned(pipe::Stage::TessEval) &&
                  unsigned(hw::StateBlock::SB6_FS_TEX) == unsigned(pipe::Stage::Fragment) &&
                  unsigned(hw::StateBlock::SB6_CS_TEX) == unsigned(pipe::Stage::Compute));
    return hw::StateBlock(unsigned(hw::StateBlock::SB6_VS_TEX) + unsigned(s));
}
constexpr hw::StateBlock shader_block(pipe::Stage s) {
    static_assert(unsigned(hw::StateBlock::SB6_CS_SHADER) - unsigned(hw::StateBlock::SB6_VS_SHADER) ==
                  unsigned(pipe::Stage::Compute));
    return hw::StateBlock(unsigned(hw::StateBlock::SB6_VS_SHADER) + unsigned(s));
}
constexpr hw::Pm4Opcode load_opcode(pipe::Stage s) {
    return s < pipe::Stage::Fragment ? hw::Pm4Opcode::CP_LOAD_STATE6_GEOM
                                     : hw::Pm4Opcode::CP_LOAD_STATE6_FRAG;
}

/// Invalidates all state that the HLSQ keeps from earlier programs.
inline constexpr hw::HLSQ_INVALIDATE_CMD kInvalidatePrograms{.vs_state = true,
                                                             .hs_state = true,
                                                             .ds_state = true,
                                                             .gs_state = true,
                                                             .fs_state = true,
                                                             .cs_state = true,
                                                             .cs_ibo = true,
                                                             .gfx_ibo = true};

inline constexpr uint32_t kLoadState_dw = 4;  // without data in the packet

/// `data`: whole units, for SS6_DIRECT. Returns the address after the last word.
inline uint32_t* put_load_state(uint32_t* out, pipe::Stage stage, const hw::LoadState& load,
                                std::span<const uint32_t> data = {}) {
    *out++ = hw::pack_type7(load_opcode(stage), hw::LoadState::kSize_dw + uint32_t(data.size()));
    pack(load, out);
    out += hw::LoadState::kSize_dw;
    return std::copy(data.begin(), data.end(), out);
}

/// A uniform buffer. The hardware's size is in vec4s: if the size is not a multiple of 16, shaders can read
/// up to 12 bytes after it (they belong to the buffer, or are the zeros that fill its last page).
inline hw::Ubo uniform_buffer(uint64_t va, uint64_t size_B) {
    constexpr uint64_t kMost_vec4 = (1 << 15) - 1;
    return {.base = va, .size = uint32_t(std::min((size_B + 15) / 16, kMost_vec4))};
}

/// Writes the header of constants: `vec4s` registers from `first_vec4` on. Returns the address where the
/// caller writes them.
inline uint32_t* put_constants_header(uint32_t* out, pipe::Stage stage, uint32_t first_vec4, uint32_t vec4s) {
    *out++ = hw::pack_type7(load_opcode(stage), hw::LoadState::kSize_dw + 4 * vec4s);
    pack(hw::LoadState{.dst_off = first_vec4,
                       .state_type = hw::StateType::ST6_CONSTANTS,
                       .state_src = hw::StateSrc::SS6_DIRECT,
                       .state_block = shader_block(stage),
                       .num_unit = vec4s},
         out);
    return out + hw::LoadState::kSize_dw;
}

}  // namespace terrazzo::adreno

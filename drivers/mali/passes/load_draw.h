// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The draws that load the contents of attachments into the tile buffer, before the draws of a frame.
#pragma once

#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/submission/recorder.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// A source image with the attachment's format (LoadKey::other).
struct LoadBox {
    pipe::Attachment from;
    LoadUniforms place;
};

/// The number of tables of internal shaders, up to compiler::Table::Textures.
inline constexpr unsigned kTexelTables = 5;
/// Fills memory at `cpu` and `va`: the tables, then at kTexelSamplerAt_B a sampler that reads texels by their
/// numbers. The caller writes `count` textures at kTexelTexturesAt_B.
inline constexpr uint32_t kTexelSamplerAt_B = 128, kTexelTexturesAt_B = 160;
void put_texel_tables(uint8_t* cpu, uint64_t va, uint32_t count);

/// Writes the draws that load the attachments named by `load`. `box`: for LoadKey::other, with a single
/// attachment. Returns FramebufferParameters::frame_shader_dcds: the first draw loads colours, the second one
/// depth and stencil. 0: there is nothing to load. Throws std::bad_alloc.
[[nodiscard]] uint64_t write_load_shaders(Recorder& recorder, InternalShaders& shaders,
                                          const pipe::RenderPassDesc& pass, uint32_t target_count,
                                          const LoadKey& load, const LoadBox* box = nullptr);

}  // namespace terrazzo::mali

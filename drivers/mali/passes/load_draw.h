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

/// Writes the draws that load the attachments named by `load`. `box`: for LoadKey::other, with a single
/// attachment. Returns FramebufferParameters::frame_shader_dcds: the first draw loads colours, the second one
/// depth and stencil. 0: there is nothing to load. Throws std::bad_alloc.
[[nodiscard]] uint64_t write_load_shaders(Recorder& recorder, InternalShaders& shaders,
                                          const pipe::RenderPassDesc& pass, uint32_t target_count,
                                          const LoadKey& load, const LoadBox* box = nullptr);

}  // namespace terrazzo::mali

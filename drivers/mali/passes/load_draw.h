// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The draws that bring what attachments hold into the tile buffer, before the draws of a frame.
#pragma once

#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/submission/recorder.h"
#include "pipe/state.h"

namespace terrazzo::mali {

/// Pixels come from another image (LoadKey::other), which has the attachment's format.
struct LoadBox {
    pipe::Attachment from;
    LoadUniforms place;
};

/// What `load` names of the pass' attachments. `box`: with LoadKey::other; of one attachment. Returns
/// FramebufferParameters::frame_shader_dcds: the first draw loads colours, the second depth and stencil; 0:
/// nothing to load. Throws std::bad_alloc.
[[nodiscard]] uint64_t write_load_shaders(Recorder& recorder, InternalShaders& shaders,
                                          const pipe::RenderPassDesc& pass, uint32_t target_count,
                                          const LoadKey& load, const LoadBox* box = nullptr);

}  // namespace terrazzo::mali

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending. An object has the stream for the common case: one target, which has alpha, and all samples. Others are packed when a
// draw needs them.
#pragma once

#include "drivers/adreno/submission/draw_state.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// What blending depends on beside its state.
struct BlendTargets {
    uint32_t count = 1;
    uint32_t without_alpha = 0;  // bit a target: destination alpha is 1
    uint32_t sample_mask = 0xffff;
    bool no_second = false;  // a second colour is asked for, but the program writes none: it counts as 0
    bool operator==(const BlendTargets&) const = default;
};

inline constexpr uint32_t kMostBlendWords = 3 * pipe::kMaxColorTargets + 6;

class AdrenoBlend final : public pipe::BlendState {
  public:
    AdrenoBlend(Device& device, const pipe::BlendDesc& d);
    [[nodiscard]] bool valid() const { return common.valid(); }

    const pipe::BlendDesc desc;
    /// Of the second colour: the program's, of target 0 alone.
    const bool dual_source;
    /// Of target 0, computed by the fragment shader: the blender is off then, and so is alpha to coverage, which takes the colour before it is blended.
    const pipe::AdvancedBlend advanced;
    uint32_t reads_destination = 0;  // bit a target; a mask that leaves channels out is not among it
    StaticState common;              // of BlendTargets{}
    mutable std::atomic<uint64_t> held_by{0};
};

/// Group::Blend's words (kMostBlendWords at most): behind the last one.
uint32_t* write_blend(const AdrenoBlend& blend, const BlendTargets& targets, uint32_t* out);

}  // namespace terrazzo::adreno

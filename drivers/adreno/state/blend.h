// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending. A state object packs the stream of the common case: one target with alpha, and all samples. The
// others are packed when a draw needs them.
#pragma once

#include "drivers/adreno/stream/draw_state.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// What the blend registers depend on in addition to the blend state.
struct BlendTargets {
    uint32_t count = 1;
    uint32_t without_alpha = 0;  // a bit for each target; its destination alpha is 1
    uint32_t sample_mask = 0xffff;
    bool no_second = false;  // the state uses a second color that the program does not write: it is 0
    bool operator==(const BlendTargets&) const = default;
};

inline constexpr uint32_t kMostBlendWords = 3 * pipe::kMaxColorTargets + 6;

class AdrenoBlend final : public pipe::BlendState {
  public:
    AdrenoBlend(Device& device, const pipe::BlendDesc& d);
    [[nodiscard]] bool valid() const { return common.valid(); }

    const pipe::BlendDesc desc;
    /// The state of target 0 uses the program's second color.
    const bool dual_source;
    /// The fragment shader computes target 0's advanced blend equation. The blender is off then, and alpha to
    /// coverage, too, since it would use the color after blending.
    const pipe::AdvancedBlend advanced;
    uint32_t reads_destination = 0;  // a bit for each target that blends; a partial color mask does not count
    StaticState common;              // of BlendTargets{}
    mutable std::atomic<uint64_t> held_by{0};
};

/// Writes the words of Group::Blend, kMostBlendWords at most. Returns the address after the last one.
uint32_t* write_blend(const AdrenoBlend& blend, const BlendTargets& targets, uint32_t* out);

}  // namespace terrazzo::adreno

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The inputs of draws and dispatches - vertex buffers, uniforms, blocks, textures, samplers - as streams in
// pool memory, which a draw's groups or a dispatch call.
#pragma once

#include "drivers/adreno/passes/draw_state.h"
#include "drivers/adreno/passes/patches.h"
#include "drivers/adreno/stream/pool_words.h"

namespace terrazzo::adreno {

class Tables : contexts::ContextPart<StateTypes> {
  public:
    Tables(const contexts::ContextObjects<StateTypes>& objects, const Patches& patches)
        : ContextPart(objects), patches_(patches) {}

    // Group::VertexLayout and VertexBuffers.
    [[nodiscard]] Segment vertex_layout();
    [[nodiscard]] Segment vertex_buffers();
    // Constants or descriptors of a stage. Empty if the program's stage needs none.
    [[nodiscard]] PoolSegment uniforms(pipe::Stage stage);
    [[nodiscard]] PoolSegment blocks(pipe::Stage stage);
    [[nodiscard]] PoolSegment textures(pipe::Stage stage);
    /// All three as one group, since the numbers of groups are few.
    [[nodiscard]] Segment resources(pipe::Stage stage);
    /// Whether a stage of the program has packed textures that are targets of the pass.
    [[nodiscard]] bool samples_targets() const {
        if (!target_samplers_) [[likely]]
            return false;
        for (const pipe::Stage stage : kDrawStages)
            if ((target_samplers_ & stage_bit(stage)) && state_.program->has(stage)) return true;
        return false;
    }

  private:
    [[nodiscard]] static constexpr uint32_t stage_bit(pipe::Stage s) { return 1u << unsigned(s); }

    const Patches& patches_;
    uint32_t target_samplers_ = 0;  // a bit for each stage: its packed textures are targets of the pass
};

}  // namespace terrazzo::adreno

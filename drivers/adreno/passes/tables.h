// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What draws and dispatches use - vertex buffers, uniforms, blocks, textures, samplers, storage - as streams
// in pool memory, which a draw's groups or a dispatch call; and the barriers for what is stored.
#pragma once

#include <span>
#include <utility>

#include "drivers/adreno/passes/draw_state.h"
#include "drivers/adreno/passes/patches.h"
#include "drivers/adreno/stream/segment.h"

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
    /// The table of storage buffers and images of a draw's stages, or of a dispatch. Empty if they have none.
    [[nodiscard]] Segment storage(std::span<const pipe::Stage> stages);
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

    /// The next work stores to memory if `does`.
    void note_stores(bool does) { stores_ |= does; }
    /// pipe::Context::memory_barrier. Shaders store through the UCHE, where later shaders find the data.
    /// Before an access by the CP or by targets, the UCHE is flushed.
    void barrier() {
        if (std::exchange(stores_, false)) recorder_.note_barrier();
    }

  private:
    void put_storage(pipe::Stage stage, uint32_t* table);
    [[nodiscard]] static constexpr uint32_t stage_bit(pipe::Stage s) { return 1u << unsigned(s); }

    const Patches& patches_;
    uint32_t target_samplers_ = 0;  // a bit for each stage: its packed textures are targets of the pass
    bool stores_ = false;           // since the last barrier
};

}  // namespace terrazzo::adreno

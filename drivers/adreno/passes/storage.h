// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Storage buffers and images of shaders, as tables of descriptors, and the barriers for what is stored to
// them.
#pragma once

#include <span>
#include <utility>

#include "drivers/adreno/passes/draw_state.h"

namespace terrazzo::adreno {

class Storage : contexts::ContextPart<StateTypes> {
  public:
    using ContextPart::ContextPart;

    /// Packs the table of a draw's stages, or of a dispatch, as a stream. Empty if they have none.
    [[nodiscard]] Segment pack(std::span<const pipe::Stage> stages);
    /// The next work stores to memory if `does`.
    void note_stores(bool does) { stores_ |= does; }
    /// pipe::Context::memory_barrier. Shaders store through the UCHE, where later shaders find the data.
    /// Before an access by the CP or by targets, the UCHE is flushed.
    void barrier() {
        if (std::exchange(stores_, false)) recorder_.note_barrier();
    }

  private:
    void put(pipe::Stage stage, uint32_t* table);

    bool stores_ = false;  // since the last barrier
};

}  // namespace terrazzo::adreno

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws with tessellation stages: the memory that the patches of a subdraw share (PatchMemory), and the state
// that depends on a patch's vertices.
#pragma once

#include "drivers/adreno/passes/draw_state.h"
#include "drivers/adreno/stream/draw_state.h"

namespace terrazzo::adreno {

class Patches : contexts::ContextPart<StateTypes> {
  public:
    using ContextPart::ContextPart;

    /// Called before draws of patches with this many vertices. True: the number has changed. Throws
    /// std::bad_alloc.
    [[nodiscard]] bool begin(const AdrenoProgram& program, uint32_t vertices);
    /// Packs Group::Patches; it depends on the program and on the number of a patch's vertices.
    void pack(const AdrenoProgram& program, GroupList& groups);
    /// The pass's stream begins: it has no address of the memory yet.
    void begin_pass() { in_stream_ = false; }

    [[nodiscard]] uint32_t vertices() const { return vertices_; }
    /// For a program that tessellates, after begin().
    [[nodiscard]] PatchMemory memory(const AdrenoProgram& program) const {
        return divide_patch_memory(program, memory_->va);
    }

  private:
    uint32_t vertices_ = 0;
    pipe::Ref<Bo> memory_;    // null: no patches were drawn yet
    bool in_stream_ = false;  // the pass's stream has set the memory's address
};

}  // namespace terrazzo::adreno

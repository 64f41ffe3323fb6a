// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tables of resources in pool memory: attributes and their buffers, textures and samplers, the default
// uniform block.
#pragma once

#include "drivers/common/context/converted_vertices.h"
#include "drivers/mali/passes/draw_state.h"
#include "drivers/mali/state/packed.h"

namespace terrazzo::mali {

class Tables : contexts::ContextPart<StateTypes> {
  public:
    using ContextPart::ContextPart;

    /// The attributes that the CPU converts for draws.
    contexts::ConvertedVertices converted{context_};

    // The tables of a stage, for the registers vertex_srt and fragment_srt. Both throw std::bad_alloc.
    [[nodiscard]] uint64_t vertex();
    [[nodiscard]] uint64_t fragment();
    /// Records the dependencies of the pass on work that drew or copied into the stage's textures.
    void order_textures(pipe::Stage stage);
    /// Pieces that were packed in an earlier submission must not be used.
    void forget_packed() { packed_.clear(); }

  private:
    [[nodiscard]] uint64_t write_vertex_tables();
    /// False: these tables are not cached.
    [[nodiscard]] bool vertex_tables_key(PackedVertexTable::Key* key);
    void write_textures(pipe::Stage stage, uint8_t* textures, uint8_t* samplers);
    void write_uniform_buffer(pipe::Stage stage, uint64_t va, uint8_t* data, uint8_t* descriptor);

    PackedVertexTables packed_;
};

}  // namespace terrazzo::mali

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half of a draw: vertex streams to primitives, clipping, and on to setup.
#pragma once

#include "drivers/soft/time_limit.h"
#include "drivers/soft/vertex_stage.h"
#include "pipe/primitives.h"

namespace terrazzo::soft {

/// What draws of one state share, and where indices come from.
struct DrawCall {
    SetupState setup;
    VertexStage::Inputs inputs;
    ClipSpace space;
    pipe::Primitive mode;
    const uint8_t* indices = nullptr;  // null: not indexed
    uint32_t index_B = 0;
    uint32_t index_count = 0;  // indices that exist from `indices` on
    bool restart = false;
    StreamOut* capture = nullptr;  // what is shaded is written there; null: nowhere
    bool rasterize = true;
    /// Executes what is recorded when it grows too large; called between primitives.
    void (*relieve)(void* data, SetupState* setup) = nullptr;
    void* relieve_data = nullptr;
    /// In vertices; a primitive restart and an instance are as dear as one.
    Patience patience{kVerticesPerLook};
    bool ended = false;  // the watch said so: the rest is not drawn

    static constexpr uint32_t kVerticesPerLook = 1u << 14;
};

/// Draws one range of one instance. Returns the number of primitives assembled.
uint64_t draw_range(DrawCall& call, VertexStage& stage, const pipe::DrawRange& range, uint32_t instance);

}  // namespace terrazzo::soft

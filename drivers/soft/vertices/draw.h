// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half of a draw: vertex streams to primitives, clipping, and on to setup.
#pragma once

#include "drivers/soft/screen/time_limit.h"
#include "drivers/soft/vertices/vertex_stage.h"
#include "pipe/primitives.h"

namespace terrazzo::soft {

class KernelStages;

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
    KernelStages* kernels = nullptr;  // the program has geometry or tessellation stages
    uint32_t patch_vertices = 0;
    uint32_t first_primitive = 0;  // what is added to primitives' numbers
    uint64_t generated = 0;        // primitives that the last of the kernels gave
    /// Executes what is recorded when it grows too large; called between primitives. Null: `overflow` tells the caller when the
    /// bins' arena has more than kMaxPart_B, and the rest is not drawn.
    void (*relieve)(void* data, SetupState* setup) = nullptr;
    void* relieve_data = nullptr;
    /// Primitives from now on are drawn in another viewport: sets `space` and setup.draw. Of programs whose geometry stage
    /// writes gl_ViewportIndex.
    void (*select_viewport)(DrawCall* call, uint32_t index) = nullptr;
    bool overflow = false;
    /// In vertices; a primitive restart and an instance are as dear as one.
    Patience patience{kVerticesPerLook};
    bool ended = false;  // the watch said so: the rest is not drawn

    static constexpr uint32_t kVerticesPerLook = 1u << 14;
    static constexpr size_t kMaxPart_B = size_t(2) << 20;
};

/// A range of several instances, cut into what is shaded together: batches of each instance's primitives, the instances one after
/// the other. Not of draws with primitive restart.
struct Batches {
    uint32_t first = 0, count = 0;  // vertices or indices of an instance
    int32_t bias = 0;
    uint32_t first_instance = 0;
    uint32_t prims = 0;      // of an instance
    uint32_t per_batch = 1;  // primitives
    uint32_t per_instance = 0;
    uint64_t total = 0;
};
[[nodiscard]] Batches batches_of(const DrawCall& call, const pipe::DrawRange& range, uint32_t first_instance,
                                 uint32_t instances);
/// Draws batches [begin, end).
void draw_batches(DrawCall& call, VertexStage& stage, const Batches& all, uint64_t begin, uint64_t end);

/// Draws and captures points, lines or triangles [first, first + count) whose vertices lie in `stage` and whose corners
/// stand in stage.corner(n).
void draw_listed(DrawCall& call, VertexStage& stage, pipe::Primitive kind, uint32_t first, uint32_t count);

/// Draws one range of one instance with primitive restart. Returns the number of primitives assembled.
uint64_t draw_restarting(DrawCall& call, VertexStage& stage, const pipe::DrawRange& range, uint32_t instance);
/// The primitives that a range of one instance has, where nothing of it is drawn.
[[nodiscard]] uint64_t count_primitives(const DrawCall& call, const pipe::DrawRange& range);

}  // namespace terrazzo::soft

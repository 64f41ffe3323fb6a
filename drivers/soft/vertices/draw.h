// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The front half of a draw: assembles primitives from vertex streams, clips them and passes them to setup.
#pragma once

#include "drivers/soft/screen/time_limit.h"
#include "drivers/soft/vertices/vertex_stage.h"
#include "pipe/primitives.h"

namespace terrazzo::soft {

class KernelStages;

/// The common state of draws, and the source of indices.
struct DrawCall {
    SetupState setup;
    VertexStage::Inputs inputs;
    ClipSpace space;
    pipe::Primitive mode;
    const uint8_t* indices = nullptr;  // null: not indexed
    uint32_t index_B = 0;
    uint32_t index_count = 0;  // the number of indices from `indices` on
    bool restart = false;
    StreamOut* capture = nullptr;  // receives the shaded vertices; null: no capture
    bool rasterize = true;
    KernelStages* kernels = nullptr;  // not null: the program has geometry or tessellation stages
    uint32_t patch_vertices = 0;
    uint32_t first_primitive = 0;  // added to primitives' numbers
    uint64_t generated = 0;        // primitives that the last of the kernels generated
    /// Executes the recorded work when it grows too large; called between primitives. If null, `overflow` is
    /// set when the bins' arena exceeds kMaxPart_B, and the rest is not drawn.
    void (*relieve)(void* data, SetupState* setup) = nullptr;
    void* relieve_data = nullptr;
    /// Sets `space` and setup.draw to another viewport for the primitives that follow. For programs whose
    /// geometry stage writes gl_ViewportIndex.
    void (*select_viewport)(DrawCall* call, uint32_t index) = nullptr;
    bool overflow = false;
    /// In vertices; a primitive restart or an instance costs as much as a vertex.
    Patience patience{kVerticesPerLook};
    bool ended = false;  // the watch has stopped: the rest is not drawn

    static constexpr uint32_t kVerticesPerLook = 1u << 14;
    static constexpr size_t kMaxPart_B = size_t(2) << 20;
};

/// A range of several instances, cut into batches: each instance's batches in order, one instance after the
/// other. Not for draws with primitive restart.
struct Batches {
    uint32_t first = 0, count = 0;  // vertices or indices per instance
    int32_t bias = 0;
    uint32_t first_instance = 0;
    uint32_t prims = 0;      // per instance
    uint32_t per_batch = 1;  // primitives
    uint32_t per_instance = 0;
    uint64_t total = 0;
};
[[nodiscard]] Batches batches_of(const DrawCall& call, const pipe::DrawRange& range, uint32_t first_instance,
                                 uint32_t instances);
/// Draws batches [begin, end).
void draw_batches(DrawCall& call, VertexStage& stage, const Batches& all, uint64_t begin, uint64_t end);

/// Draws and captures points, lines or triangles [first, first + count). Their vertices are in `stage`, their
/// corners in stage.corner(n).
void draw_listed(DrawCall& call, VertexStage& stage, pipe::Primitive kind, uint32_t first, uint32_t count);

/// Draws a range of one instance with primitive restart. Returns the number of assembled primitives.
uint64_t draw_restarting(DrawCall& call, VertexStage& stage, const pipe::DrawRange& range, uint32_t instance);
/// The number of primitives in a range of one instance; draws nothing.
[[nodiscard]] uint64_t count_primitives(const DrawCall& call, const pipe::DrawRange& range);

}  // namespace terrazzo::soft

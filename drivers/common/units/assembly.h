// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Converts indices to vertex ids, and vertex ids to primitives. Source: OpenGL ES 3.2 section 10.1.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "drivers/common/units/primitive.h"
#include "drivers/common/window/window.h"
#include "pipe/state.h"

namespace terrazzo::units {

/// The primitives that hardware draws, more than OpenGL ES has, without adjacency and patches.
enum class Topology : uint8_t {
    Points,
    Lines,
    LineStrip,
    LineLoop,
    Triangles,
    TriangleStrip,
    TriangleFan,
    Polygon,
    Quads
};
PrimitiveKind kind_of(Topology topology);

/// Vertex ids, cut where primitives restart: run r ends before ids[ends[r]], the last run at the end.
struct VertexRuns {
    std::vector<uint32_t> ids;
    std::vector<size_t> ends;
};

/// Appends raw little-endian indices of 1, 2 or 4 bytes. An incomplete index at the end is ignored. An index
/// equal to `restart` ends a run; `vertex_offset` is added to the others.
void read_indices(std::span<const uint8_t> raw, unsigned index_B, int32_t vertex_offset,
                  std::optional<uint32_t> restart, VertexRuns* out);
/// A draw's part of an array of indices in GPU memory.
struct IndexArray {
    uint64_t va = 0;
    unsigned index_B = 4;
    uint32_t all = 0;               // indices of the array
    uint32_t first = 0, count = 0;  // of the draw; those beyond the array are 0
    int32_t vertex_offset = 0;
    std::optional<uint32_t> restart;
};
/// Appends the draw's indices. False: memory.fault() has the cause.
[[nodiscard]] bool read_indices(window::Window& memory, const IndexArray& array, VertexRuns* out);
/// Appends first, first + 1, ..., for a draw without indices.
void count_vertices(uint32_t first, uint32_t count, VertexRuns* out);

/// Primitives in order. The vertices of each keep its orientation; the provoking one is first or last, as
/// requested.
struct Primitives {
    PrimitiveKind kind = PrimitiveKind::Triangle;
    unsigned corners = 3;
    std::vector<uint32_t> vertices;  // ids
    size_t count() const { return vertices.size() / corners; }
};
/// Drops vertices that do not complete a primitive.
void assemble_primitives(Topology topology, bool first_provoking, const VertexRuns& runs, Primitives* out);
/// Primitives that OpenGL ES has besides: with adjacent vertices, which only `keep` keeps, and patches of
/// `patch` vertices, whose kind is not known yet.
void assemble_others(pipe::Primitive mode, unsigned patch, bool keep, const VertexRuns& runs,
                     Primitives* out);

}  // namespace terrazzo::units

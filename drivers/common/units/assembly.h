// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Indices to vertex ids, vertex ids to primitives. Source: OpenGL ES 3.2 section 10.1.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "drivers/common/units/primitive.h"

namespace terrazzo::units {

/// What hardware draws, which is more than OpenGL ES has. Adjacency and patches are not here.
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

/// Vertex ids, cut where the primitive restarts: run r ends before ids[ends[r]], the last one at the end.
struct VertexRuns {
    std::vector<uint32_t> ids;
    std::vector<size_t> ends;
};

/// Appends raw indices of 1, 2 or 4 bytes, little endian; bytes behind the last whole index are left out.
/// An index that is `restart` ends a run; `vertex_offset` is added to the others.
void read_indices(std::span<const uint8_t> raw, unsigned index_B, int32_t vertex_offset,
                  std::optional<uint32_t> restart, VertexRuns* out);
/// Appends first, first + 1, ...: a draw without indices.
void count_vertices(uint32_t first, uint32_t count, VertexRuns* out);

/// Primitives in order; vertices of each in an order that keeps its orientation, the provoking one first or
/// last as asked.
struct Primitives {
    PrimitiveKind kind = PrimitiveKind::Triangle;
    unsigned corners = 3;
    std::vector<uint32_t> vertices;  // ids
    size_t count() const { return vertices.size() / corners; }
};
/// Vertices that are too few for a primitive are dropped.
void assemble_primitives(Topology topology, bool first_provoking, const VertexRuns& runs, Primitives* out);

}  // namespace terrazzo::units

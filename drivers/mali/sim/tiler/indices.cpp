// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, genxml/v10.xml (draw modes, index types).
#include "drivers/mali/sim/tiler/indices.h"

#include <algorithm>

namespace terrazzo::mali::sim {

namespace {

using hw::DrawMode;
using hw::IndexType;
using units::Topology;

unsigned index_B(IndexType t) {
    return t == IndexType::Uint8 ? 1 : t == IndexType::Uint16 ? 2 : 4;
}

std::optional<Topology> topology_of(DrawMode mode) {
    switch (mode) {
        case DrawMode::Points:
            return Topology::Points;
        case DrawMode::Lines:
            return Topology::Lines;
        case DrawMode::LineStrip:
            return Topology::LineStrip;
        case DrawMode::LineLoop:
            return Topology::LineLoop;
        case DrawMode::Triangles:
            return Topology::Triangles;
        case DrawMode::TriangleStrip:
            return Topology::TriangleStrip;
        case DrawMode::TriangleFan:
            return Topology::TriangleFan;
        case DrawMode::Polygon:
            return Topology::Polygon;
        case DrawMode::Quads:
            return Topology::Quads;
        case DrawMode::None:
            break;
    }
    return std::nullopt;
}

/// The count may come from memory that shaders wrote: indices beyond the array are 0.
bool fetch_indices(Window& memory, const IndexSource& s, units::VertexRuns* out, Fault* fault) {
    const unsigned size = index_B(s.type);
    if (s.va % size) return report(fault, "the index array at ", hex_text(s.va), " is not aligned");
    const uint32_t restart = size == 4 ? ~0u : (1u << 8 * size) - 1;
    const uint32_t all = s.size_B / size, inside = std::min(s.count, all - std::min(s.first, all));
    if (!units::read_indices(memory,
                             {s.va + uint64_t(s.first) * size, size, inside, s.vertex_offset,
                              s.restart ? std::optional(restart) : std::nullopt},
                             out))
        return report_access(fault, memory, "index array");
    out->ids.insert(out->ids.end(), s.count - inside, uint32_t(s.vertex_offset));
    return true;
}

}  // namespace

bool load_primitives(Window& memory, DrawMode mode, const IndexSource& indices, bool first_provoking,
                     units::Primitives* out, Fault* fault) {
    units::VertexRuns runs;
    if (indices.type != IndexType::None) {
        if (!fetch_indices(memory, indices, &runs, fault)) return false;
    } else {
        units::count_vertices(indices.first + uint32_t(indices.vertex_offset), indices.count, &runs);
    }
    *out = {};
    if (const std::optional<Topology> topology = topology_of(mode))
        units::assemble_primitives(*topology, first_provoking, runs, out);
    return true;
}

}  // namespace terrazzo::mali::sim

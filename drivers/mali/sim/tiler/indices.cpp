// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, genxml/v10.xml (draw modes, index types).
#include "drivers/mali/sim/tiler/indices.h"

#include "drivers/common/units/find_value.h"

namespace terrazzo::mali::sim {

namespace {

using hw::DrawMode;
using units::Topology;

constexpr std::pair<DrawMode, Topology> kTopologies[] = {
    {DrawMode::Points, Topology::Points},
    {DrawMode::Lines, Topology::Lines},
    {DrawMode::LineStrip, Topology::LineStrip},
    {DrawMode::LineLoop, Topology::LineLoop},
    {DrawMode::Triangles, Topology::Triangles},
    {DrawMode::TriangleStrip, Topology::TriangleStrip},
    {DrawMode::TriangleFan, Topology::TriangleFan},
    {DrawMode::Polygon, Topology::Polygon},
    {DrawMode::Quads, Topology::Quads},
};

}  // namespace

bool load_primitives(Window& memory, DrawMode mode, const units::IndexArray& indices, bool first_provoking,
                     units::Primitives* out, Fault* fault) {
    units::VertexRuns runs;
    if (!indices.index_B)
        units::count_vertices(indices.first + uint32_t(indices.vertex_offset), indices.count, &runs);
    else if (indices.va % indices.index_B)
        return report(fault, "the index array at ", hex_text(indices.va), " is not aligned");
    else if (!units::read_indices(memory, indices, &runs))
        return report_access(fault, memory, "index array");
    *out = {};
    if (const auto topology = units::find_value(kTopologies, mode))
        units::assemble_primitives(*topology, first_provoking, runs, out);
    return true;
}

}  // namespace terrazzo::mali::sim

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/indices.h"

#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

using hw::PrimType;
using units::Topology;

constexpr uint32_t kMaxIndices = 1u << 26;

std::optional<Topology> topology_of(PrimType type) {
    // A rectangle has two vertices, like a line.
    if (type == PrimType::DI_PT_POINTLIST || type == PrimType::DI_PT_POINTLIST_PSIZE) return Topology::Points;
    if (type == PrimType::DI_PT_LINELIST || type == PrimType::DI_PT_RECTLIST) return Topology::Lines;
    if (type == PrimType::DI_PT_LINESTRIP) return Topology::LineStrip;
    if (type == PrimType::DI_PT_LINELOOP) return Topology::LineLoop;
    if (type == PrimType::DI_PT_TRILIST) return Topology::Triangles;
    if (type == PrimType::DI_PT_TRISTRIP) return Topology::TriangleStrip;
    if (type == PrimType::DI_PT_TRIFAN) return Topology::TriangleFan;
    return std::nullopt;
}

std::optional<pipe::Primitive> adjacency_of(PrimType type) {
    if (type == PrimType::DI_PT_LINE_ADJ) return pipe::Primitive::LinesAdjacency;
    if (type == PrimType::DI_PT_LINESTRIP_ADJ) return pipe::Primitive::LineStripAdjacency;
    if (type == PrimType::DI_PT_TRI_ADJ) return pipe::Primitive::TrianglesAdjacency;
    if (type == PrimType::DI_PT_TRISTRIP_ADJ) return pipe::Primitive::TriangleStripAdjacency;
    return std::nullopt;
}

bool fetch_indices(Machine& machine, const DrawCall& call, bool restart, units::VertexRuns* runs,
                   Fault* fault) {
    const unsigned type = unsigned(call.initiator.index_size);
    if (type > 2) return fail(fault, FaultKind::Illegal, "the draw initiator has no index size ", type);
    std::optional<uint32_t> restart_index;
    RegisterReader in(machine.registers, fault);
    if (restart) restart_index = in.get<hw::PC_RESTART_INDEX>().value;
    if (!in) return false;
    if (!units::read_indices(
            machine.uche,
            {call.indices_va, 1u << type, call.max_indices, call.first_index, call.count, 0, restart_index},
            runs))
        return fail(fault, FaultKind::Memory, "indices: ", machine.uche.fault());
    return true;
}

}  // namespace

unsigned patch_vertices(PrimType type) {
    const unsigned t = unsigned(type), none = unsigned(PrimType::DI_PT_PATCHES0);
    return t > none && t <= none + 32 ? t - none : 0;
}

bool load_primitives(Machine& machine, const DrawCall& call, bool first_provoking, bool adjacency,
                     units::Primitives* out, Fault* fault) {
    hw::PC_PRIMITIVE_CNTL_0 control;
    if (!machine.registers.require(&control, fault)) return false;
    const PrimType type = call.initiator.prim_type;
    const std::optional<Topology> topology = topology_of(type);
    const std::optional<pipe::Primitive> adjacent = adjacency_of(type);
    const unsigned patch = patch_vertices(type);
    if (!topology && !adjacent && !patch)
        return fail(fault, FaultKind::Illegal, "primitives of type ", unsigned(type), " are not executed");
    if (call.count > kMaxIndices)
        return fail(fault, FaultKind::Illegal, call.count, " indices in a draw, of at most 2^26");
    units::VertexRuns runs;
    switch (call.initiator.source_select) {
        case hw::SourceSelect::DI_SRC_SEL_DMA:
            if (!fetch_indices(machine, call, control.value.primitive_restart, &runs, fault)) return false;
            break;
        case hw::SourceSelect::DI_SRC_SEL_AUTO_INDEX:
        case hw::SourceSelect::DI_SRC_SEL_AUTO_XFB:
            units::count_vertices(call.first_index, call.count, &runs);
            break;
        case hw::SourceSelect::DI_SRC_SEL_IMMEDIATE:
            return fail(fault, FaultKind::Illegal, "indices within the draw packet are not executed");
    }
    *out = {};
    if (topology)
        units::assemble_primitives(*topology, first_provoking, runs, out);
    else
        units::assemble_others(patch ? pipe::Primitive::Patches : *adjacent, patch, adjacency, runs, out);
    return true;
}

}  // namespace terrazzo::adreno::sim

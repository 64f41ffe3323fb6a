// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/indices.h"

#include <algorithm>

#include "pipe/primitives.h"

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

// Primitives without a topology in units: those with adjacent vertices, which `keep` keeps, and patches.
void list_primitives(pipe::Primitive mode, unsigned patch, bool keep, const units::VertexRuns& runs,
                     units::Primitives* out) {
    const bool patches = mode == pipe::Primitive::Patches;
    const unsigned all = pipe::primitive_vertices(mode, patch);
    const bool lines = !patches && all == 4;
    static constexpr unsigned kLine[] = {1, 2}, kTriangle[] = {0, 2, 4};
    const unsigned* const corner = lines ? kLine : kTriangle;
    out->kind = lines ? units::PrimitiveKind::Line : units::PrimitiveKind::Triangle;
    out->corners = patches || keep ? all : lines ? 2 : 3;
    size_t begin = 0;
    for (size_t r = 0; r <= runs.ends.size(); ++r) {
        const size_t end = r < runs.ends.size() ? runs.ends[r] : runs.ids.size();
        const uint32_t n = uint32_t(end - begin);
        for (uint32_t p = 0; p < pipe::primitive_count(mode, n, patch); ++p) {
            uint32_t at[32];
            pipe::list_primitive(mode, p, n, patch, at);
            for (unsigned k = 0; k < out->corners; ++k)
                out->vertices.push_back(runs.ids[begin + at[patches || keep ? k : corner[k]]]);
        }
        begin = end;
    }
}

bool fetch_indices(Machine& machine, const DrawCall& call, bool restart, units::VertexRuns* runs,
                   Fault* fault) {
    const unsigned type = unsigned(call.initiator.index_size);
    if (type > 2)
        return fail(fault, FaultKind::Illegal,
                    "the draw initiator has no index size " + std::to_string(type));
    const unsigned size_B = 1u << type;
    std::optional<uint32_t> restart_index;
    if (restart) {
        hw::PC_RESTART_INDEX r;
        if (!machine.registers.require(&r, fault)) return false;
        restart_index = r.value;
    }
    const uint32_t there =
        call.first_index < call.max_indices ? std::min(call.count, call.max_indices - call.first_index) : 0;
    const uint64_t va = call.indices_va + uint64_t(call.first_index) * size_B;
    if (there) {
        uint32_t last;  // read first: memory that does not exist needs no room
        std::vector<uint8_t> raw;
        bool good = machine.uche.read(va + uint64_t(there - 1) * size_B, &last, size_B);
        if (good) {
            raw.resize(size_t(there) * size_B);
            good = machine.uche.read(va, raw.data(), raw.size());
        }
        if (!good) return fail(fault, FaultKind::Memory, "indices: " + to_string(machine.uche.fault()));
        units::read_indices(raw, size_B, 0, restart_index, runs);
    }
    for (uint32_t i = there; i < call.count; ++i)
        if (restart_index == 0u)
            runs->ends.push_back(runs->ids.size());
        else
            runs->ids.push_back(0);
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
        return fail(fault, FaultKind::Illegal,
                    "primitives of type " + std::to_string(unsigned(type)) + " are not executed");
    if (call.count > kMaxIndices)
        return fail(fault, FaultKind::Illegal,
                    std::to_string(call.count) + " indices in a draw, of at most 2^26");
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
        list_primitives(patch ? pipe::Primitive::Patches : *adjacent, patch, adjacency, runs, out);
    return true;
}

}  // namespace terrazzo::adreno::sim

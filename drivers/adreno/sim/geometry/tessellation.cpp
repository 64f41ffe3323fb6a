// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/tessellation.h"

#include <cstring>
#include <string>

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMostWords = 7;  // of a patch: its id, four outer levels, two inner ones

}  // namespace

bool PatchTessellator::init(Machine& machine, hw::PatchType type, Fault* fault) {
    hw::PC_TESS_CNTL control;
    hw::PC_TESSFACTOR_ADDR address;
    hw::PC_PRIMITIVE_CNTL_0 order;
    const Registers& r = machine.registers;
    if (!r.require(&control, fault) || !r.require(&address, fault) || !r.require(&order, fault)) return false;
    levels_va_ = address.value;
    switch (type) {
        case hw::PatchType::TESS_QUADS:
            domain_.shape = ir::Shape::Quads;
            outer_ = 4;
            inner_ = 2;
            break;
        case hw::PatchType::TESS_TRIANGLES:
            domain_.shape = ir::Shape::Triangles;
            outer_ = 3;
            inner_ = 1;
            break;
        case hw::PatchType::TESS_ISOLINES:
            domain_.shape = ir::Shape::Isolines;
            outer_ = 2;
            inner_ = 0;
            break;
        default:
            return fail(fault, FaultKind::Illegal, "the draw initiator has no patch type ", unsigned(type));
    }
    switch (control.spacing) {
        case hw::TessSpacing::TESS_EQUAL:
            domain_.spacing = ir::Spacing::Equal;
            break;
        case hw::TessSpacing::TESS_FRACTIONAL_ODD:
            domain_.spacing = ir::Spacing::FractionalOdd;
            break;
        case hw::TessSpacing::TESS_FRACTIONAL_EVEN:
            domain_.spacing = ir::Spacing::FractionalEven;
            break;
        default:
            return fail(fault, FaultKind::Illegal, "PC_TESS_CNTL: no spacing ", unsigned(control.spacing));
    }
    const bool lines = type == hw::PatchType::TESS_ISOLINES;
    domain_.points = control.output == hw::TessOutput::TESS_POINTS;
    domain_.clockwise = (control.output == hw::TessOutput::TESS_CW_TRIS) != order.value.d3d_vertex_ordering;
    kind_ = domain_.points ? units::PrimitiveKind::Point
            : lines        ? units::PrimitiveKind::Line
                           : units::PrimitiveKind::Triangle;
    if (!domain_.points && lines != (control.output == hw::TessOutput::TESS_LINES))
        return fail(fault, "PC_TESS_CNTL: an output that patches of type ", unsigned(type), " do not have");
    return true;
}

bool PatchTessellator::run(Machine& machine, uint32_t patch, std::vector<DomainPoint>* points,
                           std::vector<uint32_t>* corners, Fault* fault) {
    uint32_t words[kMostWords] = {};
    const uint32_t patch_B = 4 * (1 + outer_ + inner_);
    if (!machine.memory.read(levels_va_ + uint64_t(patch) * patch_B, words, patch_B))
        return fail(fault, FaultKind::Memory, "PC_TESSFACTOR_ADDR: ", machine.memory.fault());
    pipe::TessLevels levels;
    std::memcpy(levels.outer, words + 1, outer_ * 4);
    std::memcpy(levels.inner, words + 1 + outer_, inner_ * 4);
    if (!tessellator_.run(domain_, levels)) return true;
    const uint32_t first = uint32_t(points->size());
    for (const pipe::TessPoint& p : tessellator_.points())
        points->push_back({patch, words[0], p.u, p.v});
    if (domain_.points)
        for (uint32_t i = 0; i < tessellator_.points().size(); ++i)
            corners->push_back(first + i);
    for (const uint32_t i : tessellator_.indices())
        corners->push_back(first + i);
    return true;
}

}  // namespace terrazzo::adreno::sim

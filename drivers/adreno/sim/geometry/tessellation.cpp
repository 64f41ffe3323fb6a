// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/tessellation.h"

#include <cstring>
#include <string>

#include "drivers/adreno/sim/read.h"
#include "drivers/common/units/find_value.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMostWords = 7;  // of a patch: its id, four outer levels, two inner ones

struct PatchRow {
    ir::Shape shape;
    unsigned outer, inner;  // levels
};
constexpr std::pair<hw::PatchType, PatchRow> kPatches[] = {
    {hw::PatchType::TESS_QUADS, {ir::Shape::Quads, 4, 2}},
    {hw::PatchType::TESS_TRIANGLES, {ir::Shape::Triangles, 3, 1}},
    {hw::PatchType::TESS_ISOLINES, {ir::Shape::Isolines, 2, 0}},
};
constexpr std::pair<hw::TessSpacing, ir::Spacing> kSpacings[] = {
    {hw::TessSpacing::TESS_EQUAL, ir::Spacing::Equal},
    {hw::TessSpacing::TESS_FRACTIONAL_ODD, ir::Spacing::FractionalOdd},
    {hw::TessSpacing::TESS_FRACTIONAL_EVEN, ir::Spacing::FractionalEven},
};

}  // namespace

bool PatchTessellator::init(Machine& machine, hw::PatchType type, Fault* fault) {
    RegisterReader in(machine.registers, fault);
    const auto control = in.get<hw::PC_TESS_CNTL>();
    levels_va_ = in.get<hw::PC_TESSFACTOR_ADDR>().value;
    const bool reverses = in.get<hw::PC_PRIMITIVE_CNTL_0>().value.d3d_vertex_ordering;
    if (!in) return false;
    const auto patch = units::find_value(kPatches, type);
    if (!patch)
        return fail(fault, FaultKind::Illegal, "the draw initiator has no patch type ", unsigned(type));
    const auto spacing = units::find_value(kSpacings, control.spacing);
    if (!spacing)
        return fail(fault, FaultKind::Illegal, "PC_TESS_CNTL: no spacing ", unsigned(control.spacing));
    domain_.shape = patch->shape;
    domain_.spacing = *spacing;
    outer_ = patch->outer;
    inner_ = patch->inner;
    const bool lines = type == hw::PatchType::TESS_ISOLINES;
    domain_.points = control.output == hw::TessOutput::TESS_POINTS;
    domain_.clockwise = (control.output == hw::TessOutput::TESS_CW_TRIS) != reverses;
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

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, ir3_shader.h (ir3_link_shaders), fd6_program.cc (emit_vpc, emit_interp_state). Position and point size come behind what the fragment
// shader reads.
#include "drivers/adreno/program/link.h"

#include <algorithm>
#include <bit>

#include "drivers/adreno/hw/enums.h"

namespace terrazzo::adreno {
namespace {

const compiler::Output* find_output(const compiler::Info& info, uint8_t slot) {
    for (const compiler::Output& o : info.outputs)
        if (o.slot == slot && o.reg != compiler::kNoRegister) return &o;
    return nullptr;
}

void set_mode(std::array<uint32_t, 8>* modes, unsigned place, unsigned mode) {
    (*modes)[place / 16] |= mode << (place % 16 * 2);
}

/// T of point sprites is 0 at the top in OpenGL ES, and rows grow upward.
void replace_by_point_coord(const compiler::VaryingInput& v, VpcLink* link) {
    constexpr unsigned kS = 1, kOneLessT = 3;
    if (v.count > 0) set_mode(&link->replacement, v.inloc, kS);
    if (v.count > 1) set_mode(&link->replacement, v.inloc + 1u, kOneLessT);
}

void add_output(const compiler::Output& o, uint32_t mask, VpcLink* link, uint8_t* place) {
    *place = uint8_t(link->stride_dw);
    link->outputs.push_back({o.reg, uint8_t(mask), *place});
    link->stride_dw += uint32_t(std::bit_width(mask));
}

}  // namespace

VpcLink link_varyings(const compiler::Info& vertex, const compiler::Info& fragment) {
    using Kind = compiler::VaryingInput::Kind;
    VpcLink link;
    for (const compiler::VaryingInput& v : fragment.varyings) {
        for (unsigned c = 0; c < v.count; ++c) {
            const unsigned place = v.inloc + c;
            link.used[place / 32] |= 1u << (place % 32);
            if (v.flat || v.kind == Kind::PrimitiveId || v.kind == Kind::Layer || v.kind == Kind::Viewport)
                set_mode(&link.interpolation, place, unsigned(hw::VaryingInterpMode::INTERP_FLAT));
        }
        link.stride_dw = std::max(link.stride_dw, uint32_t(v.inloc) + v.count);
        if (v.kind == Kind::PointCoord) replace_by_point_coord(v, &link);
        if (v.kind == Kind::PrimitiveId) link.primitive_id = v.inloc;
        if (v.kind != Kind::Varying) continue;
        // What nobody writes is undefined (OpenGL ES 3.2 section 11.1.2.1).
        if (const compiler::Output* o = find_output(vertex, v.slot))
            link.outputs.push_back({o->reg, v.mask, v.inloc});
    }
    if (const auto* o = find_output(vertex, uint8_t(ir::VaryingSlot::Position)))
        add_output(*o, 0xf, &link, &link.position);
    if (const auto* o = find_output(vertex, uint8_t(ir::VaryingSlot::PointSize)))
        add_output(*o, 1, &link, &link.point_size);
    // Hardware wants one at least.
    if (link.outputs.empty()) {
        link.outputs.push_back({0, 1, uint8_t(link.stride_dw)});
        ++link.stride_dw;
    }
    return link;
}

}  // namespace terrazzo::adreno

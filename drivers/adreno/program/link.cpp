// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, ir3_shader.h (ir3_link_shaders, ir3_link_stream_out), fd6_program.cc (emit_vpc,
// emit_interp_state). Outputs that only stream output reads follow those that the fragment shader reads; then
// follow position and point size.
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

/// In OpenGL ES, T of point sprites is 0 at the top, but rows of pixels grow upwards.
void replace_by_point_coord(const compiler::VaryingInput& v, VpcLink* link) {
    constexpr unsigned kS = 1, kOneLessT = 3;
    if (v.count > 0) set_mode(&link->replacement, v.inloc, kS);
    if (v.count > 1) set_mode(&link->replacement, v.inloc + 1u, kOneLessT);
}

/// Whether the input selects where a primitive is drawn: layer or viewport.
bool is_place(const compiler::VaryingInput& v) {
    using Kind = compiler::VaryingInput::Kind;
    const auto slot = ir::VaryingSlot(v.slot);
    return v.kind == Kind::Layer || v.kind == Kind::Viewport ||
           (v.kind == Kind::Varying &&
            (slot == ir::VaryingSlot::Layer || slot == ir::VaryingSlot::ViewportIndex));
}

void add_output(const compiler::Output& o, uint32_t mask, VpcLink* link, uint8_t* place) {
    *place = uint8_t(link->stride_dw);
    link->outputs.push_back({o.reg, uint8_t(mask), *place, o.slot});
    link->stride_dw += uint32_t(std::bit_width(mask));
}

uint8_t last_component(uint32_t mask) {
    return uint8_t(std::bit_width(mask));
}

/// Allocates places for varyings that are captured and of which the fragment shader reads fewer components.
/// If the fragment shader reads enough, its places are used.
void add_captured(const pipe::StreamOutputLayout& layout, const compiler::Info& vertex,
                  const compiler::Info& fragment, VpcLink* link) {
    std::array<uint8_t, 64> masks{};
    for (const auto& o : layout.outputs)
        if (o.slot < masks.size()) masks[o.slot] |= uint8_t(((1u << o.count) - 1) << o.component);
    for (uint8_t slot = uint8_t(ir::VaryingSlot::Varying0); slot < masks.size(); ++slot) {
        const compiler::Output* const o = masks[slot] ? find_output(vertex, slot) : nullptr;
        if (!o) continue;
        const auto read = std::find_if(
            fragment.varyings.begin(), fragment.varyings.end(),
            [&](const auto& v) { return v.kind == compiler::VaryingInput::Kind::Varying && v.slot == slot; });
        const auto known = std::find_if(link->outputs.begin(), link->outputs.end(), [&](const VpcOutput& v) {
            return read != fragment.varyings.end() && v.place == read->inloc;
        });
        if (known != link->outputs.end() && last_component(masks[slot]) <= read->count) {
            known->mask |= masks[slot];
            continue;
        }
        const auto place = uint8_t(link->stride_dw);
        link->outputs.push_back({o->reg, masks[slot], place, slot});
        link->stride_dw += last_component(masks[slot]);
        for (uint32_t i = place; i < link->stride_dw && i < kMaxVpcStride_dw; ++i)
            link->used[i / 32] |= 1u << (i % 32);
    }
}

/// Finds the sources of a record's words, once all places are allocated.
void find_captured(const pipe::StreamOutputLayout& layout, const compiler::Info& vertex, VpcLink* link) {
    for (const auto& o : layout.outputs) {
        if (!find_output(vertex, o.slot)) continue;  // never written: the captured value is undefined
        const uint32_t mask = ((1u << o.count) - 1) << o.component;
        const auto at = std::find_if(link->outputs.begin(), link->outputs.end(), [&](const VpcOutput& v) {
            return v.slot == o.slot && (v.mask & mask) == mask;
        });
        if (at == link->outputs.end()) continue;
        for (uint8_t c = 0; c < o.count; ++c)
            link->captured.push_back(
                {uint8_t(at->place + o.component + c), o.buffer, uint16_t(o.offset_dw + c)});
    }
}

/// Distances that the shader does not write have no place: they neither clip nor cull.
void add_distances(const compiler::Info& vertex, Distances distances, VpcLink* link) {
    const unsigned clips = (1u << distances.clip) - 1,
                   all = (1u << std::min(distances.clip + distances.cull, 8)) - 1;
    unsigned written = 0;
    for (unsigned half = 0; half < link->distances.size(); ++half) {
        const compiler::Output* const o =
            find_output(vertex, uint8_t(unsigned(ir::VaryingSlot::ClipDist0) + half));
        const uint32_t mask = o ? o->mask & all >> 4 * half & 0xf : 0;
        if (!mask) continue;
        add_output(*o, mask, link, &link->distances[half]);
        written |= mask << 4 * half;
    }
    link->clip_mask = uint8_t(written & clips);
    link->cull_mask = uint8_t(written & ~clips);
}

/// The layer has a place already if the fragment stage reads it.
void add_layer(const compiler::Info& vertex, const compiler::Info& fragment, VpcLink* link) {
    constexpr auto kSlot = uint8_t(ir::VaryingSlot::Layer);
    const compiler::Output* const o = find_output(vertex, kSlot);
    if (!o) return;
    for (const compiler::VaryingInput& v : fragment.varyings)
        if (v.kind == compiler::VaryingInput::Kind::Varying && v.slot == kSlot) {
            link->layer = v.inloc;
            return;
        }
    add_output(*o, 1, link, &link->layer);
}

}  // namespace

VpcLink link_varyings(const compiler::Info& vertex, const compiler::Info& fragment,
                      const pipe::StreamOutputLayout* captured, Distances distances) {
    using Kind = compiler::VaryingInput::Kind;
    VpcLink link;
    for (const compiler::VaryingInput& v : fragment.varyings) {
        for (unsigned c = 0; c < v.count; ++c) {
            const unsigned place = v.inloc + c;
            link.used[place / 32] |= 1u << (place % 32);
            // Layer and viewport are 0 if the shader does not write them.
            if (is_place(v) && !find_output(vertex, v.slot))
                set_mode(&link.interpolation, place, unsigned(hw::VaryingInterpMode::INTERP_ZERO));
            else if (v.flat || v.kind == Kind::PrimitiveId || is_place(v))
                set_mode(&link.interpolation, place, unsigned(hw::VaryingInterpMode::INTERP_FLAT));
        }
        link.stride_dw = std::max(link.stride_dw, uint32_t(v.inloc) + v.count);
        if (v.kind == Kind::PointCoord) replace_by_point_coord(v, &link);
        if (v.kind == Kind::PrimitiveId || ir::VaryingSlot(v.slot) == ir::VaryingSlot::PrimitiveId)
            link.primitive_id = v.inloc;
        if (v.kind != Kind::Varying) continue;
        // Varyings that are never written are undefined (OpenGL ES 3.2 section 11.1.2.1).
        if (const compiler::Output* o = find_output(vertex, v.slot))
            link.outputs.push_back({o->reg, v.mask, v.inloc, v.slot});
    }
    if (captured) add_captured(*captured, vertex, fragment, &link);
    add_layer(vertex, fragment, &link);
    if (const auto* o = find_output(vertex, uint8_t(ir::VaryingSlot::Position)))
        add_output(*o, 0xf, &link, &link.position);
    if (const auto* o = find_output(vertex, uint8_t(ir::VaryingSlot::PointSize)))
        add_output(*o, 1, &link, &link.point_size);
    add_distances(vertex, distances, &link);
    if (captured) find_captured(*captured, vertex, &link);
    // The hardware requires at least one output.
    if (link.outputs.empty()) {
        link.outputs.push_back({0, 1, uint8_t(link.stride_dw)});
        ++link.stride_dw;
    }
    return link;
}

}  // namespace terrazzo::adreno

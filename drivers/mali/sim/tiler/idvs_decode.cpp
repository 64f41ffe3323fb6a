// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A draw's registers (hw/cs.rows), descriptors and indices.
#include <algorithm>

#include "drivers/mali/sim/tiler/idvs_parts.h"

namespace terrazzo::mali::sim {

namespace {

using R = hw::IdvsRegisters;

constexpr uint64_t kMaxPrimitives = 1u << 26;

}  // namespace

bool Idvs::decode_shaders(const hw::CsRunIdvs& how, const CsRegisters& r, Draw* d, Fault* fault) {
    ShaderAddresses a{r.pair(R::position_spd), r.pair(R::vertex_srt), 0, r.pair(R::vertex_tsd), 0};
    set_fau(&a, r.pair(R::vertex_fau));
    if (!load_shader(machine_.memory, a, hw::ShaderStage::Vertex, &d->position, fault)) return false;
    d->has_varying = d->flags.secondary_shader;
    if (!d->has_varying) return true;
    a.program = r.pair(R::varying_spd);
    if (how.varying_srt_select) a.resources = r.pair(R::varying_srt);
    if (how.varying_fau_select) set_fau(&a, r.pair(R::varying_fau));
    if (how.varying_tsd_select) a.storage = r.pair(R::varying_tsd);
    return load_shader(machine_.memory, a, hw::ShaderStage::Vertex, &d->varying, fault);
}

bool Idvs::decode(const hw::CsRunIdvs& how, const CsRegisters& r, TilerMemory& memory, Draw* d,
                  Fault* fault) {
    const uint32_t primitive_flags = r.r[R::primitive_flags] | how.flags_override;
    hw::DcdFlags0 flags_0;
    if (!take_struct(&primitive_flags, &d->flags, "primitive flags", fault) ||
        !take_struct(&r.r[R::dcd_flags_0], &flags_0, "DCD flags 0", fault) ||
        !take_struct(&r.r[R::scissor], &d->scissor, "scissor", fault))
        return false;
    if (!how.malloc_enable) return report(fault, "RUN_IDVS without memory allocation is not executed");
    if (d->flags.view_mask || d->flags.scissor_array_enable || d->flags.primitive_index_enable)
        return report(fault, "views, scissor arrays and primitive indices are not executed");
    if (!decode_shaders(how, r, d, fault)) return false;
    const hw::TilerContext& context = memory.context();
    units::SetupState& s = d->setup;
    s.cull_front = flags_0.cull_front_face;
    s.cull_back = flags_0.cull_back_face;
    // For images with row 0 on top: Mesa's panfrost inverts the flag for images with row 0 at the bottom.
    s.front_ccw = flags_0.front_face_ccw;
    s.low_depth_cull = d->flags.low_depth_cull;
    s.high_depth_cull = d->flags.high_depth_cull;
    s.low_depth = std::bit_cast<float>(r.r[R::low_depth_clamp]);
    s.high_depth = std::bit_cast<float>(r.r[R::high_depth_clamp]);
    s.scissor = {int32_t(d->scissor.scissor_minimum_x), int32_t(d->scissor.scissor_minimum_y),
                 int32_t(std::min(d->scissor.scissor_maximum_x + 1, context.fb_width)),
                 int32_t(std::min(d->scissor.scissor_maximum_y + 1, context.fb_height))};
    // The count may come from memory that shaders wrote: it may be beyond the array.
    const unsigned index_B =
        hw::IndexType::None == d->flags.index_type ? 0 : 1u << (unsigned(d->flags.index_type) - 1);
    d->indices = {r.pair(R::indices),
                  index_B,
                  index_B ? r.r[R::index_array_size] / index_B : 0,
                  r.r[R::index_offset],
                  r.r[R::index_count],
                  int32_t(r.r[R::vertex_offset]),
                  {}};
    if (d->flags.primitive_restart) d->indices.restart = index_B == 4 ? ~0u : (1u << 8 * index_B) - 1;
    d->instances = r.r[R::instance_count];
    d->instance_offset = r.r[R::instance_offset];
    d->attribute_offset = r.r[R::global_attribute_offset];
    if (how.draw_id_register_enable) d->draw_id = r.r[how.draw_id % kCsRegisters];
    d->extended = d->flags.position_fifo_format == hw::FifoFormat::Extended;
    d->sizes = d->flags.point_size_array_format != hw::PointSizeArrayFormat::None &&
               d->flags.draw_mode == hw::DrawMode::Points;
    d->layers = d->flags.layer_index_enable;
    if ((d->sizes || d->layers) && !d->extended)
        return report(fault, "point sizes or layers without the extended position format");
    d->layer_count = context.layer_count;
    d->layer_offset = context.layer_offset;
    d->size_px = std::bit_cast<float>(r.r[R::primitive_size]);
    d->geometry_buffer = context.geometry_buffer;
    d->geometry_buffer_B = context.geometry_buffer_size;
    if (context.geometry_buffer_size < kWarpPositions_B)
        return report(fault, "the tiler context's geometry buffer has only ", context.geometry_buffer_size,
                      " bytes");
    if (d->indices.count > kMaxPrimitives) return report(fault, "more than 2^26 indices in a draw");
    DrawRecord& rec = d->record;
    rec.number = machine_.draws;
    // Without its own fragment_srt, a fragment shader uses the vertex shader's tables.
    rec.fragment_srt = r.pair(how.fragment_srt_select ? R::fragment_srt : R::vertex_srt);
    rec.fragment_tsd = r.pair(how.fragment_tsd_select ? R::fragment_tsd : R::vertex_tsd);
    rec.fragment_fau = r.pair(R::fragment_fau);
    rec.fragment_spd = r.pair(R::fragment_spd);
    rec.blend = r.pair(R::blend);
    rec.depth_stencil = r.pair(R::depth_stencil);
    rec.occlusion = r.pair(R::occlusion);
    rec.flags_0 = r.r[R::dcd_flags_0];
    rec.flags_1 = r.r[R::dcd_flags_1];
    rec.flags_2 = r.r[R::dcd_flags_2];
    rec.primitive_flags = primitive_flags;
    std::copy_n(&r.r[R::scissor], 2, rec.scissor);
    rec.low_depth_clamp = s.low_depth;
    rec.high_depth_clamp = s.high_depth;
    rec.varying_size_B = d->has_varying ? r.r[R::varying_size] : 0;
    rec.first_provoking_vertex = context.first_provoking_vertex;
    if (!load_primitives(machine_.memory, d->flags.draw_mode, d->indices, context.first_provoking_vertex,
                         &d->primitives, fault))
        return false;
    s.kind = d->primitives.kind;
    return true;
}

}  // namespace terrazzo::mali::sim

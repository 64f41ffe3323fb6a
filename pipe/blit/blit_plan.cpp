// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clips a blit, and chooses the type of the copied values.
#include "pipe/blit/blit_plan.h"

#include <algorithm>

namespace terrazzo::pipe::detail {

namespace {

// Whether the view's format has the memory layout of the resource's.
bool view_is_sound(const BlitSide& side) {
    if (!side.resource || side.level >= side.resource->desc.levels) return false;
    const FormatInfo &have = format_info(side.resource->desc.format), &view = format_info(side.format);
    return side.format != Format::None && have.block_B == view.block_B &&
           have.block_w_px == view.block_w_px && have.block_h_px == view.block_h_px;
}

bool plan_values(const BlitInfo& info, BlitPlan* plan) {
    const FormatInfo &src = format_info(info.src.format), &dst = format_info(info.dst.format);
    const uint32_t src_samples = info.src.resource->desc.samples,
                   dst_samples = info.dst.resource->desc.samples;
    plan->src_is_compressed = src.is_compressed;
    plan->dst_is_compressed = dst.is_compressed;
    if (dst_samples > 1 && (src_samples != dst_samples || info.src.format != info.dst.format)) return false;
    if (dst.is_depth_stencil() || src.is_depth_stencil()) {
        plan->depth = info.depth && src.has_depth && dst.has_depth;
        plan->stencil = info.stencil && src.has_stencil && dst.has_stencil;
        plan->value = BlitValue::DepthStencil;
        plan->whole_pixels = plan->depth == dst.has_depth && plan->stencil == dst.has_stencil;
        if (info.src.format == info.dst.format && src_samples == dst_samples && plan->whole_pixels)
            plan->value = BlitValue::Raw;
        if (dst_samples > 1 && plan->value != BlitValue::Raw) return false;
        return plan->depth || plan->stencil;
    }
    if (!info.color || !can_convert(info.dst.format, info.src.format)) return false;
    plan->whole_pixels = true;
    const bool resolves = src_samples > 1 && dst_samples == 1;
    plan->linear =
        info.filter == Filter::Linear && !src.is_pure_int() && (plan->x.is_scaled() || plan->y.is_scaled());
    const bool averages = (resolves && !src.is_pure_int()) || plan->linear;
    if (info.src.format == info.dst.format && !averages && !resolves)
        plan->value = BlitValue::Raw;
    else if (src.is_pure_uint)
        plan->value = BlitValue::Uint;
    else if (src.is_pure_sint)
        plan->value = BlitValue::Sint;
    else
        plan->value = BlitValue::Float;
    if (plan->value != BlitValue::Raw && dst.is_compressed) return false;
    return dst_samples == 1 || plan->value == BlitValue::Raw;
}

}  // namespace

Box level_box(const ResourceDesc& d, uint32_t level) {
    Box b;
    b.width = int32_t(std::max(1u, d.width >> level));
    b.height = int32_t(std::max(1u, d.height >> level));
    b.depth = int32_t(d.kind == ResourceKind::Tex3D ? std::max(1u, d.depth >> level) : d.layers);
    return b;
}

bool BlitPlan::copies_whole_blocks(const BlitInfo& info) const {
    const FormatInfo& f = format_info(info.dst.format);
    const Box s = level_box(info.src.resource->desc, info.src.level),
              d = level_box(info.dst.resource->desc, info.dst.level);
    const auto good = [](int32_t begin, int32_t end, int32_t size, int32_t block) {
        return begin % block == 0 && (end % block == 0 || end == size);
    };
    return good(x.begin, x.end, d.width, f.block_w_px) && good(y.begin, y.end, d.height, f.block_h_px) &&
           good(x.src_begin, x.src_end, s.width, f.block_w_px) &&
           good(y.src_begin, y.src_end, s.height, f.block_h_px);
}

BlitPlan plan_blit(const BlitInfo& info) {
    BlitPlan plan;
    if (!view_is_sound(info.src) || !view_is_sound(info.dst)) return plan;
    const Box s = level_box(info.src.resource->desc, info.src.level),
              d = level_box(info.dst.resource->desc, info.dst.level);
    const Box &from = info.src.box, &to = info.dst.box;
    int32_t x0 = 0, y0 = 0, x1 = d.width, y1 = d.height;
    if (info.scissored) {
        x0 = std::max(x0, info.scissor.x0), y0 = std::max(y0, info.scissor.y0);
        x1 = std::min(x1, info.scissor.x1), y1 = std::min(y1, info.scissor.y1);
    }
    plan.x = BlitAxis(from.x, from.width, to.x, to.width, x0, x1, s.width);
    plan.y = BlitAxis(from.y, from.height, to.y, to.height, y0, y1, s.height);
    plan.z = BlitAxis(from.z, from.depth, to.z, to.depth, 0, d.depth, s.depth);
    plan.possible = plan_values(info, &plan);
    // Blocks cannot be scaled, mirrored or cut.
    if (plan.possible && plan.dst_is_compressed && !plan.empty())
        plan.possible = !plan.x.is_scaled() && !plan.y.is_scaled() && !plan.x.is_mirrored() &&
                        !plan.y.is_mirrored() && plan.copies_whole_blocks(info);
    return plan;
}

}  // namespace terrazzo::pipe::detail

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/transfers/transfers.h"

#include <new>

#include "drivers/common/blit/compute_copy.h"
#include "drivers/mali/hw/formats.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/passes/tile_copy.h"
#include "drivers/mali/transfers/copy.h"
#include "pipe/blit/blit_plan.h"

namespace terrazzo::mali {

void Transfers::record_plain_copy(images::StoredResource& from, const Bo& to) {
    mali::record_plain_copy(recorder_, shaders_, mali(from), to);
}

void Transfers::after_copy() {
    if (recorder_.is_much()) (void)context_.submit();
}

bool Transfers::copy(const images::ImageCopy& c) {
    MaliResource &dst = mali(c.dst), &src = mali(c.src);
    // For AFBC sources fragment jobs are faster than compute jobs, and they can write AFBC and samples.
    const bool samples = src.desc.samples > 1;
    const bool by_tiles = (src.afbc() || samples) && box_copy_keeps_bits(dst, src);
    if (samples && (!by_tiles || (&dst == &src && c.dst_level == c.src_level))) return false;
    if (by_tiles && &dst != &src)
        dst.begin_drawing(dst.desc.format);
    else
        dst.keep_plain();
    if (dst.afbc() || by_tiles) {
        copy_by_tiles(c);
    } else if (gpu_can_copy(dst, c.dst_level, c.to, src, c.src_level, c.from)) {
        leave_pass();
        copy_image_to_image(recorder_, shaders_, dst, c.dst_level, c.to, src, c.src_level, c.from);
    } else {
        return false;
    }
    after_copy();
    return true;
}

bool Transfers::copy_bytes(const images::BufferCopy& c) {
    leave_pass();
    mali::copy_bytes(recorder_, shaders_, c);
    after_copy();
    return true;
}

void Transfers::copy_by_tiles(const images::ImageCopy& c) {
    MaliResource &dst = mali(c.dst), &src = mali(c.src);
    leave_pass();
    const bool apart = &dst != &src || c.dst_level != c.src_level;
    if (apart && box_copy_keeps_bits(dst, src))
        return record_box_copy(recorder_, shaders_,
                               {dst, c.dst_level, c.to, src, c.src_level, c.from.x, c.from.y, c.from.z});
    const pipe::Ref<images::StoredResource> temporary = context_.create_temporary(dst, c.to);
    copy_image_to_image(recorder_, shaders_, mali(*temporary), 0,
                        {0, 0, 0, c.to.width, c.to.height, c.to.depth}, src, c.src_level, c.from);
    record_box_copy(recorder_, shaders_, {dst, c.dst_level, c.to, mali(*temporary), 0, 0, 0, 0});
}

bool Transfers::resolve(const pipe::BlitInfo& info) {
    MaliResource &src = mali(*info.src.resource), &dst = mali(*info.dst.resource);
    const pipe::detail::BlitPlan p = pipe::detail::plan_blit(info);
    const auto moves = [](const pipe::detail::BlitAxis& a) { return a.is_scaled() || a.is_mirrored(); };
    if (!p.possible || !p.whole_pixels || moves(p.x) || moves(p.y) || moves(p.z)) return false;
    if (p.empty()) return true;
    const hw::FormatRow* const row = hw::format_row(info.dst.format);
    const bool is_target = row && (row->is_render_target || row->is_depth_stencil);
    // Integers are loaded bit by bit.
    const bool bits = p.value == pipe::detail::BlitValue::Uint || p.value == pipe::detail::BlitValue::Sint;
    TexelFormat texels;
    if (!is_target || (bits && info.src.format != info.dst.format) ||
        !texel_format(src, info.src.format, false, &texels))
        return false;
    leave_pass();
    dst.begin_drawing(info.dst.format);
    const pipe::Box box{p.x.begin,           p.y.begin,           p.z.begin,
                        p.x.end - p.x.begin, p.y.end - p.y.begin, p.z.end - p.z.begin};
    record_box_copy(recorder_, shaders_,
                    {dst, info.dst.level, box, src, info.src.level, p.x.src_begin, p.y.src_begin,
                     p.z.src_begin, info.dst.format, info.src.format});
    after_copy();
    return true;
}

bool Transfers::blit(const pipe::BlitInfo& info) {
    MaliResource &src = mali(*info.src.resource), &dst = mali(*info.dst.resource);
    const pipe::Box &from = info.src.box, &to = info.dst.box;
    if (src.desc.samples > 1 || dst.desc.samples > 1) return dst.desc.samples == 1 && resolve(info);
    bool halved = false;
    if (!blits::converts_or_halves(info, src.layout, dst.layout, &halved)) return false;
    if (!gpu_can_convert(dst, info.dst.format, src, info.src.format, halved)) return false;
    leave_pass();
    dst.keep_plain();
    if (dst.afbc()) {
        const pipe::Ref<images::StoredResource> temporary = context_.create_temporary(dst, to);
        convert_image(recorder_, shaders_, mali(*temporary), 0, {0, 0, 0, to.width, to.height, to.depth},
                      info.dst.format, src, info.src.level, from, info.src.format);
        record_box_copy(recorder_, shaders_, {dst, info.dst.level, to, mali(*temporary), 0, 0, 0, 0});
    } else {
        convert_image(recorder_, shaders_, dst, info.dst.level, to, info.dst.format, src, info.src.level,
                      from, info.src.format);
    }
    after_copy();
    return true;
}

}  // namespace terrazzo::mali

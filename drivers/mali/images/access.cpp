// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies and blits by the GPU: by fragment jobs what is compressed, else by compute jobs, or draws.
#include <algorithm>
#include <new>

#include "drivers/mali/context.h"
#include "drivers/mali/images/copy.h"
#include "drivers/mali/images/target.h"
#include "drivers/mali/images/tile_copy.h"

namespace terrazzo::mali {

namespace {

/// Compute streams are handed over when they have grown to this.
constexpr uint64_t kMuchCopied_B = 1 << 20;
/// What is less costs the CPU less than a submission does. (It reads slowly what the GPU has written.)
constexpr uint64_t kGpuCopy_B = 16 << 10;

}  // namespace

void MaliContext::legalize(const pipe::RenderPassDesc& desc) {
    const auto check = [&](const pipe::Attachment& a) {
        if (!a.resource || !mali(*a.resource).afbc()) return;
        MaliResource& r = mali(*a.resource);
        const pipe::LevelLayout& l = r.layout.level[a.level];
        // Superblocks are written whole.
        const bool whole = desc.width == l.width && desc.height == l.height &&
                           choose_tile_px(screen_.device().chip(), desc) >= kLeastAfbcTile_px;
        if (!whole || !r.compresses_alike(a.format)) (void)make_plain(r);
    };
    for (uint32_t i = 0; i < desc.color_count; ++i)
        check(desc.color[i]);
    check(desc.depth_stencil);
}

void MaliContext::record_plain_copy(images::StoredResource& from, const Bo& to) {
    mali::record_plain_copy(recorder_, screen_.internal_shaders(), mali(from), to);
}

pipe::Ref<images::StoredResource> MaliContext::create_staged(const pipe::ResourceDesc& desc,
                                                             images::StagingMemory& memory) {
    return MaliResource::create_staged(screen_.device(), desc, memory);
}

uint64_t MaliContext::least_device_copy_B() const {
    return kGpuCopy_B;
}

void MaliContext::after_gpu_copy() {
    if (recorder_.compute.emitted_B() > kMuchCopied_B || recorder_.is_awaited()) (void)submit();
}

bool MaliContext::copy_by_device(const images::ImageCopy& c) {
    MaliResource &dst = mali(c.dst), &src = mali(c.src);
    // From AFBC there is less to do for fragment jobs than for compute jobs, and they can write AFBC.
    const bool by_tiles = src.afbc() && box_copy_keeps_bits(dst, src);
    if (by_tiles && &dst != &src)
        dst.begin_drawing(dst.desc.format);
    else
        dst.keep_plain();
    if (dst.afbc() || by_tiles) {
        copy_by_tiles(c);
    } else if (gpu_can_copy(dst, c.dst_level, c.to, src, c.src_level, c.from)) {
        end_pass();
        copy_image_to_image(recorder_, screen_.internal_shaders(), dst, c.dst_level, c.to, src, c.src_level,
                            c.from);
    } else {
        return false;
    }
    after_gpu_copy();
    return true;
}

void MaliContext::copy_by_tiles(const images::ImageCopy& c) {
    MaliResource &dst = mali(c.dst), &src = mali(c.src);
    InternalShaders& shaders = screen_.internal_shaders();
    end_pass();
    const bool apart = &dst != &src || c.dst_level != c.src_level;
    if (apart && box_copy_keeps_bits(dst, src))
        return record_box_copy(recorder_, shaders, dst, c.dst_level, c.to, src, c.src_level, c.from.x,
                               c.from.y, c.from.z);
    const pipe::Ref<images::StoredResource> aside = create_aside(dst, c.to);
    copy_image_to_image(recorder_, shaders, mali(*aside), 0, {0, 0, 0, c.to.width, c.to.height, c.to.depth},
                        src, c.src_level, c.from);
    record_box_copy(recorder_, shaders, dst, c.dst_level, c.to, mali(*aside), 0, 0, 0, 0);
}

/// Copies as they are and what the CPU must do are pipe/blit's to find out.
bool MaliContext::try_blit(const pipe::BlitInfo& info) {
    if (in_pass_ || !info.src.resource || !info.dst.resource) return false;
    if (blit_by_compute(info)) return true;
    blits::DrawBlits& draws = screen_.draw_blits();
    if (!draws.can(info)) return false;
    MaliResource &src = mali(*info.src.resource), &dst = mali(*info.dst.resource);
    if (!dst.afbc() && !src.afbc() &&
        !device_shall_copy(dst, src,
                           uint64_t(std::abs(int64_t(info.src.box.height))) *
                               pipe::format_row_B(src.desc.format, uint32_t(std::abs(info.src.box.width))),
                           kGpuCopy_B))
        return false;
    const StateAside aside(*this);
    return draws.run(*this, info, screen_.draw_clears().rectangle(), screen_.draw_clears().layout(), log_);
}

/// What changes formats, and mipmaps whose levels are half of those before.
bool MaliContext::blit_by_compute(const pipe::BlitInfo& info) {
    if (!info.color || info.scissored) return false;
    MaliResource &src = mali(*info.src.resource), &dst = mali(*info.dst.resource);
    const pipe::Box &from = info.src.box, &to = info.dst.box;
    const auto halves = [](int32_t a, int32_t b) { return a == 2 * b || (a == 1 && b == 1); };
    const bool same_size = from.width == to.width && from.height == to.height;
    const bool halved = !same_size && info.filter == pipe::Filter::Linear && halves(from.width, to.width) &&
                        halves(from.height, to.height);
    if (from.depth != to.depth || from.width <= 0 || from.height <= 0 || from.depth <= 0 ||
        !(halved || (same_size && info.src.format != info.dst.format)))
        return false;
    if ((&dst == &src && info.dst.level == info.src.level) || src.desc.kind == pipe::ResourceKind::Buffer ||
        dst.desc.kind == pipe::ResourceKind::Buffer ||
        !pipe::layout_box_valid(src.layout, info.src.level, from) ||
        !pipe::layout_box_valid(dst.layout, info.dst.level, to))
        return false;
    if (!gpu_can_convert(dst, info.dst.format, src, info.src.format, halved)) return false;
    if (!dst.afbc() && !src.afbc() &&
        !device_shall_copy(dst, src,
                           uint64_t(from.depth) * uint64_t(from.height) *
                               pipe::format_row_B(src.desc.format, uint32_t(from.width)),
                           kGpuCopy_B))
        return false;
    InternalShaders& shaders = screen_.internal_shaders();
    end_pass();
    dst.keep_plain();
    if (dst.afbc()) {
        const pipe::Ref<images::StoredResource> aside = create_aside(dst, to);
        convert_image(recorder_, shaders, mali(*aside), 0, {0, 0, 0, to.width, to.height, to.depth},
                      info.dst.format, src, info.src.level, from, info.src.format);
        record_box_copy(recorder_, shaders, dst, info.dst.level, to, mali(*aside), 0, 0, 0, 0);
    } else {
        convert_image(recorder_, shaders, dst, info.dst.level, to, info.dst.format, src, info.src.level, from,
                      info.src.format);
    }
    after_gpu_copy();
    return true;
}

}  // namespace terrazzo::mali

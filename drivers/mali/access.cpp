// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Maps, copies and blits: whether the CPU or the GPU does them, and what happens first to what is recorded
// and to images that are compressed.
#include <algorithm>
#include <new>

#include "drivers/mali/copy.h"
#include "drivers/mali/open_pass.h"
#include "drivers/mali/target.h"
#include "drivers/mali/transfer.h"

namespace terrazzo::mali {

namespace {

/// Compute streams are handed over when they have grown to this.
constexpr uint64_t kMuchCopied_B = 1 << 20;
/// Idle images of less are copied by the CPU: that costs less than a submission. (It reads slowly what the
/// GPU has written.)
constexpr uint64_t kGpuCopy_B = 16 << 10;
/// An AFBC image that the CPU reads more often becomes plain.
constexpr uint32_t kCompressedReads = 2;

}  // namespace

// --- compressed images -------------------------------------------------------------------------------------

void MaliContext::legalize(const pipe::RenderPassDesc& desc) {
    const auto check = [&](const pipe::Attachment& a) {
        if (!a.resource || !mali(*a.resource).afbc()) return;
        MaliResource& r = mali(*a.resource);
        const pipe::LevelLayout& l = r.layout.level[a.level];
        // Superblocks are written whole.
        const bool whole = desc.width == l.width && desc.height == l.height &&
                           choose_tile_px(screen_.device().chip(), desc) >= kLeastAfbcTile_px;
        if ((!whole || !afbc_compatible(r.desc.format, a.format)) && !make_plain(r, true))
            throw std::bad_alloc();
    };
    for (uint32_t i = 0; i < desc.color_count; ++i)
        check(desc.color[i]);
    check(desc.depth_stencil);
}

bool MaliContext::make_plain(MaliResource& r, bool keeps) {
    if (!r.afbc()) return true;
    screen_.device().slow("an AFBC image becomes plain%s", keeps ? ": the GPU copies it" : "");
    pipe::Ref<Bo> memory = r.create_plain();
    if (!memory) {
        log_(pipe::Severity::Error, "mali: cannot decompress an image: out of memory");
        return false;
    }
    if (keeps) {
        const OpenPass open(*this);
        end_pass();
        record_plain_copy(recorder_, screen_.internal_shaders(), r, *memory);
    }
    r.become_plain(std::move(memory));
    if (keeps) recorder_.write(r);
    note_image_changes();
    return true;
}

pipe::Mapping MaliContext::map_compressed(MaliResource& r, uint32_t level, const pipe::Box& box) {
    screen_.device().slow(
        "recorded work is submitted and waited for: the CPU wants to read an image (compressed: "
        "the GPU copies it first)");
    pipe::Ref<Bo> rows = screen_.device().create_bo(tile_rows(r, level, box).size_B, bo_flag::kUndefined);
    if (!rows) {
        log_(pipe::Severity::Error, "mali: cannot map an image: out of memory");
        return {};
    }
    {
        const OpenPass open(*this);
        end_pass();
        record_rows_copy(recorder_, screen_.internal_shaders(), r, level, box, *rows);
        recorder_.use(rows, true);
    }
    (void)submit();
    (void)rows->uses.wait(false, ~uint64_t(0));  // a lost device leaves the contents undefined
    return map_copied_rows(r, level, box, tile_rows(r, level, box), *rows);
}

// --- the CPU's access --------------------------------------------------------------------------------------

void MaliContext::before_access(MaliResource& r, bool write) {
    if (!recorder_.uses(*r.bo(), write)) return;
    screen_.device().slow("recorded work is submitted and waited for: the CPU wants to %s %s",
                          write ? "write" : "read",
                          r.desc.kind == pipe::ResourceKind::Buffer ? "a buffer" : "an image");
    (void)submit();
}

pipe::Mapping MaliContext::map(pipe::Resource& resource, uint32_t level, const pipe::Box& box,
                               uint32_t flags) {
    using namespace pipe::map_flag;
    MaliResource& r = mali(resource);
    if (r.afbc()) {
        const bool reads_once = !(flags & (kWrite | kDontBlock | kPersistent)) &&
                                r.compressed_reads.fetch_add(1, std::memory_order_relaxed) < kCompressedReads;
        if (reads_once && pipe::layout_box_valid(r.layout, level, box)) return map_compressed(r, level, box);
        if (!make_plain(r, (flags & kRead) || !(flags & kDiscardWhole))) return {};
        flags &= ~kUnsynchronized;
    }
    if (!(flags & kUnsynchronized)) {
        const bool write = flags & kWrite;
        const bool is_buffer = r.desc.kind == pipe::ResourceKind::Buffer;
        // New memory for a buffer whose contents nobody wants costs less than waiting.
        if (is_buffer && (flags & kDiscardWhole) && !(flags & kRead) &&
            !(r.bo()->flags & bo_flag::kShareable) &&
            (recorder_.uses(*r.bo(), true) || r.bo()->uses.busy(true)) && r.rename()) {
            dirty_ |= kVertexTables | kVertexFau | kFragmentTables;
            flags |= kUnsynchronized;
        } else {
            before_access(r, write);
        }
    }
    return map_resource(r, level, box, flags);
}

void MaliContext::unmap(pipe::Resource& resource, const pipe::Mapping& mapping) {
    unmap_resource(mali(resource), mapping);
}

// --- copies ------------------------------------------------------------------------------------------------

bool MaliContext::copies_by_gpu(MaliResource& dst, MaliResource& src, uint64_t size_B) {
    return size_B >= kGpuCopy_B || recorder_.uses(*src.bo(), false) || recorder_.uses(*dst.bo(), true) ||
           src.bo()->uses.busy(false) || dst.bo()->uses.busy(true);
}

void MaliContext::after_gpu_copy() {
    if (recorder_.compute.emitted_B() > kMuchCopied_B) (void)submit();
}

void MaliContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                              int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                              const pipe::Box& box) {
    MaliResource &dst = mali(dst_resource), &src = mali(src_resource);
    pipe::Box to;
    const bool valid = copy_boxes_valid(dst, dst_level, x, y, z, src, src_level, box, &to);
    if (valid && (!make_plain(dst) || !make_plain(src))) return;
    if (valid && gpu_can_copy(dst, dst_level, to, src, src_level, box) &&
        copies_by_gpu(dst, src,
                      uint64_t(box.depth) * pipe::format_row_B(src.desc.format, uint32_t(box.width)) *
                          pipe::format_block_rows(src.desc.format, uint32_t(box.height)))) {
        end_pass();
        copy_image_to_image(recorder_, screen_.internal_shaders(), dst, dst_level, to, src, src_level, box);
        return after_gpu_copy();
    }
    before_access(src, false);
    before_access(dst, true);
    copy_region_cpu(dst, dst_level, x, y, z, src, src_level, box);
}

/// What changes formats, and mipmaps whose levels are half of those before; copies as they are and what the
/// CPU must do are pipe/blit's to find out.
bool MaliContext::try_blit(const pipe::BlitInfo& info) {
    if (!info.src.resource || !info.dst.resource || !info.color || info.scissored) return false;
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
    if (!make_plain(dst) || !make_plain(src)) return false;
    if (!gpu_can_convert(dst, info.dst.format, src, info.src.format, halved) ||
        !copies_by_gpu(dst, src,
                       uint64_t(from.depth) * uint64_t(from.height) *
                           pipe::format_row_B(src.desc.format, uint32_t(from.width))))
        return false;
    end_pass();
    convert_image(recorder_, screen_.internal_shaders(), dst, info.dst.level, to, info.dst.format, src,
                  info.src.level, from, info.src.format);
    after_gpu_copy();
    return true;
}

}  // namespace terrazzo::mali

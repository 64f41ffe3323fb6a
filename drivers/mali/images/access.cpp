// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Maps, copies and blits: whether the CPU or the GPU does them, and what happens first to what is recorded
// and to images that are compressed.
#include <algorithm>
#include <new>

#include "drivers/common/images/form_change.h"
#include "drivers/common/images/transfer.h"
#include "drivers/mali/images/copy.h"
#include "drivers/mali/images/target.h"
#include "drivers/mali/images/tile_copy.h"
#include "drivers/mali/passes/state_aside.h"

namespace terrazzo::mali {

namespace {

/// Compute streams are handed over when they have grown to this.
constexpr uint64_t kMuchCopied_B = 1 << 20;
/// Idle images of less are copied by the CPU: that costs less than a submission. (It reads slowly what the
/// GPU has written.)
constexpr uint64_t kGpuCopy_B = 16 << 10;
/// An AFBC image that the CPU reads whole more often, with few jobs in between, becomes plain: to copy it to
/// rows first moves more bytes than compression saves.
constexpr uint32_t kWholeReads = 2;
constexpr uint64_t kFewJobs = 16;

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
        if ((whole && afbc_compatible(r.desc.format, a.format)) || make_plain(r, true)) return;
        log_(pipe::Severity::Error,
             "mali: cannot draw to an image: it is compressed, and another context draws to it and does not "
             "flush");
        throw std::bad_alloc();
    };
    for (uint32_t i = 0; i < desc.color_count; ++i)
        check(desc.color[i]);
    check(desc.depth_stencil);
}

bool MaliContext::make_plain(MaliResource& r, bool keeps) {
    if (!r.afbc()) return true;
    pipe::Ref<Bo> memory = r.create_plain();
    if (!memory) {
        log_(pipe::Severity::Error, "mali: cannot decompress an image: out of memory");
        return false;
    }
    const PausedPass paused(*this);
    (void)submit();  // then nothing but the copy is recorded under the lock
    const images::FormChange change = images::change_form(
        r, [&] { return !r.afbc(); },
        [&] {
            if (keeps) {
                record_plain_copy(recorder_, screen_.internal_shaders(), r, *memory);
                recorder_.use(memory, true);
                (void)submit();
            }
            r.become_plain(std::move(memory));
        });
    if (change == images::FormChange::Others) return false;
    screen_.device().slow("an AFBC image became plain%s", keeps ? ": the GPU copies it" : "");
    note_image_changes();
    return true;
}

bool MaliContext::reads_often(MaliResource& r, uint32_t level, const pipe::Box& box) const {
    const pipe::LevelLayout& l = r.layout.level[level];
    if (2 * uint64_t(box.width) * uint64_t(box.height) < uint64_t(l.width) * l.height) return false;
    const uint64_t now = recorder_.fragment_job();
    if (now - r.read_after.exchange(now, std::memory_order_relaxed) > kFewJobs)
        r.whole_reads.store(0, std::memory_order_relaxed);
    return r.whole_reads.fetch_add(1, std::memory_order_relaxed) >= kWholeReads;
}

pipe::Mapping MaliContext::map_compressed(MaliResource& r, uint32_t level, const pipe::Box& box,
                                          uint32_t flags) {
    using namespace pipe::map_flag;
    // A map for writing alone leaves what is not written as it was, but where that is given up.
    if (!(flags & kRead) && (flags & (kDiscardRange | kDiscardWhole)))
        return images::map_copied_rows(r, level, box, flags, {});
    screen_.device().slow(
        "recorded work is submitted and waited for: the CPU wants to read an image (compressed: "
        "the GPU copies it first)");
    const TileRows from = tile_rows(r, level, box);
    pipe::Ref<Bo> rows = screen_.device().create_bo(from.size_B, bo_flag::kUndefined);
    if (!rows) {
        log_(pipe::Severity::Error, "mali: cannot map an image: out of memory");
        return {};
    }
    {
        const PausedPass paused(*this);
        record_rows_copy(recorder_, screen_.internal_shaders(), r, level, box, *rows);
        recorder_.use(rows, true);
    }
    (void)submit();
    (void)rows->wait(false, ~uint64_t(0));  // a lost device leaves the contents undefined
    const uint8_t* const first = rows->cpu + uint64_t(box.y - from.area.y0) * from.row_stride_B +
                                 size_t(pipe::format_row_B(r.desc.format, uint32_t(box.x - from.area.x0)));
    return images::map_copied_rows(r, level, box, flags, {first, from.row_stride_B, from.image_B});
}

pipe::Ref<MaliResource> MaliContext::create_aside(const MaliResource& image, const pipe::Box& box) {
    pipe::ResourceDesc d;
    d.kind = box.depth > 1 ? pipe::ResourceKind::Tex2DArray : pipe::ResourceKind::Tex2D;
    d.format = image.desc.format;
    d.width = uint32_t(box.width);
    d.height = uint32_t(box.height);
    d.layers = uint32_t(box.depth);
    d.bind = pipe::bind::kSampled | pipe::bind::kLinear;
    pipe::Ref<MaliResource> aside = MaliResource::create(screen_.device(), d, bo_flag::kUndefined);
    if (!aside) throw std::bad_alloc();
    return aside;
}

void MaliContext::write_compressed(MaliResource& r, const pipe::Mapping& mapping) {
    uint32_t level;
    pipe::Box box;
    if (!images::writes_compressed(mapping, &level, &box)) return;
    const pipe::Ref<MaliResource> aside = create_aside(r, box);
    images::fill_linear(*aside, mapping);
    const PausedPass paused(*this);
    record_box_copy(recorder_, screen_.internal_shaders(), r, level, box, *aside, 0, 0, 0, 0);
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
    if (flags & kWrite) r.keep_plain();
    if (r.afbc() && pipe::layout_box_valid(r.layout, level, box)) {
        const bool through_rows = !(flags & (kDontBlock | kPersistent));
        const bool plain = (flags & kWrite) || !through_rows || reads_often(r, level, box);
        if (!plain || !make_plain(r, (flags & kRead) || !(flags & kDiscardWhole)))
            return through_rows ? map_compressed(r, level, box, flags) : pipe::Mapping{};
        flags &= ~kUnsynchronized;
    }
    if (!(flags & kUnsynchronized)) {
        const bool write = flags & kWrite;
        const bool is_buffer = r.desc.kind == pipe::ResourceKind::Buffer;
        // New memory for a buffer whose contents nobody wants costs less than waiting.
        if (is_buffer && (flags & kDiscardWhole) && !(flags & kRead) &&
            !(r.bo()->flags & bo_flag::kShareable) && (recorder_.uses(*r.bo(), true) || r.bo()->busy(true)) &&
            r.rename(recorder_.count_writes(*r.bo()))) {
            dirty_ |= kVertexTables | kVertexFau | kFragmentTables;
            flags |= kUnsynchronized;
        } else {
            before_access(r, write);
        }
    }
    return images::map_resource(r, level, box, flags);
}

void MaliContext::unmap(pipe::Resource& resource, const pipe::Mapping& mapping) {
    MaliResource& r = mali(resource);
    const images::UnmapAtEnd unmap(r, mapping);
    write_compressed(r, mapping);
}

// --- copies ------------------------------------------------------------------------------------------------

bool MaliContext::copies_by_gpu(MaliResource& dst, MaliResource& src, uint64_t size_B) {
    return size_B >= kGpuCopy_B || recorder_.uses(*src.bo(), false) || recorder_.uses(*dst.bo(), true) ||
           src.bo()->busy(false) || dst.bo()->busy(true);
}

void MaliContext::after_gpu_copy() {
    if (recorder_.compute.emitted_B() > kMuchCopied_B || recorder_.is_awaited()) (void)submit();
}

void MaliContext::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                              int32_t z, pipe::Resource& src_resource, uint32_t src_level,
                              const pipe::Box& box) {
    MaliResource &dst = mali(dst_resource), &src = mali(src_resource);
    pipe::Box to;
    const bool valid = images::copy_boxes_valid(dst, dst_level, x, y, z, src, src_level, box, &to);
    // From AFBC there is less to do for fragment jobs than for compute jobs, and they can write AFBC.
    if (valid && src.afbc() && box_copy_keeps_bits(dst, src) && &dst != &src)
        dst.begin_drawing(dst.desc.format);
    else
        dst.keep_plain();
    if (valid && (dst.afbc() || (src.afbc() && box_copy_keeps_bits(dst, src))))
        return copy_by_tiles(dst, dst_level, to, src, src_level, box);
    if (valid && gpu_can_copy(dst, dst_level, to, src, src_level, box) &&
        (src.afbc() ||
         copies_by_gpu(dst, src,
                       uint64_t(box.depth) * pipe::format_row_B(src.desc.format, uint32_t(box.width)) *
                           pipe::format_block_rows(src.desc.format, uint32_t(box.height))))) {
        end_pass();
        copy_image_to_image(recorder_, screen_.internal_shaders(), dst, dst_level, to, src, src_level, box);
        return after_gpu_copy();
    }
    before_access(src, false);
    before_access(dst, true);
    images::copy_region_cpu(dst, dst_level, x, y, z, src, src_level, box);
}

void MaliContext::copy_by_tiles(MaliResource& dst, uint32_t dst_level, const pipe::Box& to, MaliResource& src,
                                uint32_t src_level, const pipe::Box& from) {
    InternalShaders& shaders = screen_.internal_shaders();
    end_pass();
    const bool apart = &dst != &src || dst_level != src_level;
    if (apart && box_copy_keeps_bits(dst, src)) {
        record_box_copy(recorder_, shaders, dst, dst_level, to, src, src_level, from.x, from.y, from.z);
    } else {
        const pipe::Ref<MaliResource> aside = create_aside(dst, to);
        copy_image_to_image(recorder_, shaders, *aside, 0, {0, 0, 0, to.width, to.height, to.depth}, src,
                            src_level, from);
        record_box_copy(recorder_, shaders, dst, dst_level, to, *aside, 0, 0, 0, 0);
    }
    after_gpu_copy();
}

/// Copies as they are and what the CPU must do are pipe/blit's to find out.
bool MaliContext::try_blit(const pipe::BlitInfo& info) {
    if (in_pass_ || !info.src.resource || !info.dst.resource) return false;
    if (blit_by_compute(info)) return true;
    blits::DrawBlits& draws = screen_.draw_blits();
    if (!draws.can(info)) return false;
    MaliResource &src = mali(*info.src.resource), &dst = mali(*info.dst.resource);
    if (!dst.afbc() && !src.afbc() &&
        !copies_by_gpu(dst, src,
                       uint64_t(std::abs(int64_t(info.src.box.height))) *
                           pipe::format_row_B(src.desc.format, uint32_t(std::abs(info.src.box.width)))))
        return false;
    const StateAside aside(*this);
    return draws.run(*this, info, *screen_.rectangle, screen_.rectangle_layout.get(), log_);
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
        !copies_by_gpu(dst, src,
                       uint64_t(from.depth) * uint64_t(from.height) *
                           pipe::format_row_B(src.desc.format, uint32_t(from.width))))
        return false;
    InternalShaders& shaders = screen_.internal_shaders();
    end_pass();
    dst.keep_plain();
    if (dst.afbc()) {
        const pipe::Ref<MaliResource> aside = create_aside(dst, to);
        convert_image(recorder_, shaders, *aside, 0, {0, 0, 0, to.width, to.height, to.depth},
                      info.dst.format, src, info.src.level, from, info.src.format);
        record_box_copy(recorder_, shaders, dst, info.dst.level, to, *aside, 0, 0, 0, 0);
    } else {
        convert_image(recorder_, shaders, dst, info.dst.level, to, info.dst.format, src, info.src.level, from,
                      info.src.format);
    }
    after_gpu_copy();
    return true;
}

}  // namespace terrazzo::mali

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/images/access.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "drivers/common/submission/recording.h"

namespace terrazzo::images {
namespace {

namespace flag = pipe::map_flag;
using pipe::Box;

/// A compressed image that the CPU has read as a whole this often, with few passes in between, becomes
/// uncompressed: to copy it before each read moves more bytes than compression saves.
constexpr uint32_t kWholeReads = 2;
constexpr uint64_t kFewPasses = 16;
/// Larger buffers are not renewed: the device copies what is written to them.
constexpr uint64_t kMostRenewed_B = 256 << 10;
/// The device copies as many bytes between idle buffers; the CPU copies fewer.
constexpr uint64_t kMuchBuffer_B = 64 << 10;

bool is_buffer(const StoredResource& r) {
    return r.desc.kind == pipe::ResourceKind::Buffer;
}
bool is_inside(const StoredResource& buffer, const Box& b) {
    return b.x >= 0 && b.width > 0 && uint64_t(b.x) + uint64_t(b.width) <= buffer.layout.size_B;
}
Box all_of(const Box& box) {
    return {0, 0, 0, box.width, box.height, box.depth};
}

// The CPU accesses images by transfer.h, or by planes.cpp if they have a stencil plane.
pipe::Mapping map_now(StoredResource& r, uint32_t level, const Box& box, uint32_t flags) {
    const std::optional<StencilPlane> stencil = r.stencil_plane();
    return stencil ? map_planes(r, *stencil, level, box, flags) : map_resource(r, level, box, flags);
}
void unmap_now(StoredResource& r, const pipe::Mapping& mapping) {
    const std::optional<StencilPlane> stencil = r.stencil_plane();
    return stencil ? unmap_planes(r, *stencil, mapping) : unmap_resource(r, mapping);
}
void copy_by_cpu(const ImageCopy& c) {
    const std::optional<StencilPlane> dst = c.dst.stencil_plane(), src = c.src.stencil_plane();
    if (dst && src) return copy_planes(c, *dst, *src);
    copy_region_cpu(c.dst, c.dst_level, c.to.x, c.to.y, c.to.z, c.src, c.src_level, c.from);
}

uint64_t bytes_of(const StoredResource& r, const Box& b) {
    return uint64_t(b.depth) * pipe::format_row_B(r.desc.format, uint32_t(b.width)) *
           pipe::format_block_rows(r.desc.format, uint32_t(b.height));
}

}  // namespace

/// A map of a temporary resource, which holds the pixels or bytes of the box.
struct ImageAccess::TemporaryMap : MapRecord {
    pipe::Ref<StoredResource> image;
    pipe::Mapping mapping;
};

// --- the form of images ------------------------------------------------------------------------------------

bool ImageAccess::make_plain(StoredResource& r) {
    const char* const vendor = recording().pool.device().vendor;
    if (r.pins.load(std::memory_order_relaxed)) {
        log_(pipe::Severity::Error,
             std::string(vendor) + ": a compressed image that others share cannot be used in this way");
        return false;
    }
    if (try_make_plain(r) == FormChange::Done) return true;
    log_(
        pipe::Severity::Error,
        std::string(vendor) + ": cannot decompress an image: another context draws to it and does not flush");
    throw std::bad_alloc();
}

FormChange ImageAccess::try_make_plain(StoredResource& r) {
    recording().pool.device().slow("a compressed image of %s becomes plain: the device copies it",
                                   pipe::format_info(r.desc.format).name);
    FormChange change = FormChange::Done;
    {
        const PausedPass paused(*this);
        (void)submit();  // nothing but the copy must be recorded under the lock
        change = change_form(
            r, [&] { return !r.is_compressed(); },
            [&] {
                pipe::Ref<Bo> memory = r.create_plain();
                if (!memory) throw std::bad_alloc();
                record_plain_copy(r, *memory);
                recording().use(memory, true);
                (void)submit();
                r.become_plain(std::move(memory));
            });
    }
    touch_memory(r);
    return change;
}

bool ImageAccess::reads_often(StoredResource& r, const Box& box) const {
    const pipe::LevelLayout& l = r.layout.level[0];
    const uint64_t image_px = uint64_t(l.width) * l.height * r.layout.z_count(0);
    if (2 * uint64_t(box.width) * uint64_t(box.height) * uint64_t(box.depth) < image_px) return false;
    if (passes_ - r.read_before.exchange(passes_, std::memory_order_relaxed) > kFewPasses)
        r.whole_reads.store(0, std::memory_order_relaxed);
    return r.whole_reads.fetch_add(1, std::memory_order_relaxed) >= kWholeReads;
}

// --- maps --------------------------------------------------------------------------------------------------

void ImageAccess::before_access(StoredResource& r, bool write) {
    if (!recording().uses(*r.bo(), write)) return;
    recording().pool.device().slow("recorded work is submitted and waited for: the CPU wants to %s %s",
                                   write ? "write" : "read", is_buffer(r) ? "a buffer" : "an image");
    (void)submit();
}

bool ImageAccess::renew(StoredResource& r, const Bo& memory, bool is_recorded) {
    // Work that is recorded for an image may be packed later, with its current address.
    if ((memory.flags & memory::bo_flag::kShareable) || (is_recorded && !is_buffer(r)) ||
        !r.rename(recording().count_writes(memory)))
        return false;
    touch_memory(r);
    return true;
}

bool ImageAccess::renew_with_contents(StoredResource& r, const Bo& memory, bool is_recorded) {
    const StoredResource::CpuMemory old = r.cpu_memory();
    if (r.layout.size_B > kMostRenewed_B || old.bo.get() != &memory || recording().uses(memory, false) ||
        old.bo->busy(false) || !renew(r, memory, is_recorded))
        return false;
    std::memcpy(r.cpu_memory().first, old.first, r.layout.size_B);
    return true;
}

pipe::Mapping ImageAccess::map(pipe::Resource& resource, uint32_t level, const Box& box, uint32_t flags) {
    StoredResource& r = stored(resource);
    const bool writes = flags & flag::kWrite;
    // A write-only map keeps the bytes that are not written, unless the caller discards them.
    const bool replaces =
        writes && !(flags & flag::kRead) && (flags & (flag::kDiscardRange | flag::kDiscardWhole));
    const bool is_valid = !is_buffer(r) && pipe::layout_box_valid(r.layout, level, box);
    const bool is_range =
        is_buffer(r) ? is_inside(r, box) : is_valid && box.width > 0 && box.height > 0 && box.depth > 0;
    const bool may_use_temporary = is_range && !(flags & (flag::kDontBlock | flag::kPersistent));
    if (writes) r.keep_plain();
    if (is_valid && r.is_compressed()) {
        if (may_use_temporary && copies_compressed(r)) {
            const bool stays = replaces || r.pins.load(std::memory_order_relaxed) || !reads_often(r, box);
            if (stays || try_make_plain(r) == FormChange::Others)
                return map_temporary(r, level, box, flags, !replaces);
        } else if ((flags & flag::kDontBlock) || !make_plain(r)) {
            return {};
        }
        flags &= ~flag::kUnsynchronized;
    }
    if (!(flags & flag::kUnsynchronized)) {
        const pipe::Ref<Bo> memory = r.bo();
        const bool is_recorded = recording().uses(*memory, writes);
        const bool gives_up = replaces && (flags & flag::kDiscardWhole);
        const bool is_used =
            (gives_up || (replaces && may_use_temporary)) && (is_recorded || memory->busy(true));
        // New memory costs less than a wait or a copy.
        if (is_used && gives_up && renew(r, *memory, is_recorded)) {
            flags |= flag::kUnsynchronized;
        } else {
            const bool renewed = is_used && is_buffer(r) && renew_with_contents(r, *memory, is_recorded);
            if (is_used && may_use_temporary && !renewed)
                if (const pipe::Mapping m = map_temporary(r, level, box, flags, false); m.data) return m;
            if (renewed)
                flags |= flag::kUnsynchronized;
            else
                before_access(r, writes);
        }
    }
    return map_now(r, level, box, flags);
}

pipe::Ref<StoredResource> ImageAccess::create_temporary(const StoredResource& image, const Box& box,
                                                        bool linear) {
    pipe::ResourceDesc d;
    d.width = uint32_t(box.width);
    if (is_buffer(image)) {
        d.kind = pipe::ResourceKind::Buffer;
        d.bind = pipe::bind::kVertex;
    } else {
        d.kind = box.depth > 1 ? pipe::ResourceKind::Tex2DArray : pipe::ResourceKind::Tex2D;
        d.format = image.desc.format;
        d.height = uint32_t(box.height);
        d.layers = uint32_t(box.depth);
        d.samples = image.desc.samples;
        d.bind = pipe::bind::kSampled | (linear ? pipe::bind::kLinear : 0);
    }
    pipe::Ref<StoredResource> temporary = create_staged(d, staging_);
    if (!temporary) throw std::bad_alloc();
    return temporary;
}

pipe::Mapping ImageAccess::map_temporary(StoredResource& r, uint32_t level, const Box& box, uint32_t flags,
                                         bool reads) {
    try {
        auto temporary = std::make_unique<TemporaryMap>(
            TemporaryMap{{level, flags, box, true}, create_temporary(r, box), {}});
        StoredResource& image = *temporary->image;
        uint32_t how = flag::kWrite | flag::kDiscardRange | flag::kUnsynchronized;
        if (reads) {
            recording().pool.device().slow(
                "recorded work is submitted and waited for: the CPU wants to read an image (compressed: the "
                "device copies it first)");
            if (!copy_by_device({image, 0, all_of(box), r, level, box}))
                return make_plain(r) ? map(r, level, box, flags) : pipe::Mapping{};
            (void)submit();
            (void)image.bo()->wait(false, ~uint64_t(0));  // a lost device leaves the contents undefined
            how = flag::kRead | (flags & flag::kWrite) | flag::kUnsynchronized;
        }
        temporary->mapping = map_now(image, 0, all_of(box), how);
        if (!temporary->mapping.data) return {};
        pipe::Mapping m = temporary->mapping;
        m.cookie = static_cast<MapRecord*>(temporary.release());
        return m;
    } catch (const std::bad_alloc&) {
        log_(pipe::Severity::Error, std::string(recording().pool.device().vendor) + ": cannot map " +
                                        (is_buffer(r) ? "a buffer" : "an image") +
                                        " that is in use: out of memory");
        return {};
    }
}

void ImageAccess::unmap(pipe::Resource& resource, const pipe::Mapping& m) {
    StoredResource& r = stored(resource);
    auto* const record = static_cast<MapRecord*>(m.cookie);
    if (!m.data || !record || !record->is_temporary) return unmap_now(r, m);
    const std::unique_ptr<TemporaryMap> map(static_cast<TemporaryMap*>(record));
    unmap_now(*map->image, map->mapping);
    if (map->flags & flag::kWrite) copy_back(r, *map);
}

void ImageAccess::copy_back(StoredResource& r, TemporaryMap& map) {
    const ImageCopy copy{r, map.level, map.box, *map.image, 0, all_of(map.box)};
    try {
        const bool done =
            is_buffer(r) ? try_copy_bytes({r, uint64_t(map.box.x), *map.image, 0, uint64_t(map.box.width)})
                         : copy_by_device(copy);
        if (done) return;
    } catch (const std::bad_alloc&) {
        // The CPU's copy needs no memory if the image is uncompressed.
        if (r.is_compressed()) throw;
    }
    copy_back_by_cpu(r, copy);
}

void ImageAccess::copy_back_by_cpu(StoredResource& r, const ImageCopy& copy) {
    if (r.is_compressed() && !make_plain(r)) return;
    before_access(r, true);
    copy_by_cpu(copy);
}

// --- copies ------------------------------------------------------------------------------------------------

bool ImageAccess::device_shall_copy(StoredResource& dst, StoredResource& src, uint64_t size_B,
                                    uint64_t much_B) {
    const pipe::Ref<Bo> to = dst.bo(), from = src.bo();
    return size_B >= much_B || recording().uses(*from, false) || recording().uses(*to, true) ||
           from->busy(false) || to->busy(true);
}

bool ImageAccess::device_shall_blit(const pipe::BlitInfo& info) {
    StoredResource &dst = stored(*info.dst.resource), &src = stored(*info.src.resource);
    const Box& b = info.src.box;
    const Box size{0, 0, 0, std::abs(b.width), std::abs(b.height), std::abs(b.depth)};
    return dst.is_compressed() || src.is_compressed() ||
           device_shall_copy(dst, src, bytes_of(src, size), least_device_copy_B());
}

bool ImageAccess::try_copy_bytes(const BufferCopy& c) {
    const auto is_inside = [&](const StoredResource& r, uint64_t at_B) {
        return at_B <= r.layout.size_B && c.size_B <= r.layout.size_B - at_B;
    };
    const bool overlaps = &c.dst == &c.src && c.dst_B < c.src_B + c.size_B && c.src_B < c.dst_B + c.size_B;
    if (in_pass_ || overlaps || !is_inside(c.src, c.src_B) || !is_inside(c.dst, c.dst_B) ||
        !device_shall_copy(c.dst, c.src, c.size_B, kMuchBuffer_B))
        return false;
    return copy_bytes_by_device(c);
}

void ImageAccess::wait_for_writes(StoredResource& r) {
    before_access(r, false);
    (void)r.bo()->wait(false, ~uint64_t(0));  // a lost device leaves the contents undefined
}

void ImageAccess::copy_region(pipe::Resource& dst_resource, uint32_t dst_level, int32_t x, int32_t y,
                              int32_t z, pipe::Resource& src_resource, uint32_t src_level, const Box& box) {
    StoredResource &dst = stored(dst_resource), &src = stored(src_resource);
    Box to{x, y, z, box.width, box.height, box.depth};
    const bool images_fit = copy_boxes_valid(dst, dst_level, x, y, z, src, src_level, box, &to);
    const ImageCopy copy{dst, dst_level, to, src, src_level, box};
    if (images_fit) {
        for (;;) {
            const bool compressed = src.is_compressed() || dst.is_compressed();
            if ((compressed || device_shall_copy(dst, src, bytes_of(src, box), least_device_copy_B())) &&
                copy_by_device(copy))
                return;
            if (!src.is_compressed() && !dst.is_compressed()) break;
            for (StoredResource* const r : {&dst, &src})
                if (r->is_compressed() && !make_plain(*r)) return;
        }
    } else if (is_buffer(dst) && is_buffer(src) && x >= 0 && box.x >= 0 && box.width > 0) {
        if (try_copy_bytes({dst, uint64_t(x), src, uint64_t(box.x), uint64_t(box.width)})) return;
    }
    dst.keep_plain();
    before_access(src, false);
    before_access(dst, true);
    copy_by_cpu(copy);
}

}  // namespace terrazzo::images

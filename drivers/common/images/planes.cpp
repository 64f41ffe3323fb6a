// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/images/access.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include "drivers/common/images/transfer.h"
#include "drivers/common/memory/bo.h"
#include "drivers/common/memory/device.h"
#include "pipe/layout/layout.h"

namespace terrazzo::images {
namespace {

using pipe::Box;
namespace flag = pipe::map_flag;

// Memory of a map: the MapRecord, the CPU's pixels, then rows of depth and of stencil without gaps.
constexpr uint64_t kRecord_B = 64;
static_assert(sizeof(MapRecord) <= kRecord_B);
constexpr size_t kPixel_B = 8, kDepth_B = 4;

/// The sizes of a map's parts.
struct RowSizes {
    RowSizes(const StoredResource& r, const Box& box)
        : row_px(size_t(box.width) * r.desc.samples),
          image_px(row_px * size_t(box.height)),
          count(image_px * size_t(box.depth)) {}
    size_t row_px, image_px, count;
    /// The size of the memory, which begins with the record.
    [[nodiscard]] uint64_t memory_B() const { return kRecord_B + count * (kPixel_B + kDepth_B + 1); }
};

/// The parts of a map's memory.
struct Rows : RowSizes {
    Rows(const RowSizes& sizes, void* memory)
        : RowSizes(sizes),
          pixels(static_cast<uint8_t*>(memory) + kRecord_B),
          depth(pixels + count * kPixel_B),
          stencil(depth + count * kDepth_B) {}
    uint8_t *pixels, *depth, *stencil;
};

// The box was checked by map_planes().
void interleave(const StoredResource& r, const StencilPlane& stencil, const MapRecord& a, const Rows& rows) {
    (void)pipe::detile_rect(r.layout, r.cpu(), a.level, a.box, rows.depth, ptrdiff_t(rows.row_px * kDepth_B),
                            ptrdiff_t(rows.image_px * kDepth_B));
    (void)pipe::detile_rect(stencil.layout, stencil.cpu, a.level, a.box, rows.stencil, ptrdiff_t(rows.row_px),
                            ptrdiff_t(rows.image_px));
    for (size_t i = 0; i < rows.count; ++i) {
        std::memcpy(rows.pixels + i * kPixel_B, rows.depth + i * kDepth_B, kDepth_B);
        const uint32_t s = rows.stencil[i];
        std::memcpy(rows.pixels + i * kPixel_B + kDepth_B, &s, sizeof s);
    }
}

void divide(StoredResource& r, const StencilPlane& stencil, const MapRecord& a, const Rows& rows) {
    for (size_t i = 0; i < rows.count; ++i) {
        std::memcpy(rows.depth + i * kDepth_B, rows.pixels + i * kPixel_B, kDepth_B);
        rows.stencil[i] = rows.pixels[i * kPixel_B + kDepth_B];
    }
    (void)pipe::tile_rect(r.layout, r.cpu(), a.level, a.box, rows.depth, ptrdiff_t(rows.row_px * kDepth_B),
                          ptrdiff_t(rows.image_px * kDepth_B));
    (void)pipe::tile_rect(stencil.layout, stencil.cpu, a.level, a.box, rows.stencil, ptrdiff_t(rows.row_px),
                          ptrdiff_t(rows.image_px));
}

pipe::Mapping refuse(const StoredResource& r, const char* why) {
    r.bo()->device->log()(pipe::Severity::Error,
                          std::string(r.bo()->device->vendor) + ": cannot map an image: " + why);
    return {};
}

}  // namespace

pipe::Mapping map_planes(StoredResource& r, const StencilPlane& stencil, uint32_t level, const Box& box,
                         uint32_t flags) {
    if (!pipe::layout_box_valid(r.layout, level, box)) return refuse(r, "a region outside the resource");
    const uint64_t timeout_ns = flags & flag::kDontBlock ? 0 : ~uint64_t(0);
    if (!(flags & flag::kUnsynchronized) &&
        r.bo()->wait(flags & flag::kWrite, timeout_ns) == memory::WaitResult::Timeout)
        return {};
    const RowSizes sizes(r, box);
    void* const memory = r.acquire_staging(sizes.memory_B());
    if (!memory) return refuse(r, "out of memory");
    auto* const record = new (memory) MapRecord{level, flags, box};
    const Rows rows(sizes, memory);
    if ((flags & flag::kRead) || !(flags & (flag::kDiscardRange | flag::kDiscardWhole)))
        interleave(r, stencil, *record, rows);
    return {.data = rows.pixels,
            .row_stride_B = uint32_t(rows.row_px * kPixel_B),
            .layer_stride_B = rows.image_px * kPixel_B,
            .cookie = record};
}

void unmap_planes(StoredResource& r, const StencilPlane& stencil, const pipe::Mapping& m) {
    if (!m.data) return;
    auto* const record = static_cast<MapRecord*>(m.cookie);
    if (record->flags & flag::kWrite) divide(r, stencil, *record, Rows(RowSizes(r, record->box), record));
    r.release_staging(record);
}

void copy_planes(const ImageCopy& c, const StencilPlane& dst_stencil, const StencilPlane& src_stencil) {
    StoredResource &dst = c.dst, &src = c.src;
    const pipe::Mapping from = map_planes(src, src_stencil, c.src_level, c.from, flag::kRead);
    if (!from.data) return;
    const pipe::Mapping to =
        map_planes(dst, dst_stencil, c.dst_level, c.to, flag::kWrite | flag::kDiscardRange);
    if (to.data && src.desc.samples == dst.desc.samples)
        std::memcpy(to.data, from.data, size_t(from.layer_stride_B) * size_t(c.from.depth));
    unmap_planes(dst, dst_stencil, to);
    unmap_planes(src, src_stencil, from);
}

}  // namespace terrazzo::images

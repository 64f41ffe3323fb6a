// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and linear images are mapped directly, tiled images through linear rows in ordinary memory
// (pipe/layout).
#include "drivers/common/images/transfer.h"

#include <cstring>
#include <new>
#include <string>

namespace terrazzo::images {

namespace {

using pipe::Box;
using pipe::ResourceKind;
namespace flag = pipe::map_flag;

void report(const StoredResource& r, const char* what) {
    const memory::Device& device = *r.bo()->device;
    device.log()(pipe::Severity::Error, std::string(device.vendor) + ": " + what);
}

// A MapRecord precedes the rows of a mapped image.
constexpr uint64_t kRows_B = 64;  // the offset of the rows, and the alignment of their stride
static_assert(sizeof(MapRecord) <= kRows_B);

/// The bytes of a row of blocks. The samples of a pixel are adjacent.
uint64_t row_bytes(const StoredResource& r, const Box& box) {
    return pipe::format_row_B(r.desc.format, uint32_t(box.width)) * r.layout.samples;
}

/// The layout of a box in linear rows.
struct Rows {
    uint32_t stride_B;
    uint64_t image_B, size_B;
};
Rows rows_of(const StoredResource& r, const Box& box) {
    const uint64_t row_B = row_bytes(r, box);
    Rows rows;
    rows.stride_B = uint32_t((row_B + kRows_B - 1) & ~(kRows_B - 1));
    rows.image_B = uint64_t(rows.stride_B) * pipe::format_block_rows(r.desc.format, uint32_t(box.height));
    rows.size_B = rows.image_B * uint32_t(box.depth);
    return rows;
}

bool inside(const StoredResource& r, uint32_t level, const Box& b) {
    if (r.desc.kind != ResourceKind::Buffer) return pipe::layout_box_valid(r.layout, level, b);
    return level == 0 && b.x >= 0 && b.width >= 0 && uint64_t(b.x) + uint64_t(b.width) <= r.layout.size_B;
}

/// False: it would block.
bool synchronize(StoredResource& r, uint32_t flags) {
    if (flags & flag::kUnsynchronized) return true;
    const bool write = flags & flag::kWrite;
    if (r.bo()->device->tells_slow() && r.bo()->busy(write))
        r.bo()->device->slow("the CPU waits: it wants to %s %s that the GPU uses", write ? "write" : "read",
                             r.desc.kind == ResourceKind::Buffer ? "a buffer" : "an image");
    const memory::WaitResult result = r.bo()->wait(write, flags & flag::kDontBlock ? 0 : ~uint64_t(0));
    return result != memory::WaitResult::Timeout;
}

pipe::Mapping map_directly(StoredResource& r, uint32_t level, const Box& box) {
    pipe::Mapping m;
    const std::lock_guard guard(r.mutex());
    r.pins.fetch_add(1, std::memory_order_relaxed);
    if (r.desc.kind == ResourceKind::Buffer) {
        m.data = r.cpu() + box.x;
        m.row_stride_B = uint32_t(box.width);
        m.layer_stride_B = uint64_t(uint32_t(box.width));
    } else {
        m.data = r.cpu() + r.layout.block_offset_B(level, uint32_t(box.z), uint32_t(box.x), uint32_t(box.y));
        m.row_stride_B = r.layout.level[level].row_stride_B;
        m.layer_stride_B = r.layout.z_stride_B(level);
    }
    return m;
}

pipe::Mapping map_rows(StoredResource& r, uint32_t level, const Box& box, uint32_t flags) {
    const Rows rows = rows_of(r, box);
    auto* memory = static_cast<uint8_t*>(r.acquire_staging(kRows_B + rows.size_B));
    if (!memory) {
        report(r, "cannot map an image: out of memory");
        return {};
    }
    // A write-only map keeps the pixels that are not written, unless the caller discards them.
    const bool discards = flags & (flag::kDiscardRange | flag::kDiscardWhole);
    if (((flags & flag::kRead) || !discards) &&
        !pipe::detile_rect(r.layout, r.cpu_memory().first, level, box, memory + kRows_B, rows.stride_B,
                           ptrdiff_t(rows.image_B))) {
        r.release_staging(memory);
        return {};
    }
    auto* record = new (memory) MapRecord{level, flags, box};
    pipe::Mapping m;
    m.data = memory + kRows_B;
    m.row_stride_B = rows.stride_B;
    m.layer_stride_B = rows.image_B;
    m.cookie = record;
    return m;
}

// A box of `src` in the pixels of `dst`. Their blocks may have different sizes.
Box box_in(const StoredResource& dst, int32_t x, int32_t y, int32_t z, const StoredResource& src,
           const Box& b) {
    const pipe::FormatInfo &s = pipe::format_info(src.desc.format), &d = pipe::format_info(dst.desc.format);
    Box to{x, y, z, b.width, b.height, b.depth};
    if (s.block_w_px == d.block_w_px && s.block_h_px == d.block_h_px) return to;
    to.width = (b.width + s.block_w_px - 1) / s.block_w_px * d.block_w_px;
    to.height = (b.height + s.block_h_px - 1) / s.block_h_px * d.block_h_px;
    return to;
}

/// An image, and the first byte of its memory.
struct Bytes {
    StoredResource& image;
    uint8_t* first;
};

// Both images are linear. Within one image the rows may overlap: the direction ensures that no row is
// overwritten before it is read.
void copy_linear(const Bytes& to_bytes, uint32_t dst_level, const Box& to, const Bytes& from_bytes,
                 uint32_t src_level, const Box& from) {
    const StoredResource &dst = to_bytes.image, &src = from_bytes.image;
    const auto row_B = size_t(row_bytes(src, from));
    const auto rows = int32_t(pipe::format_block_rows(src.desc.format, uint32_t(from.height)));
    const auto src_stride = ptrdiff_t(src.layout.level[src_level].row_stride_B);
    const auto dst_stride = ptrdiff_t(dst.layout.level[dst_level].row_stride_B);
    const bool same = &dst == &src && dst_level == src_level;
    const bool backward = same && (to.z > from.z || (to.z == from.z && to.y > from.y));
    for (int32_t i = 0; i < from.depth; ++i) {
        const int32_t z = backward ? from.depth - 1 - i : i;
        const uint8_t* s = from_bytes.first + src.layout.block_offset_B(src_level, uint32_t(from.z + z),
                                                                        uint32_t(from.x), uint32_t(from.y));
        uint8_t* d = to_bytes.first +
                     dst.layout.block_offset_B(dst_level, uint32_t(to.z + z), uint32_t(to.x), uint32_t(to.y));
        for (int32_t k = 0; k < rows; ++k) {
            const int32_t row = backward ? rows - 1 - k : k;
            std::memmove(d + row * dst_stride, s + row * src_stride, row_B);
        }
    }
}

// Copies through linear rows in staging memory. If one image is linear, directly between the images.
bool copy_tiled(const Bytes& to_bytes, uint32_t dst_level, const Box& to, const Bytes& from_bytes,
                uint32_t src_level, const Box& from) {
    StoredResource &dst = to_bytes.image, &src = from_bytes.image;
    const bool src_linear = src.layout.tiling == pipe::Tiling::Linear;
    const bool dst_linear = dst.layout.tiling == pipe::Tiling::Linear;
    if (src_linear)
        return pipe::tile_rect(
            dst.layout, to_bytes.first, dst_level, to,
            from_bytes.first +
                src.layout.block_offset_B(src_level, uint32_t(from.z), uint32_t(from.x), uint32_t(from.y)),
            src.layout.level[src_level].row_stride_B, ptrdiff_t(src.layout.z_stride_B(src_level)));
    if (dst_linear)
        return pipe::detile_rect(src.layout, from_bytes.first, src_level, from,
                                 to_bytes.first + dst.layout.block_offset_B(dst_level, uint32_t(to.z),
                                                                            uint32_t(to.x), uint32_t(to.y)),
                                 dst.layout.level[dst_level].row_stride_B,
                                 ptrdiff_t(dst.layout.z_stride_B(dst_level)));
    const Rows rows = rows_of(src, from);
    void* staging = dst.acquire_staging(rows.size_B);
    if (!staging) return report(dst, "cannot copy an image: out of memory"), true;
    const bool good = pipe::detile_rect(src.layout, from_bytes.first, src_level, from, staging, rows.stride_B,
                                        ptrdiff_t(rows.image_B)) &&
                      pipe::tile_rect(dst.layout, to_bytes.first, dst_level, to, staging, rows.stride_B,
                                      ptrdiff_t(rows.image_B));
    dst.release_staging(staging);
    return good;
}

}  // namespace

pipe::Mapping map_resource(StoredResource& r, uint32_t level, const Box& box, uint32_t flags) {
    if (!inside(r, level, box)) {
        report(r, "map of a region outside the resource");
        return {};
    }
    if (flags & flag::kWrite) r.before_cpu_write();
    if (!synchronize(r, flags)) return {};
    return r.layout.tiling == pipe::Tiling::Linear ? map_directly(r, level, box)
                                                   : map_rows(r, level, box, flags);
}

void unmap_resource(StoredResource& r, const pipe::Mapping& m) {
    if (!m.data) return;
    if (!m.cookie) {
        r.pins.fetch_sub(1, std::memory_order_relaxed);
        return;
    }
    auto* const record = static_cast<MapRecord*>(m.cookie);
    // map_resource() has checked the box.
    if (record->flags & flag::kWrite) {
        r.before_cpu_write();
        (void)pipe::tile_rect(r.layout, r.cpu_memory().first, record->level, record->box, m.data,
                              m.row_stride_B, ptrdiff_t(m.layer_stride_B));
    }
    r.release_staging(record);
}

bool copy_boxes_valid(const StoredResource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                      const StoredResource& src, uint32_t src_level, const Box& box, Box* to) {
    if (dst.desc.kind == ResourceKind::Buffer || src.desc.kind == ResourceKind::Buffer ||
        dst.layout.block_B != src.layout.block_B || dst.desc.samples != src.desc.samples)
        return false;
    *to = box_in(dst, x, y, z, src, box);
    return box.width > 0 && box.height > 0 && box.depth > 0 && inside(src, src_level, box) &&
           inside(dst, dst_level, *to);
}

void copy_region_cpu(StoredResource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                     StoredResource& src, uint32_t src_level, const Box& box) {
    if (dst.layout.block_B != src.layout.block_B || dst.desc.samples != src.desc.samples)
        return report(src, "copy between formats of different size, or numbers of samples");
    const bool buffers = dst.desc.kind == ResourceKind::Buffer;
    if (buffers != (src.desc.kind == ResourceKind::Buffer))
        return report(src, "copy between a buffer and an image");
    const Box to = box_in(dst, x, y, z, src, box);
    if (!inside(src, src_level, box) || !inside(dst, dst_level, to))
        return report(src, "copy of a region outside a resource");
    if (!box.width || !box.height || !box.depth) return;
    dst.before_cpu_write();
    src.bo()->device->slow("the CPU copies %dx%dx%d of %s", box.width, box.height, box.depth,
                           buffers ? "a buffer" : pipe::format_info(src.desc.format).name);
    // If the device is lost, the contents are undefined.
    const StoredResource::CpuMemory from_memory = src.cpu_memory(), to_memory = dst.cpu_memory();
    (void)from_memory.bo->wait(false, ~uint64_t(0));
    (void)to_memory.bo->wait(true, ~uint64_t(0));
    const Bytes from_bytes{src, from_memory.first}, to_bytes{dst, to_memory.first};
    if (buffers)
        std::memmove(to_memory.first + x, from_memory.first + box.x, size_t(box.width));
    else if (src.layout.tiling == pipe::Tiling::Linear && dst.layout.tiling == pipe::Tiling::Linear)
        copy_linear(to_bytes, dst_level, to, from_bytes, src_level, box);
    else if (!copy_tiled(to_bytes, dst_level, to, from_bytes, src_level, box))
        report(src, "copy of a region outside a resource");
}

}  // namespace terrazzo::images

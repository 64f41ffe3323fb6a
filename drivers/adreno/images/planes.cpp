// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/images/planes.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <vector>

namespace terrazzo::adreno {
namespace {

using pipe::Box;
namespace flag = pipe::map_flag;

/// In front of a mapped image's rows.
struct Access {
    uint32_t level, flags;
    Box box;
};
constexpr uint64_t kRows_B = 64;
static_assert(sizeof(Access) <= kRows_B);
constexpr size_t kPixel_B = 8, kDepth_B = 4;

size_t row_pixels(const AdrenoResource& r, const Box& box) {
    return size_t(box.width) * r.desc.samples;
}

/// One plane's rows of a box, without gaps.
struct PlaneRows {
    PlaneRows(const AdrenoResource& r, Plane plane, const Box& box)
        : row_B(row_pixels(r, box) * pipe::format_info(r.plane_format(plane)).block_B),
          image_B(row_B * size_t(box.height)),
          bytes(image_B * size_t(box.depth)) {}
    size_t row_B, image_B;
    std::vector<uint8_t> bytes;
};

// The box was good when it was mapped.
void read_plane(const AdrenoResource& r, Plane plane, const Access& a, PlaneRows* rows) {
    (void)pipe::detile_rect(r.plane(plane).surface, r.plane_cpu(plane), a.level, a.box, rows->bytes.data(),
                            ptrdiff_t(rows->row_B), ptrdiff_t(rows->image_B));
}
void write_plane(AdrenoResource& r, Plane plane, const Access& a, const PlaneRows& rows) {
    (void)pipe::tile_rect(r.plane(plane).surface, r.plane_cpu(plane), a.level, a.box, rows.bytes.data(),
                          ptrdiff_t(rows.row_B), ptrdiff_t(rows.image_B));
}

void interleave(const AdrenoResource& r, const Access& a, uint8_t* pixels) {
    PlaneRows depth(r, Plane::Main, a.box), stencil(r, Plane::Stencil, a.box);
    read_plane(r, Plane::Main, a, &depth);
    read_plane(r, Plane::Stencil, a, &stencil);
    for (size_t i = 0; i < stencil.bytes.size(); ++i, pixels += kPixel_B) {
        std::memcpy(pixels, &depth.bytes[i * kDepth_B], kDepth_B);
        const uint32_t s = stencil.bytes[i];
        std::memcpy(pixels + kDepth_B, &s, sizeof s);
    }
}

void divide(AdrenoResource& r, const Access& a, const uint8_t* pixels) {
    PlaneRows depth(r, Plane::Main, a.box), stencil(r, Plane::Stencil, a.box);
    for (size_t i = 0; i < stencil.bytes.size(); ++i, pixels += kPixel_B) {
        std::memcpy(&depth.bytes[i * kDepth_B], pixels, kDepth_B);
        stencil.bytes[i] = pixels[kDepth_B];
    }
    write_plane(r, Plane::Main, a, depth);
    write_plane(r, Plane::Stencil, a, stencil);
}

pipe::Mapping refuse(const AdrenoResource& r, const char* why) {
    r.bo()->device->log()(pipe::Severity::Error, std::string("adreno: cannot map an image: ") + why);
    return {};
}

}  // namespace

pipe::Mapping map_planes(AdrenoResource& r, uint32_t level, const Box& box, uint32_t flags) {
    if (!pipe::layout_box_valid(r.layout, level, box)) return refuse(r, "a region outside the resource");
    const uint64_t timeout_ns = flags & flag::kDontBlock ? 0 : ~uint64_t(0);
    if (!(flags & flag::kUnsynchronized) &&
        r.bo()->wait(flags & flag::kWrite, timeout_ns) == memory::WaitResult::Timeout)
        return {};
    const size_t row_B = row_pixels(r, box) * kPixel_B, image_B = row_B * size_t(box.height);
    auto* const memory = static_cast<uint8_t*>(r.acquire_staging(kRows_B + image_B * size_t(box.depth)));
    if (!memory) return refuse(r, "out of memory");
    auto* const access = new (memory) Access{level, flags, box};
    try {
        if ((flags & flag::kRead) || !(flags & (flag::kDiscardRange | flag::kDiscardWhole)))
            interleave(r, *access, memory + kRows_B);
    } catch (const std::bad_alloc&) {
        r.release_staging(memory);
        return refuse(r, "out of memory");
    }
    return {.data = memory + kRows_B,
            .row_stride_B = uint32_t(row_B),
            .layer_stride_B = image_B,
            .cookie = access};
}

void unmap_planes(AdrenoResource& r, const pipe::Mapping& m) {
    if (!m.data) return;
    auto* const access = static_cast<Access*>(m.cookie);
    if (access->flags & flag::kWrite) divide(r, *access, static_cast<const uint8_t*>(m.data));
    r.release_staging(access);
}

void copy_planes(AdrenoResource& dst, uint32_t dst_level, int32_t x, int32_t y, int32_t z,
                 AdrenoResource& src, uint32_t src_level, const Box& box) {
    const pipe::Mapping from = map_planes(src, src_level, box, flag::kRead);
    if (!from.data) return;
    const Box to_box{x, y, z, box.width, box.height, box.depth};
    const pipe::Mapping to = map_planes(dst, dst_level, to_box, flag::kWrite | flag::kDiscardRange);
    if (to.data && src.desc.samples == dst.desc.samples)
        std::memcpy(to.data, from.data, size_t(from.layer_stride_B) * size_t(box.depth));
    unmap_planes(dst, to);
    unmap_planes(src, from);
}

}  // namespace terrazzo::adreno

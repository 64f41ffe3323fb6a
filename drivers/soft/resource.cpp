// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/resource.h"

#include <algorithm>
#include <new>

namespace terrazzo::soft {

namespace {

constexpr uint32_t kMaxExtent = 16384;
constexpr uint64_t kMaxSize_B = uint64_t(1) << 40;
/// Sampling and block accesses may read this much past the last row.
constexpr uint64_t kTail_B = 64;

uint64_t align64(uint64_t v) {
    return (v + 63) & ~uint64_t(63);
}

}  // namespace

bool layout_image(const pipe::ResourceDesc& d, ImageLayout* out) {
    if (d.kind == pipe::ResourceKind::Buffer) {
        LevelLayout& l = out->levels[0];
        l.width = d.width;
        l.height = l.depth = l.slices = 1;
        l.row_stride_B = d.width;
        l.layer_stride_B = d.width;
        out->size_B = d.width;
        return true;
    }
    if (d.format == pipe::Format::None || !d.width || !d.height || !d.depth || !d.layers || !d.levels)
        return false;
    if (d.width > kMaxExtent || d.height > kMaxExtent || d.depth > kMaxExtent || d.layers > kMaxExtent ||
        d.levels > kMaxLevels || d.samples > kMaxSamples)
        return false;
    // Samples are of flat images alone.
    const bool flat = d.kind == pipe::ResourceKind::Tex2D || d.kind == pipe::ResourceKind::Tex2DArray;
    if (d.samples != 1 && (!flat || d.levels != 1 || !d.samples)) return false;
    const bool is_3d = d.kind == pipe::ResourceKind::Tex3D;
    const bool compressed = pipe::format_info(d.format).is_compressed;
    uint64_t offset = 0;
    for (uint32_t i = 0; i < d.levels; ++i) {
        LevelLayout& l = out->levels[i];
        l.width = std::max(1u, d.width >> i);
        l.height = std::max(1u, d.height >> i);
        l.depth = is_3d ? std::max(1u, d.depth >> i) : 1;
        l.slices = is_3d ? l.depth : d.layers;
        l.row_stride_B = uint32_t(align64(pipe::format_row_B(d.format, l.width)));
        uint32_t rows = pipe::format_block_rows(d.format, l.height);
        if (!compressed) rows += rows & 1;
        l.sample_stride_B = uint64_t(l.row_stride_B) * rows;
        l.layer_stride_B = l.sample_stride_B * d.samples;
        l.offset_B = offset;
        offset += l.layer_stride_B * l.slices;
        if (offset > kMaxSize_B) return false;
    }
    out->size_B = offset;
    return true;
}

pipe::Ref<pipe::Resource> SoftResource::create(const pipe::ResourceDesc& desc,
                                               std::pmr::memory_resource* memory) {
    ImageLayout layout;
    if (!layout_image(desc, &layout)) return nullptr;
    uint8_t* data = nullptr;
    try {
        data = static_cast<uint8_t*>(memory->allocate(layout.size_B + kTail_B, 64));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
    SoftResource* r = new (std::nothrow) SoftResource(desc, layout, memory, data);
    if (!r) memory->deallocate(data, layout.size_B + kTail_B, 64);
    return pipe::Ref<pipe::Resource>::adopt(r);
}

SoftResource::~SoftResource() {
    memory_->deallocate(data_, layout_.size_B + kTail_B, 64);
}

}  // namespace terrazzo::soft

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/resources/resource.h"

#include <algorithm>
#include <new>

#include "pipe/modifier.h"

namespace terrazzo::soft {

namespace {

constexpr uint32_t kMaxExtent = 16384;
constexpr uint64_t kMaxSize_B = uint64_t(1) << 40;
/// Sampling and block accesses may read this far beyond the last row.
constexpr uint64_t kTail_B = 64;
/// The alignment of resources in imported memory.
constexpr uint64_t kOffsetAlign_B = 64;

uint64_t align64(uint64_t v) {
    return (v + 63) & ~uint64_t(63);
}

bool can_be_shared(const pipe::ResourceDesc& d) {
    const pipe::FormatInfo& format = pipe::format_info(d.format);
    return pipe::is_single_picture(d) && !format.is_compressed && !format.is_depth_stencil();
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
    // Only two-dimensional images can be multisampled.
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

pipe::Ref<pipe::Resource> SoftResource::create_shared(const pipe::ResourceDesc& desc) {
    ImageLayout layout;
    if (!can_be_shared(desc) || !layout_image(desc, &layout)) return nullptr;
    std::unique_ptr<winsys::SharedMemory> memory = winsys::SharedMemory::create(layout.size_B);
    if (!memory) return nullptr;
    return pipe::Ref<pipe::Resource>::adopt(new (std::nothrow)
                                                SoftResource(desc, layout, std::move(memory), false));
}

pipe::Ref<pipe::Resource> SoftResource::import(const pipe::ResourceDesc& desc, const pipe::SharedImage& image,
                                               pipe::ImportStatus* status) {
    using enum pipe::ImportStatus;
    const auto refuse = [&](pipe::ImportStatus why) {
        *status = why;
        return nullptr;
    };
    ImageLayout layout;
    if (image.modifier != pipe::kModifierLinear && image.modifier != pipe::kModifierInvalid)
        return refuse(Modifier);
    if (!can_be_shared(desc) || !layout_image(desc, &layout)) return refuse(Kind);
    LevelLayout& level = layout.levels[0];
    const uint64_t row_B = pipe::format_row_B(desc.format, level.width);
    if (image.stride_B < row_B) return refuse(StrideTooSmall);
    const uint32_t pixel_B = pipe::format_info(desc.format).block_B;
    const bool drawn = desc.bind & (pipe::bind::kColor | pipe::bind::kImage);
    if (drawn && image.stride_B % pixel_B) return refuse(StrideUnsuited);
    const uint64_t size_B = image.offset_B + uint64_t(level.height - 1) * image.stride_B + row_B;
    std::unique_ptr<winsys::SharedMemory> memory = winsys::SharedMemory::import(image.fd, size_B);
    if (!memory) return refuse(NotShared);
    if (drawn && !memory->writable()) return refuse(Unwritable);
    if (size_B > memory->size_B()) return refuse(TooSmall);
    level.offset_B = image.offset_B;
    level.row_stride_B = image.stride_B;
    level.sample_stride_B = level.layer_stride_B = uint64_t(image.stride_B) * level.height;
    layout.size_B = size_B;
    pipe::Ref<pipe::Resource> r = pipe::Ref<pipe::Resource>::adopt(
        new (std::nothrow) SoftResource(desc, layout, std::move(memory), true));
    return r ? r : refuse(OutOfMemory);
}

pipe::Ref<pipe::Resource> SoftResource::create_in(const pipe::ResourceDesc& desc,
                                                  const pipe::MemoryRange& range,
                                                  pipe::ImportStatus* status) {
    using enum pipe::ImportStatus;
    const auto refuse = [&](pipe::ImportStatus why) {
        *status = why;
        return nullptr;
    };
    ImageLayout layout;
    if (!layout_image(desc, &layout)) return refuse(Kind);
    if (range.offset_B % kOffsetAlign_B) return refuse(Offset);
    std::unique_ptr<winsys::SharedMemory> memory = winsys::SharedMemory::import(range.fd);
    if (!memory) return refuse(NotShared);
    if (!memory->writable()) return refuse(Unwritable);
    if (layout.size_B > range.size_B || range.offset_B > memory->size_B() ||
        layout.size_B > memory->size_B() - range.offset_B)
        return refuse(TooSmall);
    pipe::Ref<pipe::Resource> r = pipe::Ref<pipe::Resource>::adopt(
        new (std::nothrow) SoftResource(desc, layout, std::move(memory), false, range.offset_B));
    return r ? r : refuse(OutOfMemory);
}

bool SoftResource::export_to(pipe::SharedImage* out) const {
    if (!shared_ || !can_be_shared(desc)) return false;
    const int fd = shared_->export_fd();
    if (fd < 0) return false;
    *out = {fd, pipe::kModifierLinear,
            uint32_t(uint64_t(data_ - shared_->data()) + layout_.levels[0].offset_B),
            layout_.levels[0].row_stride_B};
    return true;
}

SoftResource::~SoftResource() {
    if (memory_) memory_->deallocate(data_, layout_.size_B + kTail_B, 64);
}

}  // namespace terrazzo::soft

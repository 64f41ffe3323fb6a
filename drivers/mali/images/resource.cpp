// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where images lie, their memory, and dma-bufs. Sources: Mesa 25.0.7, src/panfrost/lib/pan_layout.c (rows,
// levels, layers and what is imported begin at 64 bytes; an interleaved image's stride is said for a row of
// pixels), gallium pan_resource.c (what is tiled); drm_fourcc.h (modifiers).
#include "drivers/mali/images/resource.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include "drivers/common/images/import_status.h"
#include "drivers/mali/device.h"
#include "pipe/modifier.h"

namespace terrazzo::mali {

namespace {

using pipe::LayoutStatus;
using pipe::ResourceKind;
using pipe::Tiling;

constexpr uint32_t kAlign_B = 64;
constexpr uint32_t kMaxExtent = 1u << 16;           // of Texture's and Plane's fields
constexpr uint64_t kMaxImage_B = (1ull << 31) - 1;  // strides of slices are signed
constexpr uint32_t kInterleaved_px = 16;            // rows of pixels in a row of tiles

constexpr uint64_t kModInterleaved = 0x0810000000000001;  // ARM_16X16_BLOCK_U_INTERLEAVED

constexpr uint64_t kCrcAlign_B = 64;

void complain(const Device& device, const char* what, const char* why) {
    device.log()(pipe::Severity::Error, std::string("mali: cannot ") + what + ": " + why);
}

}  // namespace

Tiling choose_tiling(const pipe::ResourceDesc& d) {
    if (d.kind == ResourceKind::Buffer) return Tiling::Linear;
    if (d.bind & (pipe::bind::kLinear | pipe::bind::kScanout | pipe::bind::kShared)) return Tiling::Linear;
    if (d.usage == pipe::Usage::Staging) return Tiling::Linear;
    const pipe::FormatInfo& f = pipe::format_info(d.format);
    if (!std::has_single_bit(f.block_B)) return Tiling::Linear;
    // Nothing is near in two directions where one has a single block.
    return pipe::format_row_B(d.format, d.width) / f.block_B < 2 ||
                   pipe::format_block_rows(d.format, d.height) < 2
               ? Tiling::Linear
               : Tiling::Interleaved;
}

LayoutStatus resource_layout(const pipe::ResourceDesc& desc, Tiling tiling, uint32_t row_stride_B,
                             pipe::SurfaceLayout* out) {
    pipe::LayoutDesc d = pipe::layout_desc_of(desc);
    if (d.kind == ResourceKind::Buffer) {
        d.width = std::max(1u, d.width);
        return pipe::layout_compute(d, out);
    }
    if (d.width > kMaxExtent || d.height > kMaxExtent || d.depth > kMaxExtent || d.layers > kMaxExtent)
        return LayoutStatus::TooLarge;
    d.tiling = tiling;
    d.row_align_B = d.level_align_B = d.layer_align_B = kAlign_B;
    if (row_stride_B) {
        if (d.levels > 1 || d.layers > 1 || d.depth > 1 || row_stride_B % kAlign_B)
            return LayoutStatus::BadStride;
        const uint32_t rows = tiling == Tiling::Linear                    ? 1
                              : pipe::format_info(d.format).is_compressed ? 4
                                                                          : kInterleaved_px;
        if (row_stride_B > kMaxImage_B / rows) return LayoutStatus::TooLarge;
        d.row_stride_B = row_stride_B * rows;
    }
    pipe::SurfaceLayout layout;
    const LayoutStatus status = pipe::layout_compute(d, &layout);
    if (status != LayoutStatus::Ok) return status;
    if (layout.size_B > kMaxImage_B) return LayoutStatus::TooLarge;
    *out = layout;
    return LayoutStatus::Ok;
}

MaliResource::MaliResource(const pipe::ResourceDesc& d, const pipe::SurfaceLayout& l, const CrcLayout& c,
                           pipe::Ref<Bo> bo, uint64_t offset_B)
    : StoredResource(d, l, std::move(bo), offset_B), crc(c), device_(Device::of(*this->bo())) {}

pipe::Ref<MaliResource> MaliResource::create(Device& device, const pipe::ResourceDesc& desc, uint32_t flags) {
    pipe::SurfaceLayout layout;
    if (desc.samples > 1) return complain(device, "create a resource", "it is multisampled"), nullptr;
    const Tiling tiling = device.debug.has(pipe::DebugWord::Linear) ? Tiling::Linear : choose_tiling(desc);
    const LayoutStatus status = resource_layout(desc, tiling, 0, &layout);
    if (status != LayoutStatus::Ok)
        return complain(device, "create a resource", pipe::layout_status_text(status)), nullptr;
    const bool shared = desc.bind & (pipe::bind::kShared | pipe::bind::kScanout);
    const CrcLayout crc = !device.debug.has(pipe::DebugWord::NoCrc) ? choose_crc(desc) : CrcLayout();
    const uint64_t image_B = (layout.size_B + kCrcAlign_B - 1) & ~(kCrcAlign_B - 1);
    pipe::Ref<Bo> bo = device.create_bo(crc.size_B ? image_B + crc.size_B : layout.size_B,
                                        flags | (shared ? bo_flag::kShareable : 0));
    pipe::Ref<MaliResource> r;
    if (bo)
        r = pipe::Ref<MaliResource>::adopt(new (std::nothrow)
                                               MaliResource(desc, layout, crc, std::move(bo), 0));
    if (!r) return complain(device, "create a resource", "out of memory"), nullptr;
    pipe::AfbcLayout afbc;
    if (!device.debug.has(pipe::DebugWord::NoAfbc) && layout.tiling == Tiling::Interleaved &&
        choose_afbc(desc, &afbc)) {
        r->afbc_.reset(new (std::nothrow) pipe::AfbcLayout(afbc));
        if (r->afbc_) r->set_form(images::Form::Undecided);
    }
    return r;
}

uint64_t MaliResource::image_B(bool compressed) const {
    const uint64_t size_B = compressed ? afbc_->size_B : layout.size_B;
    return crc.size_B ? (size_B + kCrcAlign_B - 1) & ~(kCrcAlign_B - 1) : size_B;
}

uint64_t MaliResource::crc_va() const {
    return va() + image_B(afbc() != nullptr);
}

void MaliResource::storage_changed(bool form) {
    forget_crc();
    if (form) device_.image_changes.fetch_add(1, std::memory_order_relaxed);
}

pipe::Ref<Bo> MaliResource::create_compressed() const {
    pipe::Ref<Bo> bo = device_.create_bo(storage_B(true), bo_flag::kUndefined);
    // Headers of 0 say that all is 0; nobody reads a payload then.
    for (uint32_t z = 0; bo && z < afbc_->layers; ++z)
        for (uint32_t level = 0; level < afbc_->levels; ++level)
            std::memset(bo->cpu + afbc_->header_offset_B(level, z), 0, afbc_->level[level].header_B);
    return bo;
}

pipe::Ref<MaliResource> MaliResource::create_staged(Device& device, const pipe::ResourceDesc& desc,
                                                    images::StagingMemory& memory) {
    pipe::SurfaceLayout layout;
    const LayoutStatus status = resource_layout(desc, choose_tiling(desc), 0, &layout);
    if (status != LayoutStatus::Ok)
        return complain(device, "create a resource", pipe::layout_status_text(status)), nullptr;
    images::StagingMemory::Piece piece = memory.allocate(device, layout.size_B);
    if (!piece.bo) return nullptr;
    return pipe::Ref<MaliResource>::adopt(
        new (std::nothrow) MaliResource(desc, layout, {}, std::move(piece.bo), piece.offset_B));
}

std::span<const pipe::Modifier> shared_modifiers(const Device& device, pipe::Format f) {
    namespace b = pipe::bind;
    static constexpr pipe::Modifier kAll[] = {{kModInterleaved}, {pipe::kModifierLinear}};
    static constexpr pipe::Modifier kSampled[] = {{kModInterleaved, true}, {pipe::kModifierLinear, true}};
    const auto supported = [&](uint32_t bind) {
        return format_supported(device.chip(), f, ResourceKind::Tex2D, 1, b::kShared | bind);
    };
    if (!supported(b::kSampled)) return {};
    const std::span<const pipe::Modifier> all(supported(b::kSampled | b::kColor) ? kAll : kSampled);
    const bool tiled =
        std::has_single_bit(pipe::format_info(f).block_B) && !device.debug.has(pipe::DebugWord::Linear);
    return all.subspan(tiled ? 0 : 1);
}

pipe::Ref<MaliResource> MaliResource::create_shared(Device& device, const pipe::ResourceDesc& desc,
                                                    std::span<const uint64_t> modifiers) {
    constexpr const char* kWhat = "create a shared image";
    if (!pipe::is_single_picture(desc))
        return complain(device, kWhat, "it is not one two-dimensional picture"), nullptr;
    for (const pipe::Modifier& m : shared_modifiers(device, desc.format)) {
        if (!pipe::allows_modifier(modifiers, m.value)) continue;
        const Tiling tiling = m.value == kModInterleaved ? Tiling::Interleaved : Tiling::Linear;
        pipe::SurfaceLayout layout;
        const LayoutStatus status = resource_layout(desc, tiling, 0, &layout);
        if (status != LayoutStatus::Ok)
            return complain(device, kWhat, pipe::layout_status_text(status)), nullptr;
        pipe::Ref<Bo> bo = device.create_bo(layout.size_B, bo_flag::kShareable);
        pipe::Ref<MaliResource> r;
        if (bo)
            r = pipe::Ref<MaliResource>::adopt(new (std::nothrow)
                                                   MaliResource(desc, layout, {}, std::move(bo), 0));
        if (!r) return complain(device, kWhat, "out of memory"), nullptr;
        r->pins = 1;  // it stays as its modifier says
        return r;
    }
    return complain(device, kWhat, "none of its modifiers can be had for such an image"), nullptr;
}

pipe::Ref<MaliResource> MaliResource::import(Device& device, const pipe::ResourceDesc& desc,
                                             const pipe::SharedImage& image, pipe::ImportStatus* status) {
    using enum pipe::ImportStatus;
    const auto refuse = [&](pipe::ImportStatus why) {
        *status = why;
        return nullptr;
    };
    const bool interleaved = image.modifier == kModInterleaved;
    if (!interleaved && image.modifier != pipe::kModifierLinear && image.modifier != pipe::kModifierInvalid)
        return refuse(Modifier);
    if (!pipe::is_single_picture(desc)) return refuse(Kind);
    if (image.offset_B % kAlign_B) return refuse(Offset);
    pipe::SurfaceLayout layout;
    const LayoutStatus laid_out =
        resource_layout(desc, interleaved ? Tiling::Interleaved : Tiling::Linear, image.stride_B, &layout);
    if (laid_out != LayoutStatus::Ok) return refuse(images::import_status(laid_out, desc, image.stride_B));
    pipe::Ref<Bo> bo = device.import_bo(image.fd);
    if (!bo) return refuse(NotShared);
    if (image.offset_B + layout.size_B > bo->size_B) return refuse(TooSmall);
    auto r = pipe::Ref<MaliResource>::adopt(
        new (std::nothrow) MaliResource(desc, layout, {}, std::move(bo), image.offset_B));
    if (!r) return refuse(OutOfMemory);
    r->pins = 1;
    return r;
}

pipe::Ref<MaliResource> MaliResource::create_in(Device& device, const pipe::ResourceDesc& desc,
                                                const pipe::MemoryRange& range, pipe::ImportStatus* status) {
    using enum pipe::ImportStatus;
    const auto refuse = [&](pipe::ImportStatus why) {
        *status = why;
        return nullptr;
    };
    pipe::SurfaceLayout layout;
    if (desc.samples > 1 || resource_layout(desc, choose_tiling(desc), 0, &layout) != LayoutStatus::Ok)
        return refuse(Kind);
    if (range.offset_B % kAlign_B) return refuse(Offset);
    pipe::Ref<Bo> bo = device.import_bo(range.fd);
    if (!bo) return refuse(NotShared);
    if (layout.size_B > range.size_B || range.offset_B > bo->size_B ||
        layout.size_B > bo->size_B - range.offset_B)
        return refuse(TooSmall);
    auto r = pipe::Ref<MaliResource>::adopt(
        new (std::nothrow) MaliResource(desc, layout, {}, std::move(bo), range.offset_B));
    if (!r) return refuse(OutOfMemory);
    r->pins = 1;
    return r;
}

bool MaliResource::export_to(pipe::SharedImage* out) {
    if (desc.kind != ResourceKind::Tex2D || desc.levels != 1) return false;
    // For ever: the other side may keep it. From here on neither memory nor form changes.
    {
        const std::lock_guard guard(mutex());
        pins.fetch_add(1, std::memory_order_relaxed);
    }
    const pipe::Ref<Bo> memory = bo();
    const int fd = memory->device->export_bo(*memory);
    if (fd < 0) {
        pins.fetch_sub(1, std::memory_order_relaxed);
        return false;
    }
    *out = {};
    out->fd = fd;
    out->modifier = layout.tiling == Tiling::Interleaved ? kModInterleaved : pipe::kModifierLinear;
    out->offset_B = uint32_t(offset_B());
    const uint32_t rows = layout.tiling == Tiling::Linear                ? 1
                          : pipe::format_info(desc.format).is_compressed ? 4
                                                                         : kInterleaved_px;
    out->stride_B = layout.level[0].row_stride_B / rows;
    return true;
}

}  // namespace terrazzo::mali

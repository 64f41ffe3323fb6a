// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where images lie, their memory, and dma-bufs. Sources: Mesa 25.0.7, fd6_resource.cc, freedreno_resource.c (what is tiled); drm_fourcc.h.
#include "drivers/adreno/images/resource.h"

#include <algorithm>
#include <bit>
#include <new>
#include <string>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/images/storage.h"
#include "drivers/common/images/import_status.h"
#include "pipe/modifier.h"

namespace terrazzo::adreno {
namespace {

using pipe::LayoutStatus;
using pipe::ResourceKind;
using pipe::Tiling;

constexpr uint32_t kMaxExtent_px = 16384;

/// Where what lies in memory of others may begin.
constexpr uint64_t kBufferAlign_B = 64, kImageAlign_B = 4096;

void complain(const Device& device, const char* what, const char* why) {
    device.log()(pipe::Severity::Error, std::string("adreno: cannot ") + what + ": " + why);
}

Tiling choose_tiling(const pipe::ResourceDesc& d) {
    if (pipe::format_info(d.format).is_depth_stencil() || d.samples > 1) return Tiling::Macrotiled;
    if (d.bind & (pipe::bind::kLinear | pipe::bind::kScanout | pipe::bind::kShared)) return Tiling::Linear;
    return d.usage == pipe::Usage::Staging ? Tiling::Linear : Tiling::Macrotiled;
}

/// Whether the image may be compressed once it is drawn into, and gains by that.
bool gains_by_compression(const Device& device, const pipe::ResourceDesc& d) {
    constexpr uint32_t kOurs = pipe::bind::kSampled | pipe::bind::kColor | pipe::bind::kDepthStencil;
    constexpr uint32_t kLeast_px = 32;
    if (device.debug.has(pipe::DebugWord::NoUbwc) || (d.bind & ~kOurs) || d.usage != pipe::Usage::Default ||
        !(d.bind & (pipe::bind::kColor | pipe::bind::kDepthStencil)) || d.kind == ResourceKind::Tex3D ||
        d.width < kLeast_px || d.height < kLeast_px)
        return false;
    if (d.samples > 1 && (d.levels > 1 || d.layers > 1)) return false;
    const hw::FormatRow* row = hw::format_row(d.format);
    if (!row || !row->has_ubwc(device.chip().generation, d.samples)) return false;
    // Textures read stencil in a form that compression does not know.
    if (d.format == pipe::Format::D24_UNORM_S8_UINT && (d.bind & pipe::bind::kSampled)) return false;
    // Of others flags fold in ways of their own, or samples are no columns.
    constexpr uint32_t kLeastSample_B = 4, kMostPixel_B = 16;
    const uint32_t sample_B = pipe::format_info(d.format).block_B;
    return d.samples == 1 || (sample_B >= kLeastSample_B && sample_B * d.samples <= kMostPixel_B);
}

/// Each level of each layer has a page of flags at least, which is much beside small levels. What the CPU fills has them in vain.
bool flags_are_many(const pipe::ResourceDesc& d, const pipe::A6xxLayout& l) {
    constexpr uint64_t kMost = 8;  // a flag for so many bytes
    return l.ubwc.enabled && (d.levels > 1 || d.layers > 1) &&
           kMost * l.ubwc.size_B > l.surface.size_B - l.ubwc.size_B;
}

LayoutStatus buffer_layout(const pipe::ResourceDesc& desc, pipe::A6xxLayout* out) {
    pipe::LayoutDesc d = pipe::layout_desc_of(desc);
    d.width = std::max(1u, d.width);
    return pipe::layout_compute(d, &out->surface);
}

LayoutStatus image_layout(const Device& device, const pipe::ResourceDesc& desc, pipe::A6xxLayoutDesc* d,
                          pipe::A6xxLayout* out) {
    if (std::max({desc.width, desc.height, desc.depth, desc.layers}) > kMaxExtent_px)
        return LayoutStatus::TooLarge;
    return pipe::a6xx_layout_compute(*d, device.image_memory(), out);
}

}  // namespace

LayoutStatus AdrenoResource::lay_out(const Device& device, const pipe::ResourceDesc& desc, bool may_compress,
                                     pipe::A6xxLayout* main, pipe::A6xxLayout* stencil, uint64_t* size_B) {
    if (desc.kind == ResourceKind::Buffer) {
        const LayoutStatus status = buffer_layout(desc, main);
        *size_B = main->surface.size_B;
        return status;
    }
    pipe::A6xxLayoutDesc d;
    d.image = pipe::layout_desc_of(desc);
    d.image.tiling = device.debug.has(pipe::DebugWord::Linear) && desc.samples == 1 &&
                             !pipe::format_info(desc.format).is_depth_stencil()
                         ? Tiling::Linear
                         : choose_tiling(desc);
    d.ubwc = may_compress && d.image.tiling == Tiling::Macrotiled && gains_by_compression(device, desc);
    const bool has_stencil_plane = desc.format == pipe::Format::D32_FLOAT_S8X24_UINT;
    if (has_stencil_plane) d.image.format = pipe::Format::S8_UINT;
    LayoutStatus status = has_stencil_plane ? image_layout(device, desc, &d, stencil) : LayoutStatus::Ok;
    if (has_stencil_plane) d.image.format = pipe::Format::D32_FLOAT;
    if (status == LayoutStatus::Ok) status = image_layout(device, desc, &d, main);
    if (status == LayoutStatus::Ok && flags_are_many(desc, *main)) {
        d.ubwc = false;
        status = image_layout(device, desc, &d, main);
    }
    *size_B = stencil->surface.levels ? behind(*main) + stencil->surface.size_B : main->surface.size_B;
    return status;
}

pipe::Ref<AdrenoResource> AdrenoResource::create(Device& device, const pipe::ResourceDesc& desc,
                                                 uint32_t flags) {
    constexpr const char* kWhat = "create a resource";
    pipe::A6xxLayout layout, stencil;
    uint64_t size_B = 0;
    const LayoutStatus status = lay_out(device, desc, true, &layout, &stencil, &size_B);
    if (status != LayoutStatus::Ok) return complain(device, kWhat, pipe::layout_status_text(status)), nullptr;
    const bool shared = desc.bind & (pipe::bind::kShared | pipe::bind::kScanout);
    pipe::Ref<Bo> bo = device.create_bo(size_B, flags | (shared ? bo_flag::kShareable : 0));
    pipe::Ref<AdrenoResource> r;
    if (bo)
        r = pipe::Ref<AdrenoResource>::adopt(new (std::nothrow) AdrenoResource(
            desc, layout, stencil, std::move(bo), device.next_resource_id()));
    if (!r) return complain(device, kWhat, "out of memory"), nullptr;
    if (layout.ubwc.enabled) r->set_form(images::Form::Undecided);
    return r;
}

pipe::Ref<AdrenoResource> AdrenoResource::create_in(Device& device, const pipe::ResourceDesc& desc,
                                                    const pipe::MemoryRange& range,
                                                    pipe::ImportStatus* status) {
    using enum pipe::ImportStatus;
    const auto refuse = [&](pipe::ImportStatus why) {
        *status = why;
        return nullptr;
    };
    pipe::A6xxLayout layout, stencil;
    uint64_t size_B = 0;
    if (lay_out(device, desc, false, &layout, &stencil, &size_B) != LayoutStatus::Ok) return refuse(Kind);
    if (range.offset_B % (desc.kind == ResourceKind::Buffer ? kBufferAlign_B : kImageAlign_B))
        return refuse(Offset);
    pipe::Ref<Bo> bo = device.import_bo(range.fd);
    if (!bo) return refuse(NotShared);
    if (size_B > range.size_B || range.offset_B > bo->size_B || size_B > bo->size_B - range.offset_B)
        return refuse(TooSmall);
    auto r = pipe::Ref<AdrenoResource>::adopt(new (std::nothrow) AdrenoResource(
        desc, layout, stencil, std::move(bo), device.next_resource_id(), range.offset_B));
    if (!r) return refuse(OutOfMemory);
    r->pins = 1;
    return r;
}

pipe::Ref<AdrenoResource> AdrenoResource::create_staged(Device& device, const pipe::ResourceDesc& desc,
                                                        images::StagingMemory& memory) {
    pipe::A6xxLayout layout, stencil;
    uint64_t size_B = 0;
    const LayoutStatus status = lay_out(device, desc, false, &layout, &stencil, &size_B);
    if (status != LayoutStatus::Ok)
        return complain(device, "create a resource", pipe::layout_status_text(status)), nullptr;
    images::StagingMemory::Piece piece = memory.allocate(device, size_B);
    if (!piece.bo) return nullptr;
    return pipe::Ref<AdrenoResource>::adopt(new (std::nothrow) AdrenoResource(
        desc, layout, stencil, std::move(piece.bo), device.next_resource_id(), piece.offset_B));
}

bool ubwc_compatible(pipe::Format a, pipe::Format b) {
    const auto linear = [](pipe::Format f) {
        const pipe::Format l = pipe::format_to_linear(f);
        return l == pipe::Format::None ? f : l;
    };
    return linear(a) == linear(b);
}

std::span<const pipe::Modifier> shared_modifiers(const Device& device, pipe::Format f) {
    namespace b = pipe::bind;
    static constexpr pipe::Modifier kAll[] = {
        {pipe::kModQcomCompressed}, {pipe::kModQcomTiled3}, {pipe::kModifierLinear}};
    static constexpr pipe::Modifier kSampled[] = {
        {pipe::kModQcomCompressed, true}, {pipe::kModQcomTiled3, true}, {pipe::kModifierLinear, true}};
    const auto supported = [&](uint32_t bind) {
        return format_supported(device.chip(), f, ResourceKind::Tex2D, 1, b::kShared | bind);
    };
    if (!supported(b::kSampled)) return {};
    const std::span<const pipe::Modifier> all(supported(b::kSampled | b::kColor) ? kAll : kSampled);
    const bool compressed = hw::format_row(f)->has_ubwc(device.chip().generation, 1) &&
                            !device.debug.has(pipe::DebugWord::NoUbwc);
    return all.subspan(compressed ? 0 : 1);
}

pipe::Ref<AdrenoResource> AdrenoResource::create_shared(Device& device, const pipe::ResourceDesc& desc,
                                                        std::span<const uint64_t> modifiers) {
    constexpr const char* kWhat = "create a shared image";
    if (!pipe::is_single_picture(desc))
        return complain(device, kWhat, "it is not one two-dimensional picture"), nullptr;
    for (const pipe::Modifier& m : shared_modifiers(device, desc.format)) {
        if (!pipe::allows_modifier(modifiers, m.value)) continue;
        pipe::A6xxLayoutDesc d;
        d.image = pipe::layout_desc_of(desc);
        (void)pipe::a6xx_apply_modifier(m.value, &d);
        d.ubwc_imported = false;
        pipe::A6xxLayout layout;
        const LayoutStatus status = image_layout(device, desc, &d, &layout);
        if (status != LayoutStatus::Ok)
            return complain(device, kWhat, pipe::layout_status_text(status)), nullptr;
        if (pipe::a6xx_modifier(layout) != m.value) continue;  // too small for it
        pipe::Ref<Bo> bo = device.create_bo(layout.surface.size_B, bo_flag::kShareable);
        pipe::Ref<AdrenoResource> r;
        if (bo)
            r = pipe::Ref<AdrenoResource>::adopt(new (std::nothrow) AdrenoResource(
                desc, layout, {}, std::move(bo), device.next_resource_id()));
        if (!r) return complain(device, kWhat, "out of memory"), nullptr;
        // It stays as its modifier says.
        r->pins = 1;
        if (layout.ubwc.enabled) r->set_form(images::Form::Compressed);
        return r;
    }
    return complain(device, kWhat, "none of its modifiers can be had for such an image"), nullptr;
}

pipe::Ref<AdrenoResource> AdrenoResource::import(Device& device, const pipe::ResourceDesc& desc,
                                                 const pipe::SharedImage& image, pipe::ImportStatus* status) {
    using enum pipe::ImportStatus;
    const auto refuse = [&](pipe::ImportStatus why) {
        *status = why;
        return nullptr;
    };
    pipe::A6xxLayoutDesc d;
    d.image = pipe::layout_desc_of(desc);
    if (!pipe::a6xx_apply_modifier(image.modifier == pipe::kModifierInvalid ? 0 : image.modifier, &d))
        return refuse(Modifier);
    if (const hw::FormatRow* row = hw::format_row(desc.format);
        d.ubwc && (!row || !row->has_ubwc(device.chip().generation, 1)))
        return refuse(Modifier);
    if (!pipe::is_single_picture(desc)) return refuse(Kind);
    d.image.row_stride_B = image.stride_B;
    d.offset_B = image.offset_B;
    pipe::A6xxLayout layout;
    const LayoutStatus laid_out = image_layout(device, desc, &d, &layout);
    if (laid_out == LayoutStatus::BadAlignment) return refuse(Offset);
    if (laid_out != LayoutStatus::Ok) return refuse(images::import_status(laid_out, desc, image.stride_B));
    pipe::Ref<Bo> bo = device.import_bo(image.fd);
    if (!bo) return refuse(NotShared);
    if (layout.surface.size_B > bo->size_B) return refuse(TooSmall);
    auto r = pipe::Ref<AdrenoResource>::adopt(
        new (std::nothrow) AdrenoResource(desc, layout, {}, std::move(bo), device.next_resource_id()));
    if (!r) return refuse(OutOfMemory);
    r->pins = 1;
    r->note_write_step(UINT64_MAX);
    if (d.ubwc) r->set_form(images::Form::Compressed);
    return r;
}

bool AdrenoResource::export_to(pipe::SharedImage* out) {
    if (desc.kind != ResourceKind::Tex2D || desc.levels != 1) return false;
    keep_plain();
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
    // Whoever imports it here has another resource of this memory.
    note_write_step(UINT64_MAX);
    *out = {};
    out->fd = fd;
    // Flags come first.
    out->modifier = is_compressed()                       ? pipe::kModQcomCompressed
                    : layout.tiling == Tiling::Macrotiled ? pipe::kModQcomTiled3
                                                          : 0;
    out->offset_B = uint32_t(is_compressed() ? image.ubwc.level[0].offset_B : layout.level[0].offset_B);
    out->stride_B = layout.level[0].row_stride_B;
    return true;
}

bool format_supported(const hw::Chip&, pipe::Format f, ResourceKind kind, uint32_t samples, uint32_t bind) {
    namespace b = pipe::bind;
    if ((bind & b::kImage) && !is_image_format(f)) return false;
    if (samples > 1) {
        const bool flat = kind == ResourceKind::Tex2D || kind == ResourceKind::Tex2DArray;
        if (samples > kMaxSamples || !std::has_single_bit(samples) || !flat ||
            (bind & ~(b::kColor | b::kDepthStencil | b::kSampled)))
            return false;
    }
    if (kind == ResourceKind::Buffer && f == pipe::Format::None) return true;
    const hw::FormatRow* row = hw::format_row(f);
    if (!row) return false;
    const pipe::FormatInfo& info = pipe::format_info(f);
    if (kind == ResourceKind::Buffer)
        return !(bind & ~(b::kVertex | b::kIndirect | b::kSampled | b::kImage)) &&
               (!(bind & b::kVertex) || row->is_vertex()) && (!(bind & b::kSampled) || row->is_texture());
    if (bind & b::kStorage) return false;
    if (f == pipe::Format::S8_UINT) return false;
    if (info.is_vertex_only || !std::has_single_bit(info.block_B)) return false;
    if (!row->is_texture() && !row->is_target() && !row->is_depth()) return false;
    if (samples > 1 && !row->is_target()) return false;
    if ((bind & b::kSampled) && !row->is_texture()) return false;
    if ((bind & b::kColor) && (!row->is_target() || info.is_depth_stencil())) return false;
    if ((bind & b::kDepthStencil) && !row->is_depth()) return false;
    if (bind & (b::kShared | b::kScanout))
        return kind == ResourceKind::Tex2D && !info.is_compressed && !info.is_depth_stencil();
    return true;
}

}  // namespace terrazzo::adreno

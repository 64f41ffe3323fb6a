// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, src/panfrost/lib/pan_texture.c. In views, the planes of a layer's levels are adjacent;
// layers follow each other.
#include "drivers/mali/images/texture.h"
#include "drivers/common/images/format_uses.h"

#include <algorithm>
#include <new>

#include "drivers/mali/device.h"
#include "drivers/mali/hw/formats.h"
#include "drivers/mali/stream/put.h"
#include "pipe/image_formats.h"

namespace terrazzo::mali {

using pipe::ResourceKind;

namespace {

hw::Astc2dDimension astc_side(uint32_t px) {
    switch (px) {
        case 5:
            return hw::Astc2dDimension::N5;
        case 6:
            return hw::Astc2dDimension::N6;
        case 8:
            return hw::Astc2dDimension::N8;
        case 10:
            return hw::Astc2dDimension::N10;
        case 12:
            return hw::Astc2dDimension::N12;
        default:
            return hw::Astc2dDimension::N4;
    }
}

hw::Channel channel(const TexelFormat& f, pipe::Swizzle s) {
    // Channels next to depth or stencil must not be visible.
    if (f.depth || f.stencil) s = images::texel_channel(pipe::format_info(pipe::Format::S8_UINT), s);
    static constexpr hw::Channel kChannels[] = {hw::Channel::R, hw::Channel::G,    hw::Channel::B,
                                                hw::Channel::A, hw::Channel::Zero, hw::Channel::One};
    static_assert(unsigned(pipe::Swizzle::Channel0) == 0 && unsigned(pipe::Swizzle::Zero) == 4 &&
                  unsigned(pipe::Swizzle::One) == 5);
    return kChannels[unsigned(s)];
}

hw::TextureDimension dimension(ResourceKind kind) {
    if (kind == ResourceKind::Cube || kind == ResourceKind::CubeArray) return hw::TextureDimension::Cube;
    return kind == ResourceKind::Tex3D ? hw::TextureDimension::D3 : hw::TextureDimension::D2;
}

}  // namespace

bool texel_format(const MaliResource& r, pipe::Format format, bool stencil, TexelFormat* out) {
    const bool buffer = r.desc.kind == ResourceKind::Buffer;
    const pipe::FormatInfo& want = pipe::format_info(format);
    const pipe::FormatInfo& have = buffer ? want : pipe::format_info(r.desc.format);
    if (have.block_B != want.block_B || have.block_w_px != want.block_w_px ||
        have.block_h_px != want.block_h_px || (have.layout != want.layout && have.is_compressed))
        return false;
    const hw::FormatRow* row = hw::format_row(format);
    if (!row || !row->is_texture || (stencil && !want.has_stencil)) return false;
    *out = {row->pixel_format, row->clump, false, want.has_depth, format};
    if (want.has_stencil && (stencil || !want.has_depth)) {
        out->pixel_format = hw::format_row(pipe::Format::S8_UINT)->pixel_format;
        out->clump = want.has_depth && !r.has_stencil_plane() ? hw::ClumpFormat::X24S8 : hw::ClumpFormat::S8;
        out->stencil = true;
        out->depth = false;
    }
    return true;
}

namespace {

hw::Plane make_afbc_plane(const MaliResource& r, const pipe::AfbcLayout& afbc, const TexelFormat& format,
                          uint32_t level, uint32_t layer) {
    const pipe::AfbcLevel& l = afbc.level[level];
    hw::Plane p;
    p.plane_type = hw::PlaneType::Afbc;
    p.afbc_superblock_size = afbc.mode.wide ? hw::AfbcSuperblockSize::N32x8 : hw::AfbcSuperblockSize::N16x16;
    p.afbc_ytr = afbc.mode.ytr;
    p.afbc_split_block = afbc.mode.split;
    p.afbc_tiled_header = afbc.mode.tiled;
    p.afbc_prefetch = true;
    // Formats with another encoding were refused, or the image is no longer compressed.
    (void)afbc_compression_mode(format.format, format.stencil, &p.afbc_compression_mode);
    p.afbc_header_stride = uint32_t(l.header_B);
    p.size = uint32_t(l.header_B + l.body_slice_B);
    p.pointer = r.va() + afbc.header_offset_B(level, layer);
    p.row_stride = l.header_row_stride_B;
    p.slice_stride = int32_t(afbc.layer_stride_B);
    p.width = r.layout.level[level].width;
    p.height = r.layout.level[level].height;
    return p;
}

}  // namespace

hw::Plane make_plane(const MaliResource& r, const TexelFormat& format, uint32_t level, uint32_t layer) {
    if (const pipe::AfbcLayout* afbc = r.afbc()) return make_afbc_plane(r, *afbc, format, level, layer);
    const bool own_plane = format.stencil && r.has_stencil_plane();
    const pipe::SurfaceLayout& layout = own_plane ? r.stencil : r.layout;
    const pipe::LevelLayout& l = layout.level[level];
    const bool is_3d = layout.kind == ResourceKind::Tex3D;
    hw::Plane p;
    const pipe::FormatInfo& info = pipe::format_info(format.format);
    if (info.layout == pipe::FormatLayout::Astc) {
        p.plane_type = hw::PlaneType::Astc2d;
        p.astc_block_width = astc_side(info.block_w_px);
        p.astc_block_height = astc_side(info.block_h_px);
        p.astc_decode_wide = !info.is_srgb;
    } else {
        p.plane_type = hw::PlaneType::Generic;
        p.clump_format = format.clump;
    }
    p.clump_ordering = layout.tiling == pipe::Tiling::Interleaved ? hw::ClumpOrdering::TiledUInterleaved
                                                                  : hw::ClumpOrdering::Linear;
    p.size = uint32_t(l.slice_stride_B * (is_3d ? l.depth : 1));
    p.pointer = r.va() + (own_plane ? r.stencil_begin_B : 0) + l.offset_B +
                (is_3d ? 0 : layer * layout.layer_stride_B);
    p.row_stride = l.row_stride_B;
    p.slice_stride = int32_t(layout.samples > 1 ? layout.sample_stride_B(level) : layout.z_stride_B(level));
    p.width = l.width;
    p.height = l.height;
    return p;
}

hw::Texture make_texture(const MaliResource& r, const TexelFormat& format, ResourceKind kind,
                         const pipe::Swizzle swizzle[4], uint32_t first_level, uint32_t levels,
                         uint32_t layers) {
    const pipe::LevelLayout& l = r.layout.level[first_level];
    hw::Texture t;
    t.dimension = dimension(kind);
    t.format = format.pixel_format;
    t.width = l.width;
    t.height = l.height;
    if (kind == ResourceKind::Tex3D) t.depth = l.depth;
    t.swizzle = hw::component_swizzle(channel(format, swizzle[0]), channel(format, swizzle[1]),
                                      channel(format, swizzle[2]), channel(format, swizzle[3]));
    t.texel_interleave =
        r.layout.tiling != pipe::Tiling::Linear || pipe::format_info(r.desc.format).is_compressed;
    t.levels = levels;
    t.sample_count = r.desc.samples;
    t.array_size = t.dimension == hw::TextureDimension::Cube ? layers / 6
                   : t.dimension == hw::TextureDimension::D3 ? 1
                                                             : layers;
    t.maximum_lod = float(levels - 1);
    return t;
}

hw::Plane make_buffer_plane(uint64_t va, const TexelFormat& format, uint32_t count) {
    hw::Plane p;
    p.plane_type = hw::PlaneType::Generic;
    p.clump_format = format.clump;
    p.size = count * pipe::format_info(format.format).block_B;
    p.pointer = va;
    p.row_stride = p.size;
    p.slice_stride = int32_t(p.size);
    p.width = count;
    p.height = 1;
    return p;
}

hw::Texture make_buffer_texture(const TexelFormat& format, const pipe::Swizzle swizzle[4], uint32_t count) {
    hw::Texture t;
    t.dimension = hw::TextureDimension::D1;
    t.format = format.pixel_format;
    t.width = count;
    t.height = 1;
    t.swizzle = hw::component_swizzle(channel(format, swizzle[0]), channel(format, swizzle[1]),
                                      channel(format, swizzle[2]), channel(format, swizzle[3]));
    return t;
}

namespace {

constexpr uint32_t kMaxPlanes_B = 64 * 1024;

/// Writes a texture of one plane.
void put_texels(const hw::Plane& plane, hw::Texture texture, uint64_t plane_va, uint8_t* plane_out,
                uint32_t* texture_out) {
    put(plane, plane_out);
    texture.surfaces = plane_va;
    hw::pack(texture, texture_out);
}

/// Writes a texture of a texel of 16 bytes at `va`, none of whose channels is visible.
void put_nothing(uint64_t va, uint64_t plane_va, uint8_t* plane_out, uint32_t* texture_out) {
    static constexpr pipe::Swizzle kNothing[4] = {pipe::Swizzle::Zero, pipe::Swizzle::Zero,
                                                  pipe::Swizzle::Zero, pipe::Swizzle::Zero};
    constexpr auto kFormat = pipe::Format::R32G32B32A32_UINT;
    const hw::FormatRow& row = *hw::format_row(kFormat);
    const TexelFormat format{.pixel_format = row.pixel_format, .clump = row.clump, .format = kFormat};
    put_texels(make_buffer_plane(va, format, 1), make_buffer_texture(format, kNothing, 1), plane_va,
               plane_out, texture_out);
}

}  // namespace

const char* MaliSamplerView::refuse(MaliResource& image, const pipe::SamplerViewDesc& d) {
    TexelFormat format;
    if (d.kind == ResourceKind::Buffer)
        return texel_format(image, d.format, false, &format) ? nullptr
                                                             : "buffers cannot be read in that format";
    if (images::view_layers(d) * images::view_levels(d) * hw::Plane::kSize_B > kMaxPlanes_B)
        return "it has too many planes";
    const bool same = afbc_compatible(image.desc.format, d.format);
    if (!same) image.keep_plain();
    if (image.afbc() && !same) return "the image is compressed in another format";
    return texel_format(image, d.format, d.stencil, &format) ? nullptr
                                                             : "the image cannot be read in that format";
}

pipe::Ref<TextureDescriptors> MaliSamplerView::make() const {
    const MaliResource& r = image();
    const std::lock_guard guard(r.mutex());
    const bool buffer = desc.kind == ResourceKind::Buffer;
    const uint32_t levels = buffer ? 1 : images::view_levels(desc),
                   layers = buffer ? 1 : images::view_layers(desc);
    TexelFormat format;
    if (!texel_format(r, desc.format, desc.stencil, &format)) return nullptr;
    auto d = pipe::Ref<TextureDescriptors>::adopt(new (std::nothrow) TextureDescriptors);
    if (!d) return nullptr;
    d->planes =
        r.bo()->device->create_block(levels * layers * hw::Plane::kSize_B, ImageTexels::kPlaneAlign_B);
    if (!d->planes) return nullptr;
    d->storage_serial = r.storage_serial();
    if (buffer) {
        const uint32_t count =
            images::buffer_texels(r, desc.format, desc.buffer_offset_B, desc.buffer_size_B, kMaxBufferTexels);
        if (count)
            put_texels(make_buffer_plane(r.va() + desc.buffer_offset_B, format, count),
                       make_buffer_texture(format, desc.swizzle, count), d->planes.va, d->planes.cpu,
                       d->words.data());
        else
            put_nothing(r.va(), d->planes.va, d->planes.cpu, d->words.data());
        return d;
    }
    uint8_t* out = d->planes.cpu;
    for (uint32_t layer = 0; layer < layers; ++layer)
        for (uint32_t level = 0; level < levels; ++level, out += hw::Plane::kSize_B)
            hw::pack(make_plane(r, format, desc.first_level + level, desc.first_layer + layer),
                     reinterpret_cast<uint32_t*>(out));
    hw::Texture t = make_texture(r, format, desc.kind, desc.swizzle, desc.first_level, levels, layers);
    t.surfaces = d->planes.va;
    hw::pack(t, d->words.data());
    return d;
}

TextureDescriptors& MaliSamplerView::remake() {
    const std::lock_guard guard(mutex_);
    if (!made_.empty() && made_.back()->storage_serial == image().storage_serial()) return *made_.back();
    made_.reserve(made_.size() + 1);
    pipe::Ref<TextureDescriptors> d = make();
    if (!d) throw std::bad_alloc();
    // Work in flight holds references to the descriptors that it reads.
    const pipe::Ref<TextureDescriptors> last = made_.empty() ? nullptr : made_.back();
    std::erase_if(made_, [&](const pipe::Ref<TextureDescriptors>& old) { return old->unique(); });
    current_.store(d.get(), std::memory_order_release);
    made_.push_back(std::move(d));
    return *made_.back();
}

ImageTexels::ImageTexels(const pipe::ImageView& view) : view_(view) {
    if (!view.resource || !pipe::is_image_format(view.format)) return;
    const MaliResource& r = mali(*view.resource);
    if (!texel_format(r, view.format, false, &format_)) return;
    if (r.desc.kind == ResourceKind::Buffer) {
        size_ = {
            images::buffer_texels(r, view.format, view.buffer_offset_B, view.buffer_size_B, kMaxBufferTexels),
            1, 1};
        bound_ = size_[0];
        return;
    }
    const bool volume = r.desc.kind == ResourceKind::Tex3D;
    if (view.level >= r.desc.levels || r.desc.samples > 1 ||
        pipe::format_info(r.desc.format).is_depth_stencil())
        return;
    const pipe::LevelLayout& l = r.layout.level[view.level];
    const uint32_t layers = volume ? l.depth : r.desc.layers;
    if (view.first_layer >= layers) return;
    const uint32_t shown = std::min(view.layer_count, layers - view.first_layer);
    if (!volume) count_ = shown;
    size_ = {l.width, l.height, r.desc.kind == ResourceKind::CubeArray ? shown / 6 : shown};
    bound_ = true;
}

void ImageTexels::write(uint64_t planes_va, uint64_t unbound_va, uint8_t* planes, uint8_t* descriptor) const {
    auto* const words = reinterpret_cast<uint32_t*>(descriptor);
    if (!bound_) return put_nothing(unbound_va, planes_va, planes, words);
    const MaliResource& r = mali(*view_.resource);
    const std::lock_guard guard(r.mutex());
    if (r.desc.kind == ResourceKind::Buffer)
        return put_texels(make_buffer_plane(r.va() + view_.buffer_offset_B, format_, size_[0]),
                          make_buffer_texture(format_, kOwnChannels, size_[0]), planes_va, planes, words);
    const bool volume = r.desc.kind == ResourceKind::Tex3D;
    // Cubes are arrays of their faces. A single slice is a 2D image.
    hw::Texture t = make_texture(r, format_,
                                 !volume        ? ResourceKind::Tex2DArray
                                 : size_[2] > 1 ? ResourceKind::Tex3D
                                                : ResourceKind::Tex2D,
                                 kOwnChannels, view_.level, 1, count_);
    if (size_[2] > 1 && volume) t.depth = size_[2];
    for (uint32_t i = 0; i < count_; ++i, planes += hw::Plane::kSize_B) {
        hw::Plane p = make_plane(r, format_, view_.level, view_.first_layer + i);
        if (volume) {
            p.pointer = r.image_va(view_.level, view_.first_layer);
            p.size = uint32_t(r.layout.level[view_.level].slice_stride_B * size_[2]);
        }
        put(p, planes);
    }
    t.surfaces = planes_va;
    hw::pack(t, words);
}

}  // namespace terrazzo::mali

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/resources/stored_image.h"

#include <bit>
#include <cstring>

#include "drivers/agx/hw/formats.h"
#include "drivers/common/units/refuse.h"
#include "pipe/layout/twiddled.h"

namespace terrazzo::agx::sim {

using units::refuse;

bool StoredImage::init(const pipe::AgxLayoutDesc& desc, uint64_t va, uint64_t layer_stride_B,
                       std::string* why) {
    va_ = va;
    const pipe::LayoutStatus status = pipe::agx_layout_compute(desc, &layout_);
    if (status != pipe::LayoutStatus::Ok)
        return refuse(why, "no image has this layout: ", pipe::layout_status_text(status));
    if (layer_stride_B) layout_.surface.layer_stride_B = layer_stride_B;
    return true;
}

uint64_t StoredImage::pixel_va(uint32_t level, uint32_t layer, uint32_t x, uint32_t y) const {
    const pipe::SurfaceLayout& s = layout_.surface;
    const uint64_t in_layer_B =
        is_linear() ? uint64_t(y) * s.level[level].row_stride_B + uint64_t(x) * s.block_B
                    : s.level[level].offset_B + pipe::TwiddledMap(s, level).element_offset_B(x, y);
    return va_ + layer * s.layer_stride_B + in_layer_B;
}

uint8_t* StoredImage::map(window::Window& memory, window::Access access, std::string* why) const {
    uint8_t* const p = memory.at(va_, layout_.surface.size_B, access);
    if (!p) refuse(why, "the image's ", layout_.surface.size_B, " bytes: ", memory.fault());
    return p;
}

namespace {

pipe::Box box_of(const pipe::raster::PixelRect& r, uint32_t layer) {
    return {r.x0, r.y0, int32_t(layer), r.x1 - r.x0, r.y1 - r.y0, 1};
}

}  // namespace

bool StoredImage::load(window::Window& memory, uint32_t level, uint32_t layer,
                       const pipe::raster::PixelRect& rect, uint8_t* rows, size_t row_B,
                       std::string* why) const {
    if (is_linear()) {
        const uint32_t pixel_B = layout_.surface.block_B;
        bool has_any = false;
        for (int32_t y = rect.y0; y < rect.y1; ++y, rows += row_B) {
            const uint64_t va = pixel_va(level, layer, uint32_t(rect.x0), uint32_t(y));
            const auto count = uint32_t(rect.x1 - rect.x0);
            const bool whole = memory.read(va, rows, uint64_t(count) * pixel_B);
            has_any |= whole;
            for (uint32_t n = 0; n < count && !whole; ++n) {
                uint8_t* const to = rows + size_t(n) * pixel_B;
                if (memory.read(va + uint64_t(n) * pixel_B, to, pixel_B))
                    has_any = true;
                else
                    std::memset(to, 0, pixel_B);
            }
        }
        return has_any || refuse(why, "the image's pixels: ", memory.fault());
    }
    const uint8_t* const p = map(memory, window::Access::Read, why);
    if (!p) return false;
    return pipe::detile_rect(layout_.surface, p, level, box_of(rect, layer), rows, ptrdiff_t(row_B), 0) ||
           refuse(why, "pixels outside of the image");
}

bool StoredImage::store(window::Window& memory, uint32_t level, uint32_t layer,
                        const pipe::raster::PixelRect& rect, const uint8_t* rows, size_t row_B,
                        std::string* why) const {
    if (is_linear()) {
        const uint64_t size_B = uint64_t(rect.x1 - rect.x0) * layout_.surface.block_B;
        for (int32_t y = rect.y0; y < rect.y1; ++y, rows += row_B)
            if (!memory.write(pixel_va(level, layer, uint32_t(rect.x0), uint32_t(y)), rows, size_B))
                return refuse(why, "the image's pixels: ", memory.fault());
        return true;
    }
    uint8_t* const p = map(memory, window::Access::Write, why);
    if (!p) return false;
    return pipe::tile_rect(layout_.surface, p, level, box_of(rect, layer), rows, ptrdiff_t(row_B), 0) ||
           refuse(why, "pixels outside of the image");
}

StoredTexels::StoredTexels(const StoredImage& image, const units::TexelDecoder& decoder, uint32_t level)
    : image_(&image), level_(level), samples_(image.layout().samples) {
    decoder_ = decoder;
    if (level >= image.layout().levels) return;  // nothing is inside
    size_[0] = image.layout().level[level].width;
    size_[1] = image.layout().level[level].height;
    size_[2] = image.layout().z_count(level) * samples_;
}
bool StoredTexels::address(const uint32_t at[3], uint64_t* va) {
    *va = image_->pixel_va(level_, at[2] / samples_, at[0], at[1]) +
          uint64_t(at[2] % samples_) * format().size_B;
    return true;
}
bool StoredTexels::access(window::Window&, const uint32_t*, uint32_t*, bool, std::string* why) {
    return refuse(why, "pixels without an address");
}

bool is_array(hw::TextureDimension d) {
    return d == hw::TextureDimension::N1dArray || d == hw::TextureDimension::N2dArray ||
           d == hw::TextureDimension::N2dArrayMultisampled || d == hw::TextureDimension::Cube ||
           d == hw::TextureDimension::CubeArray;
}
unsigned samples_of(hw::TextureDimension d, hw::SampleCount count) {
    const bool many =
        d == hw::TextureDimension::N2dMultisampled || d == hw::TextureDimension::N2dArrayMultisampled;
    return !many ? 1 : count == hw::SampleCount::N4 ? 4 : 2;
}

namespace {

struct Shape {
    hw::TextureDimension dimension;
    hw::Layout layout;
    uint32_t width, height, depth;  // depth: layers, or slices
    uint32_t levels, samples, stride_B;
    uint64_t layer_stride_B;  // 0: the image has one layer, or is not linear
    bool page_aligned_layers;
    uint64_t va;
};
bool open(const Shape& s, pipe::Format format, StoredImage* image, std::string* why) {
    if (s.layout != hw::Layout::Linear && s.layout != hw::Layout::Twiddled)
        return refuse(why, "images of layout ", unsigned(s.layout), " are not modelled");
    const bool is_3d = s.dimension == hw::TextureDimension::N3d;
    pipe::AgxLayoutDesc l;
    l.image.kind = is_3d                   ? pipe::ResourceKind::Tex3D
                   : is_array(s.dimension) ? pipe::ResourceKind::Tex2DArray
                                           : pipe::ResourceKind::Tex2D;
    l.image.format = format;
    l.image.width = s.width;
    l.image.height = s.height;
    l.image.samples = s.samples;
    (is_3d ? l.image.depth : l.image.layers) = s.depth;
    if (s.layout == hw::Layout::Linear) {
        l.image.tiling = pipe::Tiling::Linear;
        l.image.row_stride_B = s.stride_B;
    } else {
        l.image.tiling = pipe::Tiling::Twiddled;
        l.image.levels = s.levels;
        l.page_aligned_layers = s.page_aligned_layers;
    }
    return image->init(l, s.va, s.layer_stride_B, why);
}
/// All levels that an image of this size can have.
uint32_t chain_of(uint32_t width, uint32_t height, uint32_t depth) {
    return uint32_t(std::bit_width(width | height | depth));
}

/// A linear image's layers; its descriptor has them if it is extended.
struct LinearLayers {
    uint32_t count = 1;
    uint64_t stride_B = 0;
};
template <class Descriptor>
LinearLayers linear_layers(const Descriptor& d) {
    if (d.layout != hw::Layout::Linear || !d.extended) return {};
    return {d.depth_linear, d.layer_stride + 128};
}

/// Reads and writes numbers in the order of memory.
units::FormatReader reader_of(pipe::Format format) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    uint8_t from[4] = {0, 1, 2, 3};
    for (unsigned channel = 0; channel < info.channel_count && !info.is_compressed; ++channel)
        for (unsigned c = 4; c-- > 0;)
            if (info.swizzle[c] == pipe::Swizzle(unsigned(pipe::Swizzle::Channel0) + channel))
                from[channel] = uint8_t(c);
    return units::format_reader(format, from);
}

}  // namespace

bool open_image(const hw::Pbe& d, bool to_srgb, units::FormatReader* format, StoredImage* image,
                std::string* why) {
    const pipe::Format found = hw::format_of({d.channels, d.type}, to_srgb && d.srgb);
    if (found == pipe::Format::None || pipe::format_info(found).is_compressed)
        return refuse(why, "channels ", unsigned(d.channels), " of type ", unsigned(d.type),
                      " cannot be written", d.srgb ? " as sRGB" : "");
    if (d.rotate_90 || d.flip_vertical) return refuse(why, "turned images are not modelled");
    *format = reader_of(found);
    const bool linear = d.layout == hw::Layout::Linear;
    const LinearLayers layers = linear_layers(d);
    return open({d.dimension, d.layout, d.width, d.height, linear ? layers.count : d.layers,
                 linear ? 1 : d.levels, samples_of(d.dimension, d.samples), linear ? d.stride + 4 : 0,
                 layers.stride_B, d.page_aligned_layers, d.address},
                found, image, why);
}

bool open_image(const hw::Texture& d, units::FormatReader* format, StoredImage* image, std::string* why) {
    *format = {};
    if (d.layout == hw::Layout::Null) return true;
    const pipe::Format found = hw::format_of({d.channels, d.type}, d.srgb);
    if (found == pipe::Format::None)
        return refuse(why, "there is no texture with channels ", unsigned(d.channels), " of type ",
                      unsigned(d.type), d.srgb ? ", sRGB" : "");
    *format = reader_of(found);
    const bool linear = d.layout == hw::Layout::Linear, is_3d = d.dimension == hw::TextureDimension::N3d;
    const LinearLayers layers = linear_layers(d);
    // The layout only depends on whether there are several levels.
    const bool mipmapped = d.mipmapped || d.last_level > 0;
    const uint32_t faces =
        d.dimension == hw::TextureDimension::Cube || d.dimension == hw::TextureDimension::CubeArray ? 6 : 1;
    return open(
        {d.dimension, d.layout, d.width, d.height, linear ? layers.count : d.depth * faces,
         mipmapped ? chain_of(d.width, d.height, is_3d ? d.depth : 1) : 1, samples_of(d.dimension, d.samples),
         linear ? d.stride + 16 : 0, layers.stride_B, d.page_aligned_layers, d.address},
        found, image, why);
}

}  // namespace terrazzo::agx::sim

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/resources/stored_image.h"

#include <bit>

#include "drivers/agx/hw/formats.h"
#include "drivers/common/units/refuse.h"

namespace terrazzo::agx::sim {

using units::refuse;

bool StoredImage::init(const pipe::AgxLayoutDesc& desc, uint64_t va, std::string* why) {
    va_ = va;
    const pipe::LayoutStatus status = pipe::agx_layout_compute(desc, &layout_);
    return status == pipe::LayoutStatus::Ok ||
           refuse(why, "no image has this layout: ", pipe::layout_status_text(status));
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
    const uint8_t* const p = map(memory, window::Access::Read, why);
    if (!p) return false;
    return pipe::detile_rect(layout_.surface, p, level, box_of(rect, layer), rows, ptrdiff_t(row_B), 0) ||
           refuse(why, "pixels outside of the image");
}

bool StoredImage::store(window::Window& memory, uint32_t level, uint32_t layer,
                        const pipe::raster::PixelRect& rect, const uint8_t* rows, size_t row_B,
                        std::string* why) const {
    uint8_t* const p = map(memory, window::Access::Write, why);
    if (!p) return false;
    return pipe::tile_rect(layout_.surface, p, level, box_of(rect, layer), rows, ptrdiff_t(row_B), 0) ||
           refuse(why, "pixels outside of the image");
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
    return image->init(l, s.va, why);
}
/// All levels that an image of this size can have.
uint32_t chain_of(uint32_t width, uint32_t height, uint32_t depth) {
    return uint32_t(std::bit_width(width | height | depth));
}

}  // namespace

bool open_image(const hw::Pbe& d, pipe::Format* format, StoredImage* image, std::string* why) {
    *format = hw::format_of({d.channels, d.type});
    if (*format == pipe::Format::None || pipe::format_info(*format).is_compressed)
        return refuse(why, "channels ", unsigned(d.channels), " of type ", unsigned(d.type),
                      " cannot be written");
    const bool linear = d.layout == hw::Layout::Linear;
    return open(
        {d.dimension, d.layout, d.width, d.height, linear ? 1 : d.layers, linear ? 1 : d.levels,
         samples_of(d.dimension, d.samples), linear ? d.stride + 4 : 0, d.page_aligned_layers, d.address},
        *format, image, why);
}

bool open_image(const hw::Texture& d, pipe::Format* format, StoredImage* image, std::string* why) {
    *format = pipe::Format::None;
    if (d.layout == hw::Layout::Null) return true;
    *format = hw::format_of({d.channels, d.type}, d.srgb);
    if (*format == pipe::Format::None)
        return refuse(why, "there is no texture with channels ", unsigned(d.channels), " of type ",
                      unsigned(d.type));
    const bool linear = d.layout == hw::Layout::Linear, is_3d = d.dimension == hw::TextureDimension::N3d;
    // The layout only depends on whether there are several levels.
    const bool mipmapped = d.mipmapped || d.last_level > 0;
    const uint32_t faces =
        d.dimension == hw::TextureDimension::Cube || d.dimension == hw::TextureDimension::CubeArray ? 6 : 1;
    return open(
        {d.dimension, d.layout, d.width, d.height, linear ? 1 : d.depth * faces,
         mipmapped ? chain_of(d.width, d.height, is_3d ? d.depth : 1) : 1, samples_of(d.dimension, d.samples),
         linear ? d.stride + 16 : 0, d.page_aligned_layers, d.address},
        *format, image, why);
}

}  // namespace terrazzo::agx::sim

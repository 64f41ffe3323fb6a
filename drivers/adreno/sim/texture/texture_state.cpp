// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of the fields: Mesa 25.0.7, a6xx.xml, src/freedreno/fdl/fd6_view.c,
// src/gallium/drivers/freedreno/a6xx/fd6_gmem.cc (textures in tile memory).
#include "drivers/adreno/sim/texture/texture_state.h"

#include <algorithm>
#include <cstring>

#include "drivers/adreno/sim/chips.h"
#include "drivers/adreno/sim/texture/decode.h"

namespace terrazzo::adreno::sim {

namespace {

using hw::TexType;
using units::kTexelBlock_px;

constexpr uint32_t kMaxSamples = 8;

bool is_planar(hw::Format f) {
    return f >= hw::Format::FMT6_G8R8B8R8_422_UNORM && f <= hw::Format::FMT6_TP10_UV &&
           f != hw::Format::FMT6_Z24_UNORM_S8_UINT_AS_R8G8B8A8;
}

pipe::ResourceKind kind_of(const hw::TexConst& d) {
    switch (d.type) {
        case TexType::A6XX_TEX_CUBE:
            return d.depth > 1 ? pipe::ResourceKind::CubeArray : pipe::ResourceKind::Cube;
        case TexType::A6XX_TEX_3D:
            return pipe::ResourceKind::Tex3D;
        case TexType::A6XX_TEX_BUFFER:
        case TexType::A6XX_TEX_IMG_BUFFER:
            return pipe::ResourceKind::Buffer;
        case TexType::A6XX_TEX_1D:
        case TexType::A6XX_TEX_2D:
            break;
    }
    return d.depth > 1 ? pipe::ResourceKind::Tex2DArray : pipe::ResourceKind::Tex2D;
}

}  // namespace

bool TextureState::init(Machine& machine, const uint32_t words[hw::TexConst::kSize_dw], std::string* why) {
    machine_ = &machine;
    null_ = is_null_descriptor(words);
    if (null_) return true;
    if (!unpack_descriptor(words, &desc_, why)) return false;
    if (is_planar(desc_.fmt)) return refuse(why, "formats of several planes are not executed");
    if (desc_.type == TexType::A6XX_TEX_IMG_BUFFER)
        return refuse(why, "type A6XX_TEX_IMG_BUFFER is not executed");
    if (is_buffer()) {
        if (!buffer_.init(machine, words, why)) return false;
        decoder_.format = buffer_.format();
    } else if (!surface_format(desc_.fmt, hw::ColorSwap::WZYX, desc_.srgb, &decoder_.format)) {
        // WZYX: surfaces return pixels with channels in order.
        return refuse(why, "format ", unsigned(desc_.fmt), " is none of textures");
    }
    decode_swizzle(desc_, decoder_.swizzle);
    view_.shape.kind = kind_of(desc_);
    return is_buffer() || init_image(why);
}

bool TextureState::init_image(std::string* why) {
    if (!desc_.width || !desc_.height) return refuse(why, "a width or height of 0");
    view_.samples = 1u << unsigned(desc_.samples);
    pipe::raster::TextureShape& shape = view_.shape;
    shape.width = desc_.width;
    shape.height = desc_.height;
    // A depth of 0 is one layer: freedreno does not set it for textures in tile memory.
    const uint32_t depth = std::max(1u, desc_.depth);
    shape.depth = desc_.type == TexType::A6XX_TEX_3D ? depth : 1;
    shape.layers = desc_.type == TexType::A6XX_TEX_3D ? 1 : view_.is_cube() ? 6 * depth : depth;
    shape.last_level = desc_.miplvls;
    const uint32_t largest = std::max({shape.width, shape.height, shape.depth});
    if (largest >> desc_.miplvls == 0) return refuse(why, "more levels than its size has");
    if (view_.is_cube() && shape.width != shape.height)
        return refuse(why, "a cube whose faces are not square");
    if (view_.samples > 1 &&
        (desc_.miplvls || format().is_compressed() || shape.kind == pipe::ResourceKind::Tex3D))
        return refuse(why, "samples of what has levels, slices or compressed blocks");
    in_tile_memory_ = desc_.tile_mode == hw::TileMode::TILE6_2 &&
                      desc_.base - gpu_info(machine_->chip).gmem_base < machine_->gmem.size();
    if (in_tile_memory_) return init_bin(why);
    if (desc_.pitch < uint64_t((desc_.width + format().block_w_px - 1) / format().block_w_px) *
                          format().size_B * view_.samples)
        return refuse(why, "a pitch of ", desc_.pitch, " bytes, less than a row");
    place_levels(desc_, format(), &levels_);
    return true;
}

// The descriptor has the frame buffer's size, and the pitch of a bin's rows.
bool TextureState::init_bin(std::string* why) {
    if (format().is_compressed() || desc_.miplvls || view_.shape.layers > 1)
        return refuse(why, "levels, layers or compressed blocks in tile memory");
    const uint32_t pixel_B = format().size_B * view_.samples;
    const uint64_t left_B = machine_->gmem.size() - (desc_.base - gpu_info(machine_->chip).gmem_base);
    if (desc_.pitch < pixel_B || desc_.pitch > left_B)
        return refuse(why, "a pitch of ", desc_.pitch, " bytes in tile memory");
    pipe::raster::TextureShape& shape = view_.shape;
    const uint32_t w_px = std::min(shape.width, uint32_t(desc_.pitch / pixel_B)),
                   h_px = uint32_t(std::min<uint64_t>(shape.height, left_B / desc_.pitch));
    cut_ = w_px < shape.width || h_px < shape.height;
    shape.width = w_px;
    shape.height = h_px;
    place_levels(desc_, format(), &levels_);
    LevelPlace& place = levels_[0];
    place.width_px = place.width_el = w_px;
    place.height_px = place.height_el = h_px;
    return true;
}

const Surface* TextureState::surface_of(const Image& image, std::string* why) {
    const size_t levels = size_t(view_.shape.last_level) + 1;
    if (surfaces_.empty())
        surfaces_.resize((view_.is_3d() ? view_.shape.depth : view_.shape.layers) * levels);
    SurfaceDesc s = describe_surface(desc_, levels_[image.level], image.z);
    s.samples = view_.samples;
    if (in_tile_memory_) {
        s.in_gmem = true;
        s.gmem_offset_B = uint32_t(s.va - gpu_info(machine_->chip).gmem_base);
        s.va = 0;
    }
    const Surface* const surface =
        decode_surface(surfaces_[image.z * levels + image.level], s, machine_->chip, why);
    if (surface) decoder_.format = surface->format();
    return surface;
}

bool TextureState::read_elements(window::Window& memory, const Image& image, const pipe::raster::PixelRect& r,
                                 uint8_t* rows, std::string* why) {
    const Surface* const surface = surface_of(image, why);
    if (!surface) return false;
    const size_t n = format().size_B, row_B = kTexelBlock_px * n;
    if (view_.samples == 1) return surface->read(memory, machine_->gmem, r, rows, row_B, why);
    uint8_t pixels[units::TexelDecoder::kMaxElements_B * kMaxSamples];
    if (!surface->read(memory, machine_->gmem, r, pixels, row_B * view_.samples, why)) return false;
    for (size_t i = 0; i < kTexelBlock_px * kTexelBlock_px; ++i)
        std::memcpy(rows + i * n, pixels + (i * view_.samples + image.sample) * n, n);
    return true;
}

bool TextureState::check_levels(window::Window& memory, std::string* why) const {
    if (null_ || is_buffer() || in_tile_memory_) return true;
    for (uint32_t level = 0; level <= view_.shape.last_level; ++level) {
        const LevelPlace& place = levels_[level];
        const uint32_t layers = view_.is_3d() ? place.depth_px : view_.shape.layers;
        for (uint32_t layer = 0; layer < layers; ++layer)
            if (!memory.at(desc_.base + place.offset_B + layer * place.z_stride_B, 1, window::Access::Read))
                return refuse(why, "level ", level, ", layer ", layer, ": ", memory.fault());
    }
    return true;
}

}  // namespace terrazzo::adreno::sim

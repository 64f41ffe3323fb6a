// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source of the fields: Mesa 25.0.7, a6xx.xml, src/freedreno/fdl/fd6_view.c,
// src/gallium/drivers/freedreno/a6xx/fd6_gmem.cc (textures in tile memory).
#include "drivers/adreno/sim/texture/texture_state.h"

#include <algorithm>

#include "drivers/adreno/sim/chips.h"

namespace terrazzo::adreno::sim {

namespace {

using hw::TexType;
using units::kTexelBlock_px;
using units::TexelBlock;

constexpr uint32_t kMaxSamples = 8, kMaxPixel_B = 16;

bool refuse(std::string* why, std::string text) {
    *why = std::move(text);
    return false;
}

std::string first_line(const fields::ReservedBits& found) {
    fields::StringSink sink;
    found.print(sink, 0);
    return sink.text.substr(0, sink.text.find('\n'));
}

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

uint8_t swizzle_of(hw::TexSwiz s) {
    return s == hw::TexSwiz::A6XX_TEX_ZERO  ? units::kZero
           : s == hw::TexSwiz::A6XX_TEX_ONE ? units::kOne
                                            : uint8_t(s);
}

}  // namespace

bool TextureState::init(const Machine& machine, const uint32_t words[hw::TexConst::kSize_dw],
                        std::string* why) {
    machine_ = &machine;
    null_ = std::all_of(words, words + hw::TexConst::kSize_dw, [](uint32_t w) { return w == 0; });
    if (null_) return true;
    fields::ReservedBits found;
    if (!hw::unpack(words, &desc_, &found) || found.any()) return refuse(why, first_line(found));
    if (is_planar(desc_.fmt)) return refuse(why, "formats of several planes are not executed");
    if (desc_.type == TexType::A6XX_TEX_IMG_BUFFER)
        return refuse(why, "type A6XX_TEX_IMG_BUFFER is not executed");
    // Surfaces return pixels with channels in order.
    const hw::ColorSwap swap = is_buffer() ? desc_.swap : hw::ColorSwap::WZYX;
    if (!texture_format(desc_.fmt, swap, desc_.srgb, &format_))
        return refuse(why, "format " + std::to_string(unsigned(desc_.fmt)) + " is none of textures");
    if (is_buffer() && format_.compressed()) return refuse(why, "a buffer of compressed blocks");
    decoder_.format = format_.reader;
    const hw::TexSwiz swizzle[4] = {desc_.swiz_x, desc_.swiz_y, desc_.swiz_z, desc_.swiz_w};
    std::transform(swizzle, swizzle + 4, decoder_.swizzle, swizzle_of);
    view_.kind = format_.reader.kind;
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
    shape.layers = desc_.type == TexType::A6XX_TEX_3D ? 1 : is_cube() ? 6 * depth : depth;
    shape.last_level = desc_.miplvls;
    const uint32_t largest = std::max({shape.width, shape.height, shape.depth});
    if (largest >> desc_.miplvls == 0) return refuse(why, "more levels than its size has");
    if (is_cube() && shape.width != shape.height) return refuse(why, "a cube whose faces are not square");
    if (view_.samples > 1 &&
        (desc_.miplvls || format_.compressed() || shape.kind == pipe::ResourceKind::Tex3D))
        return refuse(why, "samples of what has levels, slices or compressed blocks");
    in_tile_memory_ = desc_.tile_mode == hw::TileMode::TILE6_2 &&
                      desc_.base - gpu_info(machine_->chip).gmem_base < machine_->gmem.size();
    if (in_tile_memory_) return init_bin(why);
    if (desc_.pitch < uint64_t((desc_.width + format_.block_w_px - 1) / format_.block_w_px) *
                          format_.reader.size_B * view_.samples)
        return refuse(why, "a pitch of " + std::to_string(desc_.pitch) + " bytes, less than a row");
    place_levels(desc_, format_, &levels_);
    return true;
}

// The descriptor has the frame buffer's size, and the pitch of a bin's rows.
bool TextureState::init_bin(std::string* why) {
    if (format_.compressed() || desc_.miplvls || view_.shape.layers > 1)
        return refuse(why, "levels, layers or compressed blocks in tile memory");
    const uint32_t pixel_B = format_.reader.size_B * view_.samples;
    const uint64_t left_B = machine_->gmem.size() - (desc_.base - gpu_info(machine_->chip).gmem_base);
    if (desc_.pitch < pixel_B || desc_.pitch > left_B)
        return refuse(why, "a pitch of " + std::to_string(desc_.pitch) + " bytes in tile memory");
    pipe::raster::TextureShape& shape = view_.shape;
    const uint32_t w_px = std::min(shape.width, uint32_t(desc_.pitch / pixel_B)),
                   h_px = uint32_t(std::min<uint64_t>(shape.height, left_B / desc_.pitch));
    cut_ = w_px < shape.width || h_px < shape.height;
    shape.width = w_px;
    shape.height = h_px;
    place_levels(desc_, format_, &levels_);
    LevelPlace& place = levels_[0];
    place.width_px = place.width_el = w_px;
    place.height_px = place.height_el = h_px;
    return true;
}

TextureState::Plane* TextureState::load_plane(uint32_t level, uint32_t layer, std::string* why) {
    const LevelPlace& place = levels_[level];
    auto plane = std::make_unique<Plane>();
    plane->place = place;
    SurfaceDesc s;
    s.va = desc_.base + place.offset_B + layer * place.z_stride_B;
    if (in_tile_memory_) {
        s.in_gmem = reads_tile_memory_ = true;
        s.gmem_offset_B = uint32_t(s.va - gpu_info(machine_->chip).gmem_base);
        s.va = 0;
    }
    s.format = desc_.fmt;
    s.srgb = desc_.srgb;
    s.tile_mode = place.tile_mode;
    s.swap = desc_.swap;
    s.pitch_B = place.pitch_B;
    s.width_px = place.width_el;
    s.height_px = place.height_el;
    s.samples = view_.samples;
    s.has_flags = place.has_flags;
    s.flags_va =
        place.has_flags ? desc_.flag_base + place.flags_offset_B + layer * place.flags_z_stride_B : 0;
    s.flags_pitch_B = place.flags_pitch_B;
    if (!plane->surface.init(s, machine_->chip, why)) return nullptr;
    decoder_.format = plane->surface.format();
    if (!plane->texels.init(place.width_px, place.height_px, view_.samples)) {
        *why = "more than 2^30 texels in a level";
        return nullptr;
    }
    const size_t per_layer = size_t(view_.shape.last_level) + 1;
    std::unique_ptr<Plane>& slot = planes_[layer * per_layer + level];
    slot = std::move(plane);
    return slot.get();
}

bool TextureState::decode_compressed(window::Window& memory, const Plane& p, unsigned bx, unsigned by,
                                     TexelBlock* out, std::string* why) {
    // Reads all blocks that contain the texels, then decodes each texel from its block.
    const unsigned bw = format_.block_w_px, bh = format_.block_h_px;
    const auto range = [](unsigned b, unsigned size_px, unsigned end_el, int32_t* first, int32_t* end) {
        *first = int32_t(b * kTexelBlock_px / size_px);
        *end = int32_t(std::min<unsigned>(end_el, ((b + 1) * kTexelBlock_px - 1) / size_px + 1));
    };
    pipe::raster::PixelRect rect;
    range(bx, bw, p.place.width_el, &rect.x0, &rect.x1);
    range(by, bh, p.place.height_el, &rect.y0, &rect.y1);
    constexpr unsigned kSide = 5;  // 16 pixels intersect at most so many blocks of 4; larger blocks are fewer
    uint8_t blocks[kSide * kSide * kMaxPixel_B];
    const unsigned n = format_.reader.size_B;
    if (!p.surface.read(memory, machine_->gmem, rect, blocks, size_t(kSide) * n, why)) return false;
    const auto read = [&](unsigned tx, unsigned ty, uint8_t* raw) {
        std::copy_n(blocks + ((ty - unsigned(rect.y0)) * kSide + tx - unsigned(rect.x0)) * n, n, raw);
        return true;
    };
    return decoder_.decode_compressed(p.place.width_px, p.place.height_px, bx, by, read, out);
}

bool TextureState::decode(window::Window& memory, const Plane& p, unsigned bx, unsigned by, unsigned sample,
                          TexelBlock* out, std::string* why) {
    if (format_.compressed()) return decode_compressed(memory, p, bx, by, out, why);
    const auto block = int32_t(kTexelBlock_px);
    const pipe::raster::PixelRect rect = pipe::raster::intersect(
        {int32_t(bx) * block, int32_t(by) * block, int32_t(bx) * block + block, int32_t(by) * block + block},
        {0, 0, int32_t(p.place.width_px), int32_t(p.place.height_px)});
    uint8_t pixels[kTexelBlock_px * kTexelBlock_px * kMaxPixel_B * kMaxSamples] = {};
    const unsigned n = format_.reader.size_B, pixel_B = n * view_.samples;
    if (!p.surface.read(memory, machine_->gmem, rect, pixels, size_t(kTexelBlock_px) * pixel_B, why))
        return false;
    if (view_.samples > 1)
        for (unsigned i = 0; i < kTexelBlock_px * kTexelBlock_px; ++i)
            std::memmove(pixels + i * n, pixels + i * pixel_B + sample * n, n);
    decoder_.decode_pixels(pixels, out);
    return true;
}

const units::TexelBlock* TextureState::block(window::Window& memory, uint32_t level, uint32_t bx, uint32_t by,
                                             uint32_t layer, uint32_t sample, std::string* why) {
    const bool is_3d = view_.shape.kind == pipe::ResourceKind::Tex3D;
    const size_t per_layer = size_t(view_.shape.last_level) + 1;
    if (planes_.empty()) planes_.resize((is_3d ? view_.shape.depth : view_.shape.layers) * per_layer);
    Plane* p = planes_[layer * per_layer + level].get();
    if (!p) p = load_plane(level, layer, why);
    if (!p) return nullptr;
    return p->texels.block(bx, by, sample, [&](unsigned x, unsigned y, unsigned slice, TexelBlock* out) {
        decoded_B_ += sizeof(TexelBlock);
        if (decode(memory, *p, x, y, slice, out, why)) return true;
        *why = "level " + std::to_string(level) + ", layer " + std::to_string(layer) + ": " + *why;
        return false;
    });
}

const uint32_t* TextureState::texel(window::Window& memory, uint32_t level, uint32_t x, uint32_t y,
                                    uint32_t layer, uint32_t sample, std::string* why) {
    const units::TexelBlock* b =
        block(memory, level, x / kTexelBlock_px, y / kTexelBlock_px, layer, sample, why);
    return b ? b->at(x, y) : nullptr;
}

bool TextureState::check_levels(window::Window& memory, std::string* why) const {
    if (null_ || is_buffer() || in_tile_memory_) return true;
    const bool is_3d = view_.shape.kind == pipe::ResourceKind::Tex3D;
    for (uint32_t level = 0; level <= view_.shape.last_level; ++level) {
        const LevelPlace& place = levels_[level];
        const uint32_t layers = is_3d ? place.depth_px : view_.shape.layers;
        for (uint32_t layer = 0; layer < layers; ++layer)
            if (!memory.at(desc_.base + place.offset_B + layer * place.z_stride_B, 1, window::Access::Read))
                return refuse(why, "level " + std::to_string(level) + ", layer " + std::to_string(layer) +
                                       ": " + to_string(memory.fault()));
    }
    return true;
}

bool TextureState::element(window::Window& memory, uint64_t index, uint32_t out[4], std::string* why) const {
    std::fill_n(out, 4, 0u);
    if (index >= elements()) return true;
    const unsigned n = format_.reader.size_B;
    uint8_t raw[kMaxPixel_B];
    const uint64_t at = (index * std::max(1u, desc_.structsizetexels) + desc_.startoffsettexels) * n;
    if (!memory.read(desc_.base + at, raw, n))
        return refuse(why, "element " + std::to_string(index) + ": " + to_string(memory.fault()));
    uint32_t v[4];
    format_.reader.read(raw, v);
    decoder_.apply_swizzle(v, out);
    return true;
}

}  // namespace terrazzo::adreno::sim

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, src/freedreno/fdl/fd6_view.c (storage descriptors; cubes are arrays there).
#include "drivers/adreno/sim/texture/image_state.h"

#include <algorithm>
#include <mutex>

#include "drivers/adreno/sim/texture/decode.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMaxPixel_B = 16;

// To store a texel of a compressed block is to read the block and to write it anew. Waves on other threads,
// of other machines as well, store other texels of it at the same time: one at a time is at a block. No block
// is larger than these regions, nor crosses their borders.
constexpr uint32_t kRegionW_px = 64, kRegionH_px = 16;
std::mutex& lock_of_block(uint64_t layer_va, int32_t x, int32_t y) {
    static std::mutex locks[64];
    uint64_t h = layer_va / 4096 * 31 + uint32_t(y) / kRegionH_px;
    h = (h * 131 + uint32_t(x) / kRegionW_px) * 0x9e3779b97f4a7c15ull;
    return locks[h >> 58];
}

}  // namespace

bool ImageState::init(Machine& machine, const uint32_t words[hw::TexConst::kSize_dw], std::string* why) {
    machine_ = &machine;
    null_ = is_null_descriptor(words);
    if (null_) return true;
    if (!unpack_descriptor(words, &desc_, why)) return false;
    if (!texture_format(desc_.fmt, desc_.swap, desc_.srgb, &reader_) || reader_.is_compressed() ||
        reader_.depth || reader_.stencil)
        return refuse(why, "format " + std::to_string(unsigned(desc_.fmt)) + " is none of images");
    decode_swizzle(desc_, swizzle_);
    return is_buffer() || init_image(why);
}

bool ImageState::init_image(std::string* why) {
    if (desc_.samples != hw::MsaaSamples::MSAA_ONE)
        return refuse(why, "images with samples are not executed");
    if (desc_.type != hw::TexType::A6XX_TEX_1D && desc_.type != hw::TexType::A6XX_TEX_2D &&
        desc_.type != hw::TexType::A6XX_TEX_3D)
        return refuse(why, "images are 1D, 2D or 3D; cubes are arrays");
    if (!desc_.width || !desc_.height) return refuse(why, "a width or height of 0");
    if (desc_.pitch < uint64_t(desc_.width) * reader_.size_B)
        return refuse(why, "a pitch of " + std::to_string(desc_.pitch) + " bytes, less than a row");
    layers_ = std::max(1u, desc_.depth);
    const hw::Chip& chip = machine_->chip;
    // R8G8 is tiled as two images of bytes.
    const bool split = reader_.size_B == 2 && pipe::format_info(reader_.format).channel_count == 2;
    if (desc_.tile_mode == hw::TileMode::TILE6_3 && !split && !desc_.flag &&
        std::has_single_bit(reader_.size_B))
        tiles_.emplace(reader_.size_B, desc_.pitch,
                       pipe::MacrotileParams{uint8_t(chip.highest_bank_bit), uint8_t(chip.ubwc_swizzle),
                                             chip.macrotile_mode != 0, false});
    return surface(0, why) != nullptr;  // surface() checks the rest
}

bool ImageState::has(const uint32_t at[3]) const {
    if (null_) return false;
    if (is_buffer()) return at[0] < elements();
    return at[0] < desc_.width && at[1] < desc_.height && at[2] < layers_;
}

bool ImageState::address(const uint32_t at[3], uint64_t* va) const {
    if (is_buffer()) {
        *va = buffer_va() + uint64_t(at[0]) * std::max(1u, desc_.structsizetexels) * reader_.size_B;
        return true;
    }
    const uint64_t base = desc_.base + at[2] * desc_.array_pitch;
    if (desc_.tile_mode == hw::TileMode::TILE6_LINEAR)
        *va = base + uint64_t(at[1]) * desc_.pitch + uint64_t(at[0]) * reader_.size_B;
    else if (tiles_)
        *va = base + tiles_->element_offset_B(at[0], at[1]);
    else
        return false;
    return true;
}

Surface* ImageState::surface(uint32_t z, std::string* why) {
    if (surfaces_.empty()) surfaces_.resize(layers_);
    if (surfaces_[z]) return surfaces_[z].get();
    LevelPlace place;
    place.z_stride_B = desc_.array_pitch;
    place.flags_z_stride_B = uint64_t(desc_.flag_buffer_array_pitch) * 4;  // the field counts words
    place.pitch_B = desc_.pitch, place.flags_pitch_B = desc_.flag_buffer_pitch;
    place.width_el = desc_.width, place.height_el = desc_.height;
    place.tile_mode = desc_.tile_mode;
    place.has_flags = desc_.flag;
    auto fresh = std::make_unique<Surface>();
    if (!fresh->init(describe_surface(desc_, place, z), machine_->chip, why)) return nullptr;
    surfaces_[z] = std::move(fresh);
    return surfaces_[z].get();
}

bool ImageState::read(window::Window& memory, const uint32_t at[3], uint32_t out[4], std::string* why) {
    std::fill_n(out, 4, 0u);
    if (!has(at)) return true;
    uint8_t pixel[kMaxPixel_B];
    uint32_t v[4];
    uint64_t va = 0;
    const units::FormatReader* reader = &reader_;
    if (address(at, &va)) {
        if (!memory.read(va, pixel, reader_.size_B)) return refuse(why, to_string(memory.fault()));
    } else {
        const Surface* s = surface(at[2], why);
        const auto x = int32_t(at[0]), y = int32_t(at[1]);
        if (!s) return false;
        const std::lock_guard lock(lock_of_block(s->desc().va, x, y));
        if (!s->read(memory, machine_->gmem, {x, y, x + 1, y + 1}, pixel, sizeof(pixel), why)) return false;
        reader = &s->format();
    }
    reader->read(pixel, v);
    for (unsigned c = 0; c < 4; ++c)
        out[c] = swizzle_[c] < 4 ? v[swizzle_[c]] : swizzle_[c] == units::kOne ? reader->one() : 0;
    return true;
}

bool ImageState::write(window::Window& memory, const uint32_t at[3], const uint32_t in[4], std::string* why) {
    if (!has(at)) return true;
    uint8_t pixel[kMaxPixel_B] = {};
    uint64_t va = 0;
    if (address(at, &va)) {
        reader_.write(in, pixel);
        return memory.write(va, pixel, reader_.size_B) || refuse(why, to_string(memory.fault()));
    }
    const Surface* s = surface(at[2], why);
    if (!s) return false;
    s->format().write(in, pixel);
    const auto x = int32_t(at[0]), y = int32_t(at[1]);
    const std::lock_guard lock(lock_of_block(s->desc().va, x, y));
    return s->write(memory, machine_->gmem, {x, y, x + 1, y + 1}, pixel, sizeof(pixel), why);
}

uint32_t* ImageState::word(window::Window& memory, const uint32_t at[3], std::string* why) {
    uint64_t va = 0;
    if (reader_.size_B != 4 || !address(at, &va)) {
        *why = "atomic access to texels that are not 32 bits at an address of their own";
        return nullptr;
    }
    uint8_t* host = memory.at(va, 4, window::Access::Write);
    if (!host) *why = to_string(memory.fault());
    return reinterpret_cast<uint32_t*>(host);
}

}  // namespace terrazzo::adreno::sim

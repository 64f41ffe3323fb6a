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
    units::FormatReader& f = decoder_.format;
    if (!surface_format(desc_.fmt, desc_.swap, desc_.srgb, &f) || f.is_compressed() || f.depth || f.stencil)
        return refuse(why, "format ", unsigned(desc_.fmt), " is none of images and buffers");
    decode_swizzle(desc_, decoder_.swizzle);
    if (!is_buffer()) return init_image(why);
    size_[0] = uint32_t(elements());
    return true;
}

bool ImageState::init_image(std::string* why) {
    if (desc_.samples != hw::MsaaSamples::MSAA_ONE)
        return refuse(why, "images with samples are not executed");
    if (desc_.type != hw::TexType::A6XX_TEX_1D && desc_.type != hw::TexType::A6XX_TEX_2D &&
        desc_.type != hw::TexType::A6XX_TEX_3D)
        return refuse(why, "images are 1D, 2D or 3D; cubes are arrays");
    if (!desc_.width || !desc_.height) return refuse(why, "a width or height of 0");
    size_[0] = desc_.width, size_[1] = desc_.height, size_[2] = std::max(1u, desc_.depth);
    surfaces_.resize(size_[2]);
    return surface(0, why) != nullptr;  // checks the rest
}

const Surface* ImageState::surface(uint32_t z, std::string* why) {
    if (surfaces_[z]) return surfaces_[z].get();
    LevelPlace place;
    place.z_stride_B = desc_.array_pitch;
    place.flags_z_stride_B = uint64_t(desc_.flag_buffer_array_pitch) * 4;  // the field counts words
    place.pitch_B = desc_.pitch, place.flags_pitch_B = desc_.flag_buffer_pitch;
    place.width_el = desc_.width, place.height_el = desc_.height;
    place.tile_mode = desc_.tile_mode;
    place.has_flags = desc_.flag;
    return decode_surface(surfaces_[z], describe_surface(desc_, place, z), machine_->chip, why);
}

bool ImageState::address(const uint32_t at[3], uint64_t* va) {
    if (!is_buffer()) {
        std::string why;  // access() reports it
        const Surface* const s = surface(at[2], &why);
        return s && s->address(at[0], at[1], va);
    }
    *va = buffer_va() + uint64_t(at[0]) * std::max(1u, desc_.structsizetexels) * format().size_B;
    return true;
}

bool ImageState::access(window::Window& memory, const uint32_t at[3], uint32_t values[4], bool stores,
                        std::string* why) {
    const Surface* const s = surface(at[2], why);
    if (!s) return false;
    const auto x = int32_t(at[0]), y = int32_t(at[1]);
    const pipe::raster::PixelRect texel = {x, y, x + 1, y + 1};
    uint8_t bytes[kMaxTexel_B] = {};
    if (stores) s->format().write(values, bytes);
    const std::lock_guard lock(lock_of_block(s->desc().va, x, y));
    if (stores) return s->write(memory, machine_->gmem, texel, bytes, sizeof bytes, why);
    if (!s->read(memory, machine_->gmem, texel, bytes, sizeof bytes, why)) return false;
    s->format().read(bytes, values);
    return true;
}

}  // namespace terrazzo::adreno::sim

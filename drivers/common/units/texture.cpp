// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/texture.h"

#include <bit>

#include "drivers/common/units/four_lanes.h"

namespace terrazzo::units {

namespace {

uint32_t blocks_of(uint32_t size_px) {
    return (size_px + kTexelBlock_px - 1) / kTexelBlock_px;
}

// The elements that contain a block of texels.
void find_elements(uint32_t block, uint32_t size_px, uint32_t element_px, int32_t* first, int32_t* end) {
    const uint32_t end_px = std::min((block + 1) * kTexelBlock_px, size_px);
    *first = int32_t(block * kTexelBlock_px / element_px);
    *end = int32_t((end_px - 1) / element_px + 1);
}

}  // namespace

const TexelBlock* Texture::find_block(window::Window& memory, const Image& image, uint32_t bx, uint32_t by,
                                      std::string* why) {
    const size_t levels = size_t(view_.shape.last_level) + 1;
    const size_t depth = view_.is_3d() ? view_.shape.depth : view_.shape.layers;
    if (images_.empty()) images_.resize(depth * levels * view_.samples);
    auto& blocks = images_[(image.z * levels + image.level) * view_.samples + image.sample];
    const uint32_t blocks_x = blocks_of(view_.width_px(image.level));
    if (blocks.empty()) {
        const uint64_t count = uint64_t(blocks_x) * blocks_of(view_.height_px(image.level));
        if (count > kMaxTexels / (kTexelBlock_px * kTexelBlock_px)) {
            *why = "more than 2^30 texels in a level";
            return nullptr;
        }
        blocks.resize(count);
    }
    std::unique_ptr<TexelBlock>& slot = blocks[size_t(by) * blocks_x + bx];
    if (slot) return slot.get();
    auto fresh = std::make_unique_for_overwrite<TexelBlock>();
    if (!decode(memory, image, bx, by, fresh.get(), why)) {
        *why = "level " + std::to_string(image.level) + ", layer " + std::to_string(image.z) + ": " + *why;
        return nullptr;
    }
    decoded_B_ += sizeof(TexelBlock);
    slot = std::move(fresh);
    return slot.get();
}

bool Texture::decode(window::Window& memory, const Image& image, uint32_t bx, uint32_t by, TexelBlock* out,
                     std::string* why) {
    const uint32_t w_px = view_.width_px(image.level), h_px = view_.height_px(image.level);
    pipe::raster::PixelRect elements;
    find_elements(bx, w_px, format().block_w_px, &elements.x0, &elements.x1);
    find_elements(by, h_px, format().block_h_px, &elements.y0, &elements.y1);
    uint8_t rows[TexelDecoder::kMaxElements_B] = {};
    if (!read_elements(memory, image, elements, rows, why)) return false;
    decoder_.decode(rows, w_px, h_px, bx, by, out);
    return true;
}

bool Texture::fetch(window::Window& memory, const FetchLanes& call, wave::U32 out[4], std::string* why) {
    alignas(16) uint32_t texels[wave::kLanes][4] = {};
    for (uint32_t lanes = call.lanes; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        const uint32_t level = call.level[n];
        if (level > view_.shape.last_level || call.sample[n] >= view_.samples) continue;
        const uint32_t size[3] = {view_.width_px(level), view_.height_px(level),
                                  view_.is_3d() ? view_.depth_px(level) : view_.shape.layers};
        uint64_t at[3];
        bool is_inside = true;
        for (unsigned c = 0; c < 3; ++c) {
            at[c] = uint64_t(int64_t(call.at[c][n]) + call.offset[c][n]);
            is_inside &= at[c] < size[c];
        }
        if (!is_inside) continue;
        const uint32_t* const v =
            texel(memory, {level, uint32_t(at[2]), call.sample[n]}, uint32_t(at[0]), uint32_t(at[1]), why);
        if (!v) return false;
        std::copy_n(v, 4, texels[n]);
    }
    four::transpose(texels, out);
    return true;
}

}  // namespace terrazzo::units

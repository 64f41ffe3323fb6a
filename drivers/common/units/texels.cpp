// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/texels.h"

namespace terrazzo::units {

bool TexelCache::init(unsigned width_px, unsigned height_px, unsigned slices) {
    const auto blocks = [](unsigned px) { return px / kTexelBlock_px + (px % kTexelBlock_px != 0); };
    const uint64_t per_slice = uint64_t(blocks(width_px)) * blocks(height_px);
    if (per_slice > kMaxBlocks || per_slice * slices > kMaxBlocks) return false;
    blocks_x_ = blocks(width_px);
    blocks_y_ = blocks(height_px);
    blocks_.clear();
    blocks_.resize(size_t(per_slice) * slices);
    return true;
}

void TexelDecoder::decode_pixels(const uint8_t* pixels, TexelBlock* out) const {
    for (unsigned i = 0; i < kTexelBlock_px * kTexelBlock_px; ++i) {
        uint32_t v[4];
        format.read(pixels + i * format.size_B, v);
        apply_swizzle(v, out->texel[i]);
    }
}

}  // namespace terrazzo::units

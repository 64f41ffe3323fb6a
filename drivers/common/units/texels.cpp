// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/texels.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::units {

namespace {

constexpr unsigned kMaxBlockSide_px = 12;  // ASTC

}  // namespace

void TexelDecoder::decode(const uint8_t* elements, unsigned width_px, unsigned height_px, unsigned bx,
                          unsigned by, TexelBlock* out) const {
    if (format.is_compressed()) return decode_compressed(elements, width_px, height_px, bx, by, out);
    format.read_row(elements, kTexelBlock_px * kTexelBlock_px, out->texel[0]);
    const uint8_t same[4] = {0, 1, 2, 3};
    if (std::equal(swizzle, swizzle + 4, same)) return;
    for (auto& texel : out->texel) {
        const uint32_t v[4] = {texel[0], texel[1], texel[2], texel[3]};
        apply_swizzle(v, texel);
    }
}

void TexelDecoder::decode_compressed(const uint8_t* elements, unsigned width_px, unsigned height_px,
                                     unsigned bx, unsigned by, TexelBlock* out) const {
    const unsigned bw = format.block_w_px, bh = format.block_h_px;
    const unsigned x0 = bx * kTexelBlock_px, y0 = by * kTexelBlock_px;
    const unsigned x1 = std::min(x0 + kTexelBlock_px, width_px),
                   y1 = std::min(y0 + kTexelBlock_px, height_px);
    float texels[kMaxBlockSide_px * kMaxBlockSide_px * 4];
    for (unsigned ty = y0 / bh; ty * bh < y1; ++ty)
        for (unsigned tx = x0 / bw; tx * bw < x1; ++tx) {
            const size_t element = size_t(ty - y0 / bh) * kTexelBlock_px + tx - x0 / bw;
            format.ops->decode_block(texels, elements + element * format.size_B);
            for (unsigned y = std::max(y0, ty * bh); y < std::min(y1, ty * bh + bh); ++y)
                for (unsigned x = std::max(x0, tx * bw); x < std::min(x1, tx * bw + bw); ++x) {
                    uint32_t v[4];
                    std::memcpy(v, &texels[((y - ty * bh) * bw + x - tx * bw) * 4], sizeof(v));
                    apply_swizzle(v, out->texel[(y - y0) * kTexelBlock_px + x - x0]);
                }
        }
}

}  // namespace terrazzo::units

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decoded texels of a level. A block of 16x16 is decoded when one of its texels is first read, and kept: the
// owner must drop the cache when memory may have changed.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "drivers/common/units/format.h"

namespace terrazzo::units {

inline constexpr unsigned kTexelBlock_px = 16;

/// Bits of four floats or integers for each texel, in rows.
struct TexelBlock {
    uint32_t texel[kTexelBlock_px * kTexelBlock_px][4];
    /// The texel at a position of the level, which must be inside of this block.
    const uint32_t* at(uint32_t x, uint32_t y) const {
        return texel[y % kTexelBlock_px * kTexelBlock_px + x % kTexelBlock_px];
    }
};

/// One level of a layer, with all slices or samples.
class TexelCache {
  public:
    static constexpr uint64_t kMaxBlocks = 1u << 22;  // 2^30 texels
    /// False: there are more than kMaxBlocks.
    [[nodiscard]] bool init(unsigned width_px, unsigned height_px, unsigned slices);
    /// The block (bx, by) of a slice. decode(bx, by, slice, TexelBlock*) decodes it on first use. Null:
    /// decode() returned false. Pointers stay valid.
    template <class Decode>
    const TexelBlock* block(uint32_t bx, uint32_t by, uint32_t slice, Decode&& decode) {
        std::unique_ptr<TexelBlock>& block = blocks_[(size_t(slice) * blocks_y_ + by) * blocks_x_ + bx];
        if (!block) {
            auto fresh = std::make_unique<TexelBlock>();
            if (!decode(bx, by, slice, fresh.get())) return nullptr;
            block = std::move(fresh);
        }
        return block.get();
    }
    /// The texel at a position inside of the level.
    template <class Decode>
    const uint32_t* texel(uint32_t x, uint32_t y, uint32_t slice, Decode&& decode) {
        const TexelBlock* b = block(x / kTexelBlock_px, y / kTexelBlock_px, slice, decode);
        return b ? b->at(x, y) : nullptr;
    }

  private:
    unsigned blocks_x_ = 0, blocks_y_ = 0;
    std::vector<std::unique_ptr<TexelBlock>> blocks_;
};

/// Decodes a block from pixels in memory: by a format, then by a view's swizzle.
struct TexelDecoder {
    FormatReader format;
    uint8_t swizzle[4] = {0, 1, 2, 3};  // kZero, kOne

    /// `pixels`: rows of 16x16 pixels.
    void decode_pixels(const uint8_t* pixels, TexelBlock* out) const;
    /// For compressed formats. read(tx, ty, bytes) reads the format's block (tx, ty), format.size_B bytes; if
    /// it returns false, decoding ends. Texels outside of the level are not written.
    template <class Read>
    [[nodiscard]] bool decode_compressed(unsigned width_px, unsigned height_px, unsigned bx, unsigned by,
                                         Read&& read, TexelBlock* out) const {
        const pipe::FormatInfo& info = pipe::format_info(format.format);
        const unsigned bw = info.block_w_px, bh = info.block_h_px;
        const unsigned x0 = bx * kTexelBlock_px, y0 = by * kTexelBlock_px;
        const unsigned x1 = std::min(x0 + kTexelBlock_px, width_px),
                       y1 = std::min(y0 + kTexelBlock_px, height_px);
        float texels[kMaxBlockSide_px * kMaxBlockSide_px * 4];
        uint8_t raw[16];
        for (unsigned ty = y0 / bh; ty * bh < y1; ++ty)
            for (unsigned tx = x0 / bw; tx * bw < x1; ++tx) {
                if (!read(tx, ty, raw)) return false;
                format.ops->decode_block(texels, raw);
                for (unsigned y = std::max(y0, ty * bh); y < std::min(y1, ty * bh + bh); ++y)
                    for (unsigned x = std::max(x0, tx * bw); x < std::min(x1, tx * bw + bw); ++x) {
                        uint32_t v[4];
                        std::memcpy(v, &texels[((y - ty * bh) * bw + x - tx * bw) * 4], sizeof(v));
                        apply_swizzle(v, out->texel[(y - y0) * kTexelBlock_px + x - x0]);
                    }
            }
        return true;
    }
    void apply_swizzle(const uint32_t in[4], uint32_t out[4]) const {
        for (unsigned c = 0; c < 4; ++c)
            out[c] = swizzle[c] < 4 ? in[swizzle[c]] : swizzle[c] == kOne ? format.one() : 0;
    }

  private:
    static constexpr unsigned kMaxBlockSide_px = 12;  // ASTC
};

}  // namespace terrazzo::units

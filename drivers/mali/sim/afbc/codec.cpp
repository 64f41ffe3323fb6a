// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
#include "drivers/mali/sim/afbc/codec.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::mali::sim {

namespace {

constexpr unsigned kSide = 4, kPixels = kSide * kSide;
constexpr unsigned kLargestSize_B = 63;  // 6 bits
// A size of 1 means "uncompressed", so one pixel of one byte is stored in two.
unsigned flat_B(unsigned pixel_B) {
    return std::max(2u, pixel_B);
}
unsigned difference_B(unsigned pixel_B) {
    return pixel_B + pixel_B * kPixels / 2;
}

// The number of columns and rows of subblocks in a superblock.
unsigned columns(bool wide) {
    return wide ? 8 : 4;
}
const uint8_t* at(const uint8_t* pixels, unsigned pixel_B, bool wide, unsigned block, unsigned row) {
    const unsigned c = block % columns(wide), r = block / columns(wide);
    return pixels + ((r * kSide + row) * columns(wide) * kSide + c * kSide) * size_t(pixel_B);
}

bool all_equal(const uint8_t* block, unsigned pixel_B) {
    return std::memcmp(block, block + pixel_B, size_t(pixel_B) * (kPixels - 1)) == 0;
}

// Differences from the minimum of each byte; false: one of them does not fit.
bool encode_differences(const uint8_t* block, unsigned pixel_B, uint8_t* out) {
    for (unsigned b = 0; b < pixel_B; ++b) {
        uint8_t low = 255, high = 0;
        for (unsigned i = 0; i < kPixels; ++i) {
            low = std::min(low, block[i * pixel_B + b]);
            high = std::max(high, block[i * pixel_B + b]);
        }
        if (high - low > 15) return false;
        out[b] = low;
        uint8_t* d = out + pixel_B + b * (kPixels / 2);
        for (unsigned i = 0; i < kPixels; i += 2)
            d[i / 2] = uint8_t((block[i * pixel_B + b] - low) | (block[(i + 1) * pixel_B + b] - low) << 4);
    }
    return true;
}
void decode_differences(const uint8_t* in, unsigned pixel_B, uint8_t* block) {
    for (unsigned b = 0; b < pixel_B; ++b) {
        const uint8_t* d = in + pixel_B + b * (kPixels / 2);
        for (unsigned i = 0; i < kPixels; ++i)
            block[i * pixel_B + b] = uint8_t(in[b] + (d[i / 2] >> 4 * (i % 2) & 15));
    }
}

unsigned encode_block(const uint8_t* block, unsigned pixel_B, uint8_t* out, uint8_t* size) {
    if (all_equal(block, pixel_B)) {
        out[1] = 0;
        std::memcpy(out, block, pixel_B);
        *size = uint8_t(flat_B(pixel_B));
        return *size;
    }
    if (difference_B(pixel_B) <= kLargestSize_B && encode_differences(block, pixel_B, out)) {
        *size = uint8_t(difference_B(pixel_B));
        return *size;
    }
    std::memcpy(out, block, size_t(pixel_B) * kPixels);
    *size = pipe::AfbcHeader::kUncompressed;
    return pixel_B * kPixels;
}

unsigned stored_B(uint8_t size, unsigned pixel_B) {
    return size == pipe::AfbcHeader::kUncompressed ? pixel_B * kPixels : size;
}

}  // namespace

uint32_t afbc_encode(const uint8_t* pixels, unsigned pixel_B, bool wide, uint32_t payload_offset_B,
                     uint8_t* payload, std::span<uint32_t, 4> header) {
    if (pixel_B <= 8 &&
        std::memcmp(pixels, pixels + pixel_B, size_t(pixel_B) * (kSuperblockPixels - 1)) == 0) {
        uint64_t color = 0;
        std::memcpy(&color, pixels, pixel_B);
        pipe::afbc_pack_solid(color, header);
        return 0;
    }
    pipe::AfbcHeader h;
    h.payload_offset_B = payload_offset_B;
    uint32_t used = 0;
    uint8_t block[kPixels * kMaxPixel_B];
    for (unsigned b = 0; b < pipe::kAfbcSubblocks; ++b) {
        for (unsigned r = 0; r < kSide; ++r)
            std::memcpy(block + r * kSide * pixel_B, at(pixels, pixel_B, wide, b, r), kSide * pixel_B);
        used += encode_block(block, pixel_B, payload + used, &h.subblock_B[b]);
    }
    pipe::afbc_pack_header(h, header);
    return used;
}

uint32_t afbc_payload_B(std::span<const uint32_t, 4> header, unsigned pixel_B) {
    return pipe::afbc_unpack_header(header).payload_B(pixel_B * kPixels);
}

bool afbc_decode(std::span<const uint32_t, 4> header, std::span<const uint8_t> payload, unsigned pixel_B,
                 bool wide, uint8_t* pixels) {
    const pipe::AfbcHeader h = pipe::afbc_unpack_header(header);
    uint8_t block[kPixels * kMaxPixel_B];
    size_t used = 0;
    for (unsigned b = 0; b < pipe::kAfbcSubblocks; ++b) {
        if (h.solid()) {
            uint8_t color[kMaxPixel_B] = {};
            std::memcpy(color, &header[2], 8);
            for (unsigned i = 0; i < kPixels; ++i)
                std::memcpy(block + i * pixel_B, color, pixel_B);
        } else {
            const unsigned size = stored_B(h.subblock_B[b], pixel_B);
            if (used + size > payload.size()) return false;
            const uint8_t* from = payload.data() + used;
            used += size;
            if (h.subblock_B[b] == pipe::AfbcHeader::kUncompressed)
                std::memcpy(block, from, size);
            else if (size == difference_B(pixel_B))
                decode_differences(from, pixel_B, block);
            else if (size == flat_B(pixel_B))
                for (unsigned i = 0; i < kPixels; ++i)
                    std::memcpy(block + i * pixel_B, from, pixel_B);
            else
                return false;
        }
        for (unsigned r = 0; r < kSide; ++r)
            std::memcpy(const_cast<uint8_t*>(at(pixels, pixel_B, wide, b, r)), block + r * kSide * pixel_B,
                        kSide * pixel_B);
    }
    return true;
}

}  // namespace terrazzo::mali::sim

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/afbc/codec.h"

#include <algorithm>
#include <cstring>

#include "drivers/common/units/quad_lanes.h"

namespace terrazzo::mali::sim {

namespace {

constexpr unsigned kSide = 4, kPixels = kSide * kSide;

// A size of 1 means "uncompressed", so one pixel of one byte is stored in two.
unsigned flat_B(unsigned pixel_B) {
    return std::max(2u, pixel_B);
}
// The offset of a subblock in the uncompressed rows of its superblock.
size_t offset_B(unsigned block, bool wide, unsigned pixel_B, size_t row_B) {
    const unsigned columns = wide ? 8 : 4;
    return block / columns * kSide * row_B + size_t(block % columns) * kSide * pixel_B;
}
// Whether `count` consecutive pixels are equal.
bool is_flat(const uint8_t* pixels, unsigned count, unsigned pixel_B) {
    return std::memcmp(pixels, pixels + pixel_B, size_t(pixel_B) * (count - 1)) == 0;
}
// Whether all pixels of a rectangle are equal. Its width is a multiple of 4.
bool is_flat(const uint8_t* rows, unsigned w, unsigned h, unsigned pixel_B, size_t row_B) {
    if (pixel_B == sizeof(uint32_t)) {
        uint32_t first;
        std::memcpy(&first, rows, sizeof first);
        units::QuadU32 differs{};
        for (unsigned y = 0; y < h && !units::sign_bits(units::QuadI32(differs != 0u)); ++y, rows += row_B)
            for (unsigned x = 0; x < w; x += kSide) {
                units::QuadU32 four;
                std::memcpy(&four, rows + size_t(x) * pixel_B, sizeof four);
                differs |= four ^ first;
            }
        return !units::sign_bits(units::QuadI32(differs != 0u));
    }
    if (!is_flat(rows, w, pixel_B)) return false;
    for (unsigned y = 1; y < h; ++y)
        if (std::memcmp(rows, rows + y * row_B, size_t(w) * pixel_B) != 0) return false;
    return true;
}

}  // namespace

uint32_t afbc_encode(const uint8_t* rows, size_t row_B, unsigned pixel_B, bool wide,
                     uint32_t payload_offset_B, uint8_t* payload, std::span<uint32_t, 4> header) {
    if (pixel_B <= 8 && is_flat(rows, wide ? 32 : 16, wide ? 8 : 16, pixel_B, row_B)) {
        uint64_t color = 0;
        std::memcpy(&color, rows, pixel_B);
        pipe::afbc_pack_solid(color, header);
        return 0;
    }
    pipe::AfbcHeader h;
    h.payload_offset_B = payload_offset_B;
    uint8_t* to = payload;
    for (unsigned b = 0; b < pipe::kAfbcSubblocks; ++b) {
        const uint8_t* const block = rows + offset_B(b, wide, pixel_B, row_B);
        if (is_flat(block, kSide, kSide, pixel_B, row_B)) {
            to[1] = 0;
            std::memcpy(to, block, pixel_B);
            to += h.subblock_B[b] = uint8_t(flat_B(pixel_B));
            continue;
        }
        h.subblock_B[b] = pipe::AfbcHeader::kUncompressed;
        for (unsigned y = 0; y < kSide; ++y, to += size_t(kSide) * pixel_B)
            std::memcpy(to, block + y * row_B, size_t(kSide) * pixel_B);
    }
    pipe::afbc_pack_header(h, header);
    return uint32_t(to - payload);
}

uint32_t afbc_payload_B(std::span<const uint32_t, 4> header, unsigned pixel_B) {
    return pipe::afbc_unpack_header(header).payload_B(pixel_B * kPixels);
}

bool afbc_decode(std::span<const uint32_t, 4> header, std::span<const uint8_t> payload, unsigned pixel_B,
                 bool wide, uint8_t* pixels) {
    const pipe::AfbcHeader h = pipe::afbc_unpack_header(header);
    const size_t row_B = size_t(wide ? 32 : 16) * pixel_B;
    uint8_t color[kMaxPixel_B] = {};
    std::memcpy(color, &header[2], 8);
    for (unsigned b = 0; b < pipe::kAfbcSubblocks; ++b) {
        const bool is_raw = !h.solid() && h.subblock_B[b] == pipe::AfbcHeader::kUncompressed;
        const unsigned size_B = h.solid() ? 0 : is_raw ? pixel_B * kPixels : flat_B(pixel_B);
        if (size_B > payload.size() || (size_B && !is_raw && h.subblock_B[b] != size_B)) return false;
        const uint8_t* const from = h.solid() ? color : payload.data();
        payload = payload.subspan(size_B);
        uint8_t* row = pixels + offset_B(b, wide, pixel_B, row_B);
        for (unsigned y = 0; y < kSide; ++y, row += row_B)
            for (unsigned x = 0; x < kSide; ++x)
                std::memcpy(row + size_t(x) * pixel_B, from + size_t(is_raw ? y * kSide + x : 0) * pixel_B,
                            pixel_B);
    }
    return true;
}

}  // namespace terrazzo::mali::sim

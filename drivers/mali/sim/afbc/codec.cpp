// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/afbc/codec.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

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
// Four pixels of 2 or 4 bytes, as a vector of the host.
template <unsigned kPixel_B>
using Four = std::conditional_t<kPixel_B == 2, uint64_t, units::QuadU32>;
inline bool is_zero(uint64_t v) {
    return !v;
}
inline bool is_zero(units::QuadU32 v) {
    return !units::sign_bits(units::QuadI32(v != 0u));
}
// Whether all pixels of a rectangle are equal. Its width is a multiple of 4.
template <unsigned kPixel_B>
bool is_flat(const uint8_t* rows, unsigned w, unsigned h, size_t row_B) {
    uint8_t repeated[4 * kPixel_B];
    for (unsigned i = 0; i < 4; ++i)
        std::memcpy(repeated + size_t(i) * kPixel_B, rows, kPixel_B);
    Four<kPixel_B> first, differs{};
    std::memcpy(&first, repeated, sizeof first);
    for (unsigned y = 0; y < h && is_zero(differs); ++y, rows += row_B)
        for (unsigned x = 0; x < w; x += kSide) {
            Four<kPixel_B> four;
            std::memcpy(&four, rows + size_t(x) * kPixel_B, sizeof four);
            differs |= four ^ first;
        }
    return is_zero(differs);
}
bool is_flat(const uint8_t* rows, unsigned w, unsigned h, unsigned pixel_B, size_t row_B) {
    if (pixel_B == 2) return is_flat<2>(rows, w, h, row_B);
    if (pixel_B == 4) return is_flat<4>(rows, w, h, row_B);
    if (std::memcmp(rows, rows + pixel_B, size_t(pixel_B) * (w - 1)) != 0) return false;
    for (unsigned y = 1; y < h; ++y)
        if (std::memcmp(rows, rows + y * row_B, size_t(w) * pixel_B) != 0) return false;
    return true;
}
// Copies the rows of a subblock, one after another.
void copy_block(const uint8_t* rows, size_t row_B, unsigned pixel_B, uint8_t* to) {
    const auto copy = [&](auto size_B) {
        for (unsigned y = 0; y < kSide; ++y)
            std::memcpy(to + y * size_B, rows + y * row_B, size_B);
    };
    // Of the sizes that the compiler knows, each row is one load and one store.
    if (pixel_B == 2) return copy(std::integral_constant<size_t, size_t(2) * kSide>());
    if (pixel_B == 4) return copy(std::integral_constant<size_t, size_t(4) * kSide>());
    copy(size_t(pixel_B) * kSide);
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
        copy_block(block, row_B, pixel_B, to);
        to += size_t(kPixels) * pixel_B;
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

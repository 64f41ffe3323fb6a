// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sizes and places of AFBC headers and bodies, and the bits of a header.
#include "pipe/layout/afbc.h"

#include <algorithm>
#include <bit>

#include "pipe/layout/rounding.h"

namespace terrazzo::pipe {

namespace {

// drm_fourcc.h: vendor Arm (8) in the top byte, type AFBC (0) in the four bits below.
constexpr uint64_t kVendorArm = kModifierVendorArm, kTypeMask = uint64_t(0xff) << 56 | kModifierArmTypeMask;
constexpr uint64_t kBlock16x16 = 1, kBlock32x8 = 2, kBlockMask = 15;
constexpr uint64_t kYtr = 1 << 4, kSplit = 1 << 5, kSparse = 1 << 6, kTiled = 1 << 8, kSolid = 1 << 9;

constexpr uint32_t kLevelAlign_B = 64;  // a level's first header
constexpr uint32_t kBodyAlign_B = 128;  // since architecture 6
constexpr uint32_t kTiledBodyAlign_B = 4096;
constexpr uint32_t kTileSide = 8;        // superblocks
constexpr uint32_t kRenderTile_px = 16;  // height that the GPU writes at a time, also for 32x8 blocks

// Spreads the lowest three bits, with a gap after each for another number's bits.
uint32_t spread3(uint32_t v) {
    return (v & 1) | (v & 2) << 1 | (v & 4) << 2;
}

LayoutStatus check(const AfbcDesc& d) {
    constexpr uint32_t limit = 1u << 16;
    if (!d.width || !d.height || !d.depth || !d.layers || !d.levels) return LayoutStatus::BadSize;
    if (d.width > limit || d.height > limit || d.depth > limit || d.layers > limit)
        return LayoutStatus::BadSize;
    if (d.kind != ResourceKind::Tex3D ? d.depth != 1 : d.layers != 1) return LayoutStatus::BadSize;
    if (d.kind == ResourceKind::Cube && d.layers != 6) return LayoutStatus::BadSize;
    uint32_t largest = std::max(d.width, d.height);
    if (d.kind == ResourceKind::Tex3D) largest = std::max(largest, d.depth);
    if (d.levels > kMaxLevels || d.levels > uint32_t(std::bit_width(largest))) return LayoutStatus::BadLevels;
    const FormatInfo& f = format_info(d.format);
    if (d.kind == ResourceKind::Buffer || d.format == Format::None || f.is_vertex_only || f.is_compressed ||
        !f.block_B)
        return LayoutStatus::BadFormat;
    if (d.header_row_stride_B && (d.levels > 1 || d.layers > 1 || d.depth > 1))
        return LayoutStatus::BadStride;
    return LayoutStatus::Ok;
}

LayoutStatus place_level(const AfbcDesc& d, uint32_t index, uint32_t payload_B, AfbcLevel* l) {
    const uint32_t w_px = afbc_superblock_w_px(d.mode), h_px = afbc_superblock_h_px(d.mode);
    const uint32_t tile = d.mode.tiled ? kTileSide : 1;
    const uint64_t width = align_up(std::max(1u, d.width >> index), uint64_t(w_px) * tile);
    const uint64_t height =
        align_up(std::max(1u, d.height >> index), uint64_t(std::max(h_px, kRenderTile_px)) * tile);
    l->columns = uint32_t(width / w_px);
    l->rows = uint32_t(height / h_px);
    l->header_row_stride_B = l->columns * tile * kAfbcHeader_B;
    if (d.header_row_stride_B) {
        if (d.header_row_stride_B < l->header_row_stride_B ||
            d.header_row_stride_B % (tile * tile * kAfbcHeader_B))
            return LayoutStatus::BadStride;
        l->header_row_stride_B = d.header_row_stride_B;
        l->columns = l->header_row_stride_B / (tile * kAfbcHeader_B);
    }
    const uint64_t blocks = uint64_t(l->columns) * l->rows;
    l->header_slice_stride_B =
        align_up(blocks * kAfbcHeader_B, d.mode.tiled ? kTiledBodyAlign_B : kBodyAlign_B);
    l->body_slice_B = blocks * payload_B;
    l->header_B =
        l->header_slice_stride_B * (d.kind == ResourceKind::Tex3D ? std::max(1u, d.depth >> index) : 1);
    return LayoutStatus::Ok;
}

}  // namespace

bool is_afbc_modifier(uint64_t modifier) {
    return (modifier & kTypeMask) == kVendorArm && (modifier & kBlockMask) != 0;
}

bool afbc_mode_of(uint64_t modifier, AfbcMode* out) {
    constexpr uint64_t known = kTypeMask | kBlockMask | kYtr | kSplit | kSparse | kTiled | kSolid;
    const uint64_t block = modifier & kBlockMask;
    if (!is_afbc_modifier(modifier) || (modifier & ~known) || (block != kBlock16x16 && block != kBlock32x8))
        return false;
    *out = {.wide = block == kBlock32x8,
            .ytr = (modifier & kYtr) != 0,
            .split = (modifier & kSplit) != 0,
            .sparse = (modifier & kSparse) != 0,
            .tiled = (modifier & kTiled) != 0,
            .solid = (modifier & kSolid) != 0};
    return true;
}

uint64_t afbc_modifier(const AfbcMode& m) {
    return kVendorArm | (m.wide ? kBlock32x8 : kBlock16x16) | (m.ytr ? kYtr : 0) | (m.split ? kSplit : 0) |
           (m.sparse ? kSparse : 0) | (m.tiled ? kTiled : 0) | (m.solid ? kSolid : 0);
}

LayoutStatus afbc_layout_compute(const AfbcDesc& desc, AfbcLayout* out) {
    if (const LayoutStatus s = check(desc); s != LayoutStatus::Ok) return s;
    AfbcLayout a;
    a.mode = desc.mode;
    a.kind = desc.kind;
    a.format = desc.format;
    a.levels = desc.levels;
    a.layers = desc.layers;
    a.payload_B =
        format_info(desc.format).block_B * afbc_superblock_w_px(desc.mode) * afbc_superblock_h_px(desc.mode);
    uint64_t at = 0;
    for (uint32_t l = 0; l < desc.levels; ++l) {
        AfbcLevel& level = a.level[l];
        if (const LayoutStatus s = place_level(desc, l, a.payload_B, &level); s != LayoutStatus::Ok) return s;
        at = align_up(at, desc.mode.tiled ? kTiledBodyAlign_B : kLevelAlign_B);
        level.offset_B = at;
        const uint64_t slices = desc.kind == ResourceKind::Tex3D ? std::max(1u, desc.depth >> l) : 1;
        // At most 2^13 squared blocks of 2^12 bytes, and 2^16 slices: 2^54.
        at += level.header_B + level.body_slice_B * slices;
        if (at > kMaxSurface_B) return LayoutStatus::TooLarge;
    }
    a.layer_stride_B = align_up(at, desc.mode.tiled ? kTiledBodyAlign_B : kLevelAlign_B);
    a.size_B = a.layer_stride_B * desc.layers;
    if (a.size_B > kMaxSurface_B) return LayoutStatus::TooLarge;
    *out = a;
    return LayoutStatus::Ok;
}

uint64_t AfbcLayout::header_offset_B(uint32_t l, uint32_t z) const {
    return level[l].offset_B +
           (kind == ResourceKind::Tex3D ? z * level[l].header_slice_stride_B : z * layer_stride_B);
}

uint64_t AfbcLayout::body_offset_B(uint32_t l, uint32_t z) const {
    const AfbcLevel& v = level[l];
    return v.offset_B + v.header_B + (kind == ResourceKind::Tex3D ? z * v.body_slice_B : z * layer_stride_B);
}

uint32_t AfbcLayout::header_index(uint32_t l, uint32_t column, uint32_t row) const {
    // headers per row, or per row of tiles
    const uint32_t stride = level[l].header_row_stride_B / kAfbcHeader_B;
    if (!mode.tiled) return row * stride + column;
    return row / kTileSide * stride + column / kTileSide * (kTileSide * kTileSide) +
           spread3(column % kTileSide) + 2 * spread3(row % kTileSide);
}

uint32_t AfbcHeader::payload_B(uint32_t raw_B) const {
    if (solid()) return 0;
    uint32_t sum_B = 0;
    for (uint8_t size : subblock_B)
        sum_B += size == kUncompressed ? raw_B : size;
    return sum_B;
}

AfbcHeader afbc_unpack_header(std::span<const uint32_t, 4> words) {
    AfbcHeader h;
    h.payload_offset_B = words[0];
    for (uint32_t i = 0; i < kAfbcSubblocks; ++i) {
        const uint32_t bit = 32 + 6 * i, word = bit / 32;
        const uint64_t two = words[word] | (word < 3 ? uint64_t(words[word + 1]) << 32 : 0);
        h.subblock_B[i] = uint8_t(two >> bit % 32 & 63);
    }
    return h;
}

void afbc_pack_header(const AfbcHeader& header, std::span<uint32_t, 4> words) {
    words[0] = header.payload_offset_B;
    words[1] = words[2] = words[3] = 0;
    for (uint32_t i = 0; i < kAfbcSubblocks; ++i) {
        const uint32_t bit = 32 + 6 * i, word = bit / 32;
        const uint64_t two = uint64_t(header.subblock_B[i] & 63) << bit % 32;
        words[word] |= uint32_t(two);
        if (word < 3) words[word + 1] |= uint32_t(two >> 32);
    }
}

void afbc_pack_solid(uint64_t color, std::span<uint32_t, 4> words) {
    words[0] = words[1] = 0;
    words[2] = uint32_t(color);
    words[3] = uint32_t(color >> 32);
}

uint64_t afbc_pack_offsets(std::span<const uint32_t> payload_B, uint64_t header_B, uint32_t align_B,
                           std::span<uint32_t> offset_B) {
    uint64_t at = align_up(header_B, align_B);
    for (size_t i = 0; i < payload_B.size(); ++i) {
        offset_B[i] = payload_B[i] ? uint32_t(at) : 0;
        at += align_up(payload_B[i], align_B);
    }
    return at;
}

}  // namespace terrazzo::pipe

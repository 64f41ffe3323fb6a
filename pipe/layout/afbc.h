// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arm Frame Buffer Compression: the places of a surface's headers and payloads, and the contents of a header.
// A surface is divided into superblocks of 16x16 or 32x8 pixels, each with a 16-byte header. A header points
// to its payload, 16 subblocks of 4x4 pixels. In a sparse surface every superblock has space for its
// uncompressed payload at a fixed place; in a packed one the payloads are contiguous. Only the GPU reads
// subblocks; drivers only move payloads. Sources: Mesa 25.0.7, src/panfrost/lib/pan_layout.c and
// src/gallium/drivers/panfrost/pan_mod_conv_cso.c; drm_fourcc.h for the modifiers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "pipe/layout/layout.h"
#include "pipe/modifier.h"

namespace terrazzo::pipe {

inline constexpr uint32_t kAfbcHeader_B = 16;
inline constexpr uint32_t kAfbcSubblocks = 16;

/// The options of an AFBC modifier.
struct AfbcMode {
    bool wide = false;   // superblocks of 32x8 pixels instead of 16x16
    bool ytr = false;    // lossless colour transform, for formats with R, G, B(, A) in this order
    bool split = false;  // a payload in two halves
    bool sparse = true;  // payloads at fixed places
    bool tiled = false;  // headers in 8x8 tiles, in Morton order inside; bodies aligned to 4096 bytes
    bool solid = false;  // solid-colour blocks allowed
    constexpr bool operator==(const AfbcMode&) const = default;
};

/// Superblocks are squares, or twice as wide and half as high.
inline constexpr uint32_t kAfbcSuperblock_px = 16;
constexpr uint32_t afbc_superblock_w_px(const AfbcMode& m) {
    return m.wide ? 2 * kAfbcSuperblock_px : kAfbcSuperblock_px;
}
constexpr uint32_t afbc_superblock_h_px(const AfbcMode& m) {
    return m.wide ? kAfbcSuperblock_px / 2 : kAfbcSuperblock_px;
}

bool is_afbc_modifier(uint64_t modifier);
/// False: the modifier is not AFBC, or has an option that is not in AfbcMode (64x4, double buffer, ...).
[[nodiscard]] bool afbc_mode_of(uint64_t modifier, AfbcMode* out);
uint64_t afbc_modifier(const AfbcMode& mode);

struct AfbcDesc {
    ResourceKind kind = ResourceKind::Tex2D;
    Format format = Format::None;
    uint32_t width = 1, height = 1, depth = 1, layers = 1, levels = 1;  // px
    AfbcMode mode;
    /// Given stride of headers, for an imported image with one level and layer; 0: the smallest one.
    uint32_t header_row_stride_B = 0;
};

struct AfbcLevel {
    uint64_t offset_B = 0;             // of the first header, from the layer's start
    uint32_t header_row_stride_B = 0;  // of a row of superblocks; if tiled, of a row of 8x8 tiles
    // in superblocks, padded to whole tiles (and to 16 pixel rows if wide)
    uint32_t columns = 0, rows = 0;
    // of the headers before the bodies: of one 2D image; for Tex3D of all slices
    uint64_t header_B = 0;
    uint64_t header_slice_stride_B = 0;  // Tex3D: between the headers of slices
    uint64_t body_slice_B = 0;           // uncompressed size of all payloads of one 2D image
};

struct AfbcLayout {
    AfbcMode mode;
    ResourceKind kind = ResourceKind::Tex2D;
    Format format = Format::None;
    uint32_t levels = 0, layers = 0;
    uint32_t payload_B = 0;  // of one superblock, uncompressed
    uint64_t layer_stride_B = 0, size_B = 0;
    AfbcLevel level[kMaxLevels];

    /// The first header byte of a 2D image, and the first byte of its payloads.
    uint64_t header_offset_B(uint32_t l, uint32_t z) const;
    uint64_t body_offset_B(uint32_t l, uint32_t z) const;
    /// The number of a superblock's header, counted from the image's first one.
    uint32_t header_index(uint32_t l, uint32_t column, uint32_t row) const;
};

/// Writes `out` only if the result is Ok. Buffers, compressed formats, and formats of unusual sizes are
/// BadFormat.
[[nodiscard]] LayoutStatus afbc_layout_compute(const AfbcDesc& desc, AfbcLayout* out);

/// An unpacked header. Payload offsets are relative to the image's first header.
struct AfbcHeader {
    /// Sizes have 6 bits; this value represents an uncompressed subblock.
    static constexpr uint8_t kUncompressed = 1;

    uint32_t payload_offset_B = 0;
    std::array<uint8_t, kAfbcSubblocks> subblock_B = {};

    /// If the first size is 0, the superblock has one colour, which is in the header's last 8 bytes.
    bool solid() const { return subblock_B[0] == 0; }
    /// Bytes of payload, if an uncompressed subblock has `raw_B`.
    uint32_t payload_B(uint32_t raw_B) const;
};
AfbcHeader afbc_unpack_header(std::span<const uint32_t, 4> words);
void afbc_pack_header(const AfbcHeader& header, std::span<uint32_t, 4> words);
void afbc_pack_solid(uint64_t color, std::span<uint32_t, 4> words);

/// Computes the packed places of an image's payloads (for an AFBC-packing blit): writes the offset of each
/// payload, relative to the first header of the new image. Its headers take `header_B` bytes; payloads are
/// aligned to `align_B` (a power of two). Returns the size of the new image in bytes. Solid superblocks take
/// none, and have offset 0.
uint64_t afbc_pack_offsets(std::span<const uint32_t> payload_B, uint64_t header_B, uint32_t align_B,
                           std::span<uint32_t> offset_B);

}  // namespace terrazzo::pipe

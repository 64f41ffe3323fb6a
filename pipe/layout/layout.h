// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The place of every pixel of a surface in memory: offsets and strides of levels and layers for each tiling,
// and copies between tiled surfaces and linear rows. To add a GPU's tiling, add a Tiling and its row to the
// table in layout.cpp; users of this header do not change. Compressed frame buffers, which CPU copies do not
// support, have their own headers (afbc.h).
#pragma once

#include <cstdint>

#include "pipe/format.h"
#include "pipe/resource.h"

namespace terrazzo::pipe {

/// The order of the blocks of one slice.
enum class Tiling : uint8_t {
    Linear,       // rows of blocks in order; the samples of a pixel are adjacent
    Interleaved,  // Arm's 16x16 U-interleaved tiles (interleaved.h); each sample is an image of its own
    Macrotiled,   // Qualcomm's TILE6_3 (macrotile.h); laid out only by a6xx_layout_compute
    Twiddled,     // Apple's Morton order (twiddled.h); laid out only by agx_layout_compute
};

/// Properties of Qualcomm's macrotiles that depend on the chip and the format.
struct MacrotileParams {
    uint8_t highest_bank_bit = 0;
    uint8_t bank_swizzle = 0;     // bits 0 to 2 enable levels 1 to 3
    bool eight_channels = false;  // the macrotile mode; false: four channels
    bool split_channels = false;  // R8G8: a tile has all of R, then all of G
    constexpr bool operator==(const MacrotileParams&) const = default;
};

/// The size of a tile in elements.
struct TileShape {
    uint32_t w_el = 0, h_el = 0;
};
/// The logarithms of a twiddled tile's sides, in elements.
struct TileLog2 {
    uint8_t w = 0, h = 0;
    constexpr bool operator==(const TileLog2&) const = default;
};

inline constexpr uint32_t kMaxLevels = 16;
/// The largest size of a surface in bytes, in any layout but Apple's (agx.h).
inline constexpr uint64_t kMaxSurface_B = uint64_t(1) << 31;

struct LayoutDesc {
    ResourceKind kind = ResourceKind::Tex2D;
    Format format = Format::None;  // Buffer: None
    uint32_t width = 1;            // px; Buffer: bytes
    uint32_t height = 1;
    uint32_t depth = 1;   // Tex3D
    uint32_t layers = 1;  // Cube: 6, CubeArray: 6n
    uint32_t levels = 1;
    uint32_t samples = 1;
    Tiling tiling = Tiling::Linear;
    // Alignments, powers of two.
    uint32_t row_align_B = 1;    // of each row of blocks
    uint32_t level_align_B = 1;  // of each level's first byte
    uint32_t layer_align_B = 1;  // of each layer's first byte
    /// The given stride of level 0, for an imported image; 0: the layout chooses.
    uint32_t row_stride_B = 0;
};

/// The geometry of a resource, without alignments.
LayoutDesc layout_desc_of(const ResourceDesc& desc);

struct LevelLayout {
    uint64_t offset_B = 0;      // of slice or layer 0, from the surface's start
    uint32_t row_stride_B = 0;  // of a row of blocks (Linear) or of a row of tiles
    /// Size of one 2D image (with all samples); of a 3D image the bytes from slice to slice.
    uint64_t slice_stride_B = 0;
    uint32_t width = 0, height = 0, depth = 0;  // px
    uint32_t rows = 0;                          // of blocks
    Tiling tiling = Tiling::Linear;             // small levels may be linear in a tiled surface
    TileLog2 tile;                              // Twiddled
};

/// Layers are outermost: each has its whole chain of levels, and they are layer_stride_B apart. Depth slices
/// lie inside their level, except Apple's, which are placed like layers.
struct SurfaceLayout {
    Tiling tiling = Tiling::Linear;  // of level 0
    MacrotileParams macrotile;       // used by Macrotiled only
    /// The channels in memory have the order R, G, B, A instead of the format's (channel_order.h). tile_rect
    /// and detile_rect reorder them.
    bool rgba_order = false;
    ResourceKind kind = ResourceKind::Tex2D;
    Format format = Format::None;
    uint32_t levels = 0, layers = 0, samples = 1;
    uint32_t block_B = 1;  // bytes of a block, including its samples if these are adjacent
    uint8_t block_w_px = 1, block_h_px = 1;
    uint64_t layer_stride_B = 0;
    uint64_t size_B = 0;
    LevelLayout level[kMaxLevels];

    /// Bytes from one z (layer, face, or depth slice) to the next.
    uint64_t z_stride_B(uint32_t l) const {
        return kind == ResourceKind::Tex3D ? level[l].slice_stride_B : layer_stride_B;
    }
    /// The first byte of a 2D image.
    uint64_t image_offset_B(uint32_t l, uint32_t z) const { return level[l].offset_B + z * z_stride_B(l); }
    /// Only for linear levels: the first byte of the block whose corner is pixel (x, y).
    uint64_t block_offset_B(uint32_t l, uint32_t z, uint32_t x, uint32_t y) const {
        return image_offset_B(l, z) + uint64_t(y / block_h_px) * level[l].row_stride_B +
               uint64_t(x / block_w_px) * block_B;
    }
    /// Bytes from a sample's image to the next sample's; 0: the samples of a pixel are adjacent.
    uint64_t sample_stride_B(uint32_t l) const {
        return samples > 1 && tiling == Tiling::Interleaved ? level[l].slice_stride_B / samples : 0;
    }
    /// The number of z of the level.
    uint32_t z_count(uint32_t l) const { return kind == ResourceKind::Tex3D ? level[l].depth : layers; }
};

enum class LayoutStatus : uint8_t {
    Ok,
    BadSize,       // a dimension is 0, too large for the chip, or not allowed for the kind
    BadLevels,     // more levels than the size has, or more than kMaxLevels
    BadFormat,     // None for an image, or a vertex-only format, or samples of a compressed one
    BadAlignment,  // not a power of two
    BadStride,     // the demanded stride is too small or not aligned
    BadTiling,     // this function, or this kind of image, does not support the tiling
    BadChip,       // a property of the chip's memory is out of range
    TooLarge,      // more than kMaxSurface_B (Apple: kMaxAgxSurface_B)
};
const char* layout_status_text(LayoutStatus status);

/// Writes `out` only if the result is Ok.
[[nodiscard]] LayoutStatus layout_compute(const LayoutDesc& desc, SurfaceLayout* out);

/// Whether the box lies inside the level, begins at block corners, and ends at block corners or the level's
/// edge.
bool layout_box_valid(const SurfaceLayout& layout, uint32_t level, const Box& box);

/// Copies linear rows to the surface. `rows` are rows of blocks, row_stride_B apart (at least one row's
/// bytes; negative to flip), of images that are layer_stride_B apart. `surface` is the first byte of the
/// whole surface. False, with nothing written: the box is not valid.
[[nodiscard]] bool tile_rect(const SurfaceLayout& layout, void* surface, uint32_t level, const Box& box,
                             const void* rows, ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B);
/// Copies the surface to linear rows.
[[nodiscard]] bool detile_rect(const SurfaceLayout& layout, const void* surface, uint32_t level,
                               const Box& box, void* rows, ptrdiff_t row_stride_B, ptrdiff_t layer_stride_B);

}  // namespace terrazzo::pipe

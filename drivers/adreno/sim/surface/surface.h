// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A 2D image in GPU memory or in GMEM, as registers and descriptors describe it: one level of one layer.
// Rectangles are read and written as rows of pixels with R first, whatever tiling, compression and channel
// order memory has. Tiling is pipe/layout's.
//
// A pixel's samples follow each other in rows. Also in tiled memory, an image with samples is laid out as an
// image of one sample that is that many times as wide: so drivers fill and copy it with the 2D engine, and so
// UBWC's blocks have the same bytes. Formats of one byte, and R8G8, whose tiles are twice as high, are
// different: there a pixel's samples are one element, and with UBWC if they have more than 16 bytes.
// pipe/layout always has samples as elements; only the GPU sees such images.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drivers/adreno/hw/chips.h"
#include "drivers/adreno/hw/enums.h"
#include "drivers/adreno/hw/formats.h"
#include "drivers/common/units/format.h"
#include "drivers/common/window/window.h"
#include "pipe/layout/macrotile.h"
#include "pipe/layout/ubwc_image.h"
#include "pipe/raster/edge.h"

namespace terrazzo::adreno::sim {

struct SurfaceDesc {
    uint64_t va = 0;  // 0 with `gmem`: an offset in GMEM
    uint32_t gmem_offset_B = 0;
    bool in_gmem = false;
    // In GMEM a pixel's samples follow each other, rows of `pitch_B`, without tiling or compression.
    hw::Format format = hw::Format::FMT6_NONE;
    bool srgb = false;
    hw::TileMode tile_mode = hw::TileMode::TILE6_LINEAR;
    hw::ColorSwap swap = hw::ColorSwap::WZYX;
    uint32_t pitch_B = 0;
    uint32_t width_px = 0, height_px = 0;  // pixels outside are not accessed
    uint32_t samples = 1;
    bool has_flags = false;  // UBWC
    uint64_t flags_va = 0;
    uint32_t flags_pitch_B = 0;
    /// An image of one sample may be one of several samples, which a driver fills as columns: flags may be
    /// folded as they are there.
    bool is_fill = false;
};

/// A format of RB, of textures or of the 2D engine, as it is read and written. False: the model does not know
/// it. For compressed formats a pixel is a block, here and in Surface. FMT6_Z24_UINT_S8_UINT has its stencil
/// as Y, and no depth.
[[nodiscard]] bool surface_format(hw::Format format, hw::ColorSwap swap, bool srgb, units::FormatReader* out);

/// How memory's order of channels becomes R first: by pipe/layout/channel_order.h for a format, or by the
/// places of components of equal size. Neither: it already is.
struct ChannelOrder {
    pipe::Format format = pipe::Format::None;
    uint32_t component_B = 0;
    uint8_t place[4] = {0, 1, 2, 3};  // of R, G, B, A in memory
    bool is_plain() const { return format == pipe::Format::None && component_B == 0; }
};
/// False: the format has no such order.
[[nodiscard]] bool channel_order(hw::Format format, hw::ColorSwap swap, bool srgb, ChannelOrder* out);

/// Colour and depth caches ignore the order of channels of tiled images; textures do not. Source: Mesa
/// 25.0.7, fd6_format_table.c.
inline hw::ColorSwap ccu_swap(hw::TileMode mode, hw::ColorSwap swap) {
    return mode == hw::TileMode::TILE6_LINEAR ? swap : hw::ColorSwap::WZYX;
}

/// GMEM of a bin, from RB_BIN_CONTROL and a base: the same for draws, BLIT events and 2D blits. Rows of the
/// bin follow each other without a gap. Pixel (0, 0) is the bin's first one: RB_WINDOW_OFFSET in the frame
/// buffer.
SurfaceDesc gmem_surface(uint32_t bin_w_px, uint32_t bin_h_px, uint32_t base_B, hw::Format format,
                         uint32_t samples);

/// The address at which the 2D engine and shaders see GMEM. Source: Linux 6.17,
/// drivers/gpu/drm/msm/adreno/adreno_gpu.c.
inline uint64_t gmem_base_va(const hw::Chip& chip) {
    return chip.generation.number <= 2 ? 0x100000 : 0;
}

class Surface {
  public:
    /// Decodes the description once. False: `why` has the unsupported property.
    [[nodiscard]] bool init(const SurfaceDesc& desc, const hw::Chip& chip, std::string* why);
    const SurfaceDesc& desc() const { return desc_; }
    /// The format through which pixels are read and written; the swap is undone: R first.
    const units::FormatReader& format() const { return format_; }
    uint32_t pixel_B() const { return pixel_B_; }  // with all samples
    /// The address of a pixel inside. False: it has no single address (GMEM, compressed, R8G8 in tiles).
    [[nodiscard]] bool address(uint32_t x, uint32_t y, uint64_t* va) const;

    /// Copies pixels of a rectangle that lies within the surface, rows of `row_B` bytes. `gmem`: the
    /// machine's. False: `why`: memory refuses the access, or a compression flag was never written. Several
    /// threads may use the machine's memory and GMEM for rectangles that share no 16x16 pixels, each with its
    /// own window.
    [[nodiscard]] bool read(window::Window& memory, const std::vector<uint8_t>& gmem,
                            const pipe::raster::PixelRect& rect, uint8_t* rows, size_t row_B,
                            std::string* why) const;
    [[nodiscard]] bool write(window::Window& memory, std::vector<uint8_t>& gmem,
                             const pipe::raster::PixelRect& rect, const uint8_t* rows, size_t row_B,
                             std::string* why) const;
    /// Sets all pixels to `pixel` (pixel_B() bytes, R first). Compressed blocks then take a few bytes.
    [[nodiscard]] bool fill(window::Window& memory, std::vector<uint8_t>& gmem,
                            const pipe::raster::PixelRect& rect, const uint8_t* pixel,
                            std::string* why) const;

    /// The rectangle's first pixel of a surface in GMEM; rows are pitch_B apart, with the bytes that read()
    /// and write() copy. Null: `why`.
    uint8_t* gmem_at(std::vector<uint8_t>& gmem, const pipe::raster::PixelRect& rect, std::string* why) const;

  private:
    using PixelRect = pipe::raster::PixelRect;
    bool choose_order(std::string* why);
    bool check_linear(std::string* why) const;
    bool check_tiled(const hw::Chip& chip, std::string* why);
    bool check_flags(std::string* why);
    bool inside(const PixelRect& rect, std::string* why) const;
    pipe::UbwcRect elements(const PixelRect& rect) const;
    // Plain rows in memory's order of channels.
    bool copy(window::Window& memory, const PixelRect& rect, uint8_t* rows, size_t row_B, bool to_memory,
              std::string* why) const;
    bool copy_linear(window::Window& memory, const PixelRect& rect, uint8_t* rows, size_t row_B,
                     bool to_memory, std::string* why) const;
    bool copy_tiled(window::Window& memory, const PixelRect& rect, uint8_t* rows, size_t row_B,
                    bool to_memory, std::string* why) const;
    uint8_t* macrotile_rows(window::Window& memory, const PixelRect& rect, window::Access access) const;
    bool copy_elements(window::Window& memory, const PixelRect& rect, uint8_t* rows, size_t row_B,
                       bool to_memory, std::string* why) const;
    // The flags and payloads of a rectangle.
    bool compressed(window::Window& memory, const PixelRect& rect, window::Access access,
                    pipe::UbwcImage* out, std::string* why) const;

    SurfaceDesc desc_;
    units::FormatReader format_;
    ChannelOrder order_;
    uint32_t pixel_B_ = 4;
    uint32_t element_B_ = 4;    // of tiles
    uint32_t elements_px_ = 1;  // elements per pixel: samples, or 1
    pipe::MacrotileParams macrotile_;
    std::optional<pipe::MacrotileMap> map_;  // of tiled memory
    pipe::UbwcBlockShape block_;             // in elements
    bool folded_ = false;                    // flags
};

}  // namespace terrazzo::adreno::sim

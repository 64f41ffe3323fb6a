// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An image in memory with the layout that its descriptor implies (pipe/layout/agx.h).
#pragma once

#include <string>

#include "drivers/agx/hw/records.h"
#include "drivers/common/units/image.h"
#include "drivers/common/window/window.h"
#include "pipe/layout/agx.h"
#include "pipe/raster/edge.h"

namespace terrazzo::agx::sim {

/// Whether the dimension has layers; also faces of cubes.
bool is_array(hw::TextureDimension d);
/// The samples of a pixel of an image with this dimension.
unsigned samples_of(hw::TextureDimension d, hw::SampleCount count);

class StoredImage {
  public:
    /// `layer_stride_B`: 0, or that of a linear image. False: `why` says why no image has this layout.
    [[nodiscard]] bool init(const pipe::AgxLayoutDesc& desc, uint64_t va, uint64_t layer_stride_B,
                            std::string* why);
    /// Pixels of a level of a layer, which must be inside of it. `rows`: row_B apart; a pixel has all its
    /// samples. False: the image's memory is not mapped. A linear image needs the memory of its pixels only,
    /// and those after the end of it are zeros: buffers are images with rows of 1024 pixels, of which the
    /// last one is not whole.
    [[nodiscard]] bool load(window::Window& memory, uint32_t level, uint32_t layer,
                            const pipe::raster::PixelRect& rect, uint8_t* rows, size_t row_B,
                            std::string* why) const;
    [[nodiscard]] bool store(window::Window& memory, uint32_t level, uint32_t layer,
                             const pipe::raster::PixelRect& rect, const uint8_t* rows, size_t row_B,
                             std::string* why) const;
    const pipe::SurfaceLayout& layout() const { return layout_.surface; }
    /// The address of a pixel, which is inside: of its first sample, which the others follow.
    uint64_t pixel_va(uint32_t level, uint32_t layer, uint32_t x, uint32_t y) const;

  private:
    uint8_t* map(window::Window& memory, window::Access access, std::string* why) const;
    bool is_linear() const { return layout_.surface.tiling == pipe::Tiling::Linear; }

    pipe::AgxLayout layout_;
    uint64_t va_ = 0;
};

/// A level of an image whose pixels are read and written in place. The last coordinate is the slice, or the
/// sample of a layer: layer * samples + sample.
class StoredTexels final : public units::Image {
  public:
    StoredTexels() = default;
    StoredTexels(const StoredImage& image, const units::TexelDecoder& decoder, uint32_t level);

  private:
    bool address(const uint32_t at[3], uint64_t* va) override;
    bool access(window::Window& memory, const uint32_t at[3], uint32_t values[4], bool stores,
                std::string* why) override;
    const StoredImage* image_ = nullptr;
    uint32_t level_ = 0, samples_ = 1;
};

/// An image that programs write. *format: its numbers are in the hardware's order. `to_srgb`: it converts, if
/// the descriptor says so.
[[nodiscard]] bool open_image(const hw::Pbe& d, bool to_srgb, units::FormatReader* format, StoredImage* image,
                              std::string* why);
/// Likewise, one that they read; *format has none if it is not bound.
[[nodiscard]] bool open_image(const hw::Texture& d, units::FormatReader* format, StoredImage* image,
                              std::string* why);

}  // namespace terrazzo::agx::sim

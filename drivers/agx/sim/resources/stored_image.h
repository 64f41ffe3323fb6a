// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An image in memory with the layout that its descriptor implies (pipe/layout/agx.h).
#pragma once

#include <string>

#include "drivers/agx/hw/records.h"
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
    /// False: `why` says why no image has this layout.
    [[nodiscard]] bool init(const pipe::AgxLayoutDesc& desc, uint64_t va, std::string* why);
    /// Pixels of a level of a layer, which must be inside of it. `rows`: row_B apart; a pixel has all its
    /// samples. False: the image's memory is not mapped.
    [[nodiscard]] bool load(window::Window& memory, uint32_t level, uint32_t layer,
                            const pipe::raster::PixelRect& rect, uint8_t* rows, size_t row_B,
                            std::string* why) const;
    [[nodiscard]] bool store(window::Window& memory, uint32_t level, uint32_t layer,
                             const pipe::raster::PixelRect& rect, const uint8_t* rows, size_t row_B,
                             std::string* why) const;
    const pipe::SurfaceLayout& layout() const { return layout_.surface; }

  private:
    uint8_t* map(window::Window& memory, window::Access access, std::string* why) const;

    pipe::AgxLayout layout_;
    uint64_t va_ = 0;
};

/// An image that programs write. *format: with its channels in the order R, G, B, A.
[[nodiscard]] bool open_image(const hw::Pbe& d, pipe::Format* format, StoredImage* image, std::string* why);
/// Likewise, one that they read; *format is None if it is not bound.
[[nodiscard]] bool open_image(const hw::Texture& d, pipe::Format* format, StoredImage* image,
                              std::string* why);

}  // namespace terrazzo::agx::sim

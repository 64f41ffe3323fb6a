// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Depth and stencil buffers of a render: twiddled images, of which the ISP loads and stores tiles.
#pragma once

#include <string>

#include "drivers/common/window/window.h"
#include "pipe/raster/edge.h"
#include "winsys/virtual/asahi/gpu.h"

namespace terrazzo::agx::sim {

struct ZlsSurface {
    winsys::virt::asahi::ZlsBuffer buffer;
    uint32_t width_px = 0, height_px = 0, samples = 1;
    bool is_unorm16 = false;  // depth: not floats of 32 bits
    bool is_stencil = false;
    bool is_compressed = false;
};

/// Depth as words of the tile: a float, or an integer of 16 bits. Pixels outside of the buffer become zeros,
/// and are not stored.
[[nodiscard]] bool load_depth(window::Window& memory, const ZlsSurface& s, uint32_t layer,
                              const pipe::raster::PixelRect& rect, uint8_t* words, size_t row_B,
                              std::string* why);
[[nodiscard]] bool store_depth(window::Window& memory, const ZlsSurface& s, uint32_t layer,
                               const pipe::raster::PixelRect& rect, const uint8_t* words, size_t row_B,
                               std::string* why);
[[nodiscard]] bool load_stencil(window::Window& memory, const ZlsSurface& s, uint32_t layer,
                                const pipe::raster::PixelRect& rect, uint8_t* bytes, size_t row_B,
                                std::string* why);
[[nodiscard]] bool store_stencil(window::Window& memory, const ZlsSurface& s, uint32_t layer,
                                 const pipe::raster::PixelRect& rect, const uint8_t* bytes, size_t row_B,
                                 std::string* why);

}  // namespace terrazzo::agx::sim

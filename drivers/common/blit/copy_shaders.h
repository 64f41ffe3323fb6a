// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders by which a device copies, as IR: fragment shaders that load attachments at the begin of a tile (as
// in Mesa 25.0.7, panvk_vX_cmd_fb_preload.c), and compute shaders that copy texels to memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "shaders/ir/ir.h"

namespace terrazzo::blits {

/// What a load shader reads and writes. Its textures are in this order: colours from the lowest target up,
/// depth, stencil.
struct LoadKey {
    uint8_t colors = 0;  // a bit for each render target
    bool depth = false, stencil = false;
    /// Another image with a texture of its own. Box: its texture follows each attachment's texture, and is
    /// read for the pixels of a box. All: it replaces the attachment's texture. See LoadUniforms.
    enum class Other : uint8_t { None, Box, All } other = Other::None;
    /// Samples of the textures. Each: the shader runs for each sample, and reads that one. Resolve: the other
    /// texture has `samples` samples. Their mean is loaded, or the first one: of integers, depth and stencil.
    enum class Samples : uint8_t { One, Each, Resolve } read = Samples::One;
    uint8_t samples = 1;
    bool integers = false;  // for Resolve: of the colours
    bool operator==(const LoadKey&) const = default;
};
/// The uniforms of a load shader with LoadKey::other, in pixels. The box's first pixel (All: the attachment's
/// first pixel) reads (from_x, from_y) of the other texture.
struct LoadUniforms {
    uint32_t x = 0, y = 0, last_x = 0, last_y = 0;  // width and height minus 1
    uint32_t from_x = 0, from_y = 0;
};

/// A compute shader that reads texels of a 2D texture (level 0) and stores them as elements of an image, in
/// its storage buffer.
struct CopyKey {
    uint8_t element_B = 4;  // 1, 2, 4, 8, 16
    /// Log2 of the elements along the side of an interleaved tile; 0: linear rows.
    uint8_t tile_log2 = 0;
    /// All zero: texels are integers, with as many words as the element. Otherwise texels are four floats,
    /// which are packed as normalised integers of these bits, the lowest bits of the element first.
    std::array<uint8_t, 4> unorm_bits{};
    /// The texel's component for each of these channels; kCopyOne: the constant 1.
    std::array<uint8_t, 4> component{0, 1, 2, 3};
    /// Texels are packed as elements before anything else: averages are then computed of packed elements.
    bool packs_texels = false;
    /// An element is the average of 2x2 texels. Integers are averaged byte by byte, ties to even.
    bool halve = false;
    bool operator==(const CopyKey&) const = default;
};
inline constexpr uint8_t kCopyOne = 4;
/// The uniforms of a copy shader. Coordinates count elements, from the first of the texture or image.
struct CopyUniforms {
    uint32_t from_x = 0, from_y = 0, to_x = 0, to_y = 0;
    uint32_t last_x = 0, last_y = 0;  // width and height minus 1: invocations beyond repeat the last element
    uint32_t row_stride_B = 0;        // of a row of elements, or of tiles
    uint32_t halve_x = 0, halve_y = 0;  // for CopyKey::halve; 0: that axis is not halved
};
inline constexpr uint32_t kCopyGroupWidth = 16, kCopyGroupHeight = 4;

/// Loads the texels at the fragment's pixel, level 0. Depth and stencil are the first components of their
/// textures.
[[nodiscard]] std::unique_ptr<ir::Shader> load_fragment_shader(const LoadKey& key);
[[nodiscard]] std::unique_ptr<ir::Shader> copy_compute_shader(const CopyKey& key);

}  // namespace terrazzo::blits

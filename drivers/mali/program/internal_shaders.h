// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's own shaders: pre-frame shaders that load attachments into the tile buffer, and copies. Made when first wanted, kept by the screen. Thread: any.
#pragma once

#include <array>
#include <memory>
#include <mutex>

#include "drivers/mali/program/program.h"

namespace terrazzo::mali {

/// What a load shader reads (its textures, in this order: colours from the lowest target up, depth, stencil)
/// and writes.
struct LoadKey {
    uint8_t colors = 0;  // bit a render target
    bool depth = false, stencil = false;
    /// Another image's texture behind each (Box: for the pixels of a box), or instead of it (All):
    /// LoadUniforms.
    enum class Other : uint8_t { None, Box, All } other = Other::None;
    bool operator==(const LoadKey&) const = default;
};
/// A load shader's uniforms, with LoadKey::other: px. The box's first pixel (with All: the image's) is
/// (from_x, from_y) of the other texture.
struct LoadUniforms {
    uint32_t x = 0, y = 0, last_x = 0, last_y = 0;  // width and height less 1
    uint32_t from_x = 0, from_y = 0;
};

/// A compute shader that reads texels of a 2D texture (level 0) and stores elements of an image in its
/// storage buffer.
struct CopyKey {
    uint8_t element_B = 4;  // 1, 2, 4, 8, 16
    /// Log2 of the elements along the side of an interleaved tile; 0: plain rows.
    uint8_t tile_log2 = 0;
    /// Texels are integers, as many words as the element has; or (not zero) four floats, and the element is
    /// made of channels of so many bits of normalised integers, the lowest bits first.
    std::array<uint8_t, 4> unorm_bits{};
    /// Which component each of these channels is; kCopyOne: 1.
    std::array<uint8_t, 4> component{0, 1, 2, 3};
    /// Each texel is made such an element before anything else: what averages are of.
    bool packs_texels = false;
    /// An element is the average of 2x2 texels: of integers, byte by byte, ties to even.
    bool halve = false;
    bool operator==(const CopyKey&) const = default;
};
inline constexpr uint8_t kCopyOne = 4;
/// A copy shader's uniforms. Elements count from the texture's and the image's first.
struct CopyUniforms {
    uint32_t from_x = 0, from_y = 0, to_x = 0, to_y = 0;
    uint32_t last_x = 0, last_y = 0;    // width and height less 1: invocations beyond repeat these
    uint32_t row_stride_B = 0;          // of elements, or of tiles
    uint32_t halve_x = 0, halve_y = 0;  // with CopyKey::halve: 0 where that axis stays as it is
};
inline constexpr uint32_t kCopyGroupWidth = 16, kCopyGroupHeight = 4;

class InternalShaders {
  public:
    explicit InternalShaders(Device& device);
    ~InternalShaders();

    /// A fragment part that fetches texel (x, y) of its own pixel, level 0: floats of colours, the first
    /// component of depth and stencil. Its table of samplers must have one, which is not looked at. Tests are
    /// late where depth or stencil is written, and take both from the shader. Null: out of memory.
    [[nodiscard]] const ShaderPart* load_shader(const LoadKey& key);
    /// Texture 0, CopyUniforms, workgroups of kCopyGroup*; needs a sampler as a load shader does. Null: out
    /// of memory.
    [[nodiscard]] const ShaderPart* copy_shader(const CopyKey& key);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrazzo::mali

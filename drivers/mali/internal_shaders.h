// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's own shaders: rectangles for clears in the middle of a pass, and pre-frame shaders that load
// attachments into the tile buffer. Made when first wanted, kept by the screen. Thread: any.
#pragma once

#include <memory>
#include <mutex>

#include "drivers/mali/program.h"

namespace terrazzo::mali {

/// What a load shader reads (its textures, in this order: colours from the lowest target up, depth, stencil)
/// and writes.
struct LoadKey {
    uint8_t colors = 0;  // bit a render target
    bool depth = false, stencil = false;
    bool operator==(const LoadKey&) const = default;
};

class InternalShaders {
  public:
    explicit InternalShaders(Device& device);
    ~InternalShaders();

    /// Draws vertices whose attribute 0 (xyzw floats) is the clip-space position; colour: the fragment
    /// stage's first four uniforms, to every target of the mask (0: none, depth and stencil only). Null: out
    /// of memory.
    [[nodiscard]] MaliProgram* clear_program(uint8_t colors);
    /// A fragment part that fetches texel (x, y) of its own pixel, level 0: floats of colours, the first
    /// component of depth and stencil. Its table of samplers must have one, which is not looked at. Tests are
    /// late where depth or stencil is written, and take both from the shader. Null: out of memory.
    [[nodiscard]] const ShaderPart* load_shader(const LoadKey& key);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrazzo::mali

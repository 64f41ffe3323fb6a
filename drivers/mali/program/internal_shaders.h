// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's internal shaders: pre-frame shaders that load attachments into the tile buffer, copies, and
// blend shaders.
// They are compiled on first use and kept by the screen. Thread: any.
#pragma once

#include <memory>

#include "drivers/common/blend/shader.h"
#include "drivers/common/blit/copy_shaders.h"
#include "drivers/common/program/variants.h"
#include "drivers/mali/program/program.h"

namespace terrazzo::mali {

using blits::CopyKey;
using blits::CopyUniforms;
using blits::kCopyGroupHeight;
using blits::kCopyGroupWidth;
using blits::kCopyOne;
using blits::LoadKey;
using blits::LoadUniforms;

class InternalShaders {
  public:
    explicit InternalShaders(Device& device) : device_(device) {}

    /// A fragment part that fetches the texel of its own pixel, level 0: floats for colours, the first
    /// component for depth and stencil. Its table of samplers must have an entry, whose contents do not
    /// matter. If it writes depth or stencil, the tests are late and use the shader's values. Null: out of
    /// memory.
    [[nodiscard]] const ShaderPart* load_shader(const LoadKey& key);
    /// Reads texture 0 and CopyUniforms, in workgroups of kCopyGroup*. Needs a sampler, as load shaders do.
    /// Null: out of memory.
    [[nodiscard]] const ShaderPart* copy_shader(const CopyKey& key);

  private:
    /// Null: out of memory, or the compiler refused the shader (logged by the device).
    [[nodiscard]] std::unique_ptr<ShaderPart> compile(const ir::Shader& shader, compiler::Part kind) const;

    Device& device_;
    programs::Variants<LoadKey, ShaderPart> loads_;
    programs::Variants<CopyKey, ShaderPart> copies_;
};

// Blend shaders. BLEND calls them for what fixed function cannot do: minimum and maximum, saturation, two
// multiplications, advanced equations, a blend colour with different channels, formats that the blender
// lacks. The blend colour changes often, so it is read from the fragment shader's uniforms.

struct BlendKey {
    blend::ShaderDesc blend;  // color_at_dw: 0 if the equation reads no constant
    uint8_t target = 0;
    bool multisampled = false;  // of a target with several samples
    bool half_source = false;   // the fragment shader's colours are 16-bit floats
    bool operator==(const BlendKey&) const = default;
};

/// The blend shaders of a device. Any thread may call it.
class BlendShaders {
  public:
    explicit BlendShaders(Device& device) : device_(device) {}
    /// The address of the code. Finding an existing shader takes no lock. Throws std::bad_alloc. 0: the
    /// compiler refused the shader (logged by the device).
    [[nodiscard]] uint64_t find(const BlendKey& key);

  private:
    [[nodiscard]] std::unique_ptr<programs::DeviceCode> compile(const BlendKey& key) const;

    Device& device_;
    programs::Variants<BlendKey, programs::DeviceCode, 64> shaders_;
};

}  // namespace terrazzo::mali

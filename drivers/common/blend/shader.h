// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending in the shader, for devices without a blender or whose blender lacks an equation.
#pragma once

#include <memory>

#include "drivers/common/blend/equation.h"
#include "pipe/raster/blend.h"
#include "shaders/ir/builder.h"

namespace terrazzo::blend {

struct ShaderDesc {
    pipe::BlendTargetDesc desc;  // Equation::desc
    pipe::Format format = pipe::Format::None;
    uint8_t write_mask = 0;  // of channels that the format has
    bool alpha_to_one = false;
    bool has_second = false;  // the fragment shader has a second output; otherwise it is 0
    uint8_t color_at_dw = 0;  // the place of the blend colour's four floats in the uniforms
    bool operator==(const ShaderDesc&) const = default;
};

/// Creates a fragment shader that reads the source's channels as inputs of Varying0 (the second source's:
/// Varying1) and the destination's as LastColor0, and stores Color0. The target's conversion clamps and
/// rounds afterwards. Integers are only masked. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<ir::Shader> create_shader(const ShaderDesc& desc);

/// Clamps a channel to the range of a format; does not round.
[[nodiscard]] ir::Value* clamp_to(ir::Builder& b, pipe::raster::ColorRange range, ir::Value* v);

}  // namespace terrazzo::blend

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The equations of KHR_blend_equation_advanced in shaders that can read the destination colour
// (ir::Sysval::LastColor0), for devices whose blender lacks them. Rules: OpenGL ES 3.2 section
// 15.1.5.2.
#pragma once

#include "pipe/raster/blend.h"
#include "pipe/state.h"
#include "shaders/ir/builder.h"

namespace terrazzo::blend {

/// For render target 0; there are no others with these equations.
struct AdvancedDesc {
    pipe::AdvancedBlend equation = pipe::AdvancedBlend::None;
    pipe::raster::ColorRange range = pipe::raster::ColorRange::Float;  // of the target's format
    /// Alpha to coverage, which uses the colour before blending: the number of samples per pixel, each with
    /// an invocation. 0: off.
    uint8_t coverage_samples = 0;
    bool operator==(const AdvancedDesc&) const = default;
};

/// `s` is a linked fragment shader that stores Color0. After the call it stores that colour blended with
/// LastColor0 at its end. The device's blender must be off; its channel mask still applies. False: the shader
/// stores no floats there; it is unchanged.
bool blend_advanced(ir::Shader& s, const AdvancedDesc& desc);

/// Emits the equation: `out` is the blended colour of source and destination, whose channels are in the
/// target's range. Colours have four floats.
void emit_advanced(ir::Builder& b, pipe::AdvancedBlend equation, ir::Value* const* src, ir::Value* const* dst,
                   ir::Value** out);

}  // namespace terrazzo::blend

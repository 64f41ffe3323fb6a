// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The equations of KHR_blend_equation_advanced in a fragment shader, for devices whose blender lacks them and whose shaders read the
// colours that they draw over (ir::Sysval::LastColor0). Rules: OpenGL ES 3.2 section 15.1.5.2.
#pragma once

#include "pipe/raster/blend.h"
#include "pipe/state.h"
#include "shaders/ir/ir.h"

namespace terrazzo::blend {

/// Of render target 0, as there is no other one then.
struct AdvancedDesc {
    pipe::AdvancedBlend equation = pipe::AdvancedBlend::None;
    pipe::raster::ColorRange range = pipe::raster::ColorRange::Float;  // of the target's format
    /// Of alpha to coverage, which takes the colour before it is blended: how many samples a pixel has. Each of them has an invocation. 0: it is off.
    uint8_t coverage_samples = 0;
    bool operator==(const AdvancedDesc&) const = default;
};

/// `s` is a linked fragment shader that stores Color0, somewhere: now it stores that colour blended with LastColor0, at its end. The device's blender
/// must be off; its mask of channels stays. False: it stores no floats there, and nothing has changed.
bool blend_advanced(ir::Shader& s, const AdvancedDesc& desc);

}  // namespace terrazzo::blend

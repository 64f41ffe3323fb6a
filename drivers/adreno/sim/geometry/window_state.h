// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The registers of GRAS for viewports, clipping, faces, sizes and polygon modes. Source of their meaning:
// Mesa 25.0.7, fd6_rasterizer.cc, fd6_emit.cc, fd6_program.cc.
#pragma once

#include "drivers/adreno/sim/geometry/stage_outputs.h"
#include "drivers/common/units/window_setup.h"

namespace terrazzo::adreno::sim {

static_assert(StageOutputs::kNoLocation == units::WindowState::kNoWord);

/// Decodes these registers, once a draw. `rectangles`: primitives are rectangles of two corners. All
/// viewports are decoded if the shader chooses one of them.
[[nodiscard]] bool decode_window(const Registers& registers, units::PrimitiveKind kind, bool rectangles,
                                 const StageOutputs& outputs, units::WindowState* out, Fault* fault);

}  // namespace terrazzo::adreno::sim

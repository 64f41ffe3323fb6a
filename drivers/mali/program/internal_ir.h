// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's internal shaders, built as IR without GLSL. How attachments are loaded: Mesa 25.0.7,
// panvk_vX_cmd_fb_preload.c.
#pragma once

#include <memory>

#include "drivers/mali/program/internal_shaders.h"
#include "shaders/ir/ir.h"

namespace terrazzo::mali {

/// Loads the texels at the fragment's pixel, level 0. Depth and stencil are the first components of their
/// textures.
[[nodiscard]] std::unique_ptr<ir::Shader> load_fragment_shader(const LoadKey& key);
[[nodiscard]] std::unique_ptr<ir::Shader> copy_compute_shader(const CopyKey& key);

}  // namespace terrazzo::mali

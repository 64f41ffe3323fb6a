// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's own shaders as IR, made by hand: nobody parses GLSL for them. How attachments are loaded: Mesa
// 25.0.7, panvk_vX_cmd_fb_preload.c.
#pragma once

#include <memory>

#include "drivers/mali/program/internal_shaders.h"
#include "shaders/ir/ir.h"

namespace terrazzo::mali {

/// Texels at the fragment's own pixel, of level 0; depth and stencil are their textures' first component.
[[nodiscard]] std::unique_ptr<ir::Shader> load_fragment_shader(const LoadKey& key);
[[nodiscard]] std::unique_ptr<ir::Shader> copy_compute_shader(const CopyKey& key);

}  // namespace terrazzo::mali

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images that shaders load from and store to.
#pragma once

#include "drivers/soft/resources/resource.h"
#include "pipe/state.h"
#include "shaders/ir/image.h"

namespace terrazzo::soft {

/// None: no such format of images.
[[nodiscard]] ir::ImageFormat image_format(pipe::Format f);

/// What the view shows; nothing where it shows what the resource does not have.
[[nodiscard]] ir::ImageRange image_range(const pipe::ImageView& view);

}  // namespace terrazzo::soft

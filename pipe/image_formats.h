// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The formats of images that shaders load and store: OpenGL ES 3.1 table 8.27.
#pragma once

#include "pipe/format.h"
#include "shaders/ir/ir.h"

namespace terrazzo::pipe {

/// The format of the IR for a format of pipe. None: the table does not have it.
[[nodiscard]] ir::ImageFormat image_format(Format f);
[[nodiscard]] inline bool is_image_format(Format f) {
    return image_format(f) != ir::ImageFormat::None;
}

}  // namespace terrazzo::pipe

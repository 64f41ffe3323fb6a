// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images that shaders load from and store to.
#pragma once

#include "drivers/soft/resources/resource.h"
#include "pipe/state.h"
#include "shaders/ir/image.h"

namespace terrazzo::soft {

/// The memory that the view shows; empty if the view does not fit the resource.
[[nodiscard]] ir::ImageRange image_range(const pipe::ImageView& view);

}  // namespace terrazzo::soft

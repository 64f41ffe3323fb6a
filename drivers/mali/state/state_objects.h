// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State objects. Their descriptors are packed at creation, as far as possible; the functions of these headers
// combine what depends on two objects or on the targets when one of them changes. `out` is GPU memory: it is
// written once, in order.
#pragma once

#include "drivers/mali/state/blend.h"
#include "drivers/mali/state/depth_stencil.h"
#include "drivers/mali/state/fragment_flags.h"
#include "drivers/mali/state/raster_state.h"
#include "drivers/mali/state/sampler.h"
#include "drivers/mali/state/vertex_layout.h"

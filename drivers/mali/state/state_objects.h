// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State objects: what can be packed when state is made is packed then; what depends on two objects or on the
// targets is put together by the functions of these headers when one of them changed. `out` is GPU memory:
// written once, in order.
#pragma once

#include "drivers/mali/state/blend.h"
#include "drivers/mali/state/depth_stencil.h"
#include "drivers/mali/state/fragment_flags.h"
#include "drivers/mali/state/raster_state.h"
#include "drivers/mali/state/sampler.h"
#include "drivers/mali/state/vertex_layout.h"

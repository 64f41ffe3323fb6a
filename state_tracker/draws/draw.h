// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface of the draw path to other families.
#pragma once

#include "pipe/resource.h"
#include "state_tracker/context.h"

namespace terrazzo::st {

/// Releases the draw path's references to a buffer's storage, so that Resource::unique tells whether work
/// uses it. The next draw binds its buffers again.
void forget_buffer_resource(Context& ctx, pipe::Resource& r);

}  // namespace terrazzo::st

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What other families need of the draw path.
#pragma once

#include "pipe/resource.h"
#include "state_tracker/context.h"

namespace terrazzo::st {

/// Drops what the draw path remembers of a buffer's storage, so that Resource::unique tells whether work uses
/// it; the next draw names its buffers to the pipe again.
void forget_buffer_resource(Context& ctx, pipe::Resource& r);

}  // namespace terrazzo::st

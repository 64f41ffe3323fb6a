// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The registers that each submission sets first, since another program may have run before it. They do not
// change within a submission.
#pragma once

#include "drivers/adreno/stream/draw_state.h"

namespace terrazzo::adreno {

/// A stream that sets the registers. `border_colors_va`: of BorderColors. Not valid() if out of memory.
[[nodiscard]] StaticState make_restore(Device& device, uint64_t border_colors_va);

/// Sets where the CCUs' caches are in GMEM: for rendering to sysmem, and next to tiles. Their lines must be
/// flushed.
void write_sysmem_ccu(CsBuilder& cs, const hw::Chip& chip);
void write_gmem_ccu(CsBuilder& cs, const hw::Chip& chip);

}  // namespace terrazzo::adreno

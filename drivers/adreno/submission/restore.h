// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What each submission begins with, since another program may have run before it: registers that stay as they are.
#pragma once

#include "drivers/adreno/submission/draw_state.h"

namespace terrazzo::adreno {

/// The registers as a stream to call. `border_colors_va`: BorderColors. Empty: out of memory.
[[nodiscard]] StaticState make_restore(Device& device, uint64_t border_colors_va);

/// Where the caches of the CCUs are while nothing lies in GMEM, and while tiles do. What they hold was flushed.
void write_sysmem_ccu(CsBuilder& cs, const hw::Chip& chip);
void write_gmem_ccu(CsBuilder& cs, const hw::Chip& chip);

}  // namespace terrazzo::adreno

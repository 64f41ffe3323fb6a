// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See time_limit.h.
#include "pipe/time_limit.h"

#include "winsys/environment/environment.h"

namespace terrazzo::pipe {

uint64_t draw_limit_ns(bool robust) {
    uint64_t limit_ns = robust ? kDrawLimit_ns : kNoTimeLimit_ns;
    if (!robust) return limit_ns;
    if (const char* const text = winsys::environment(winsys::Variable::DrawLimit))
        (void)winsys::parse_time_limit(text, &limit_ns);  // environment() returns valid values only
    return limit_ns;
}

}  // namespace terrazzo::pipe

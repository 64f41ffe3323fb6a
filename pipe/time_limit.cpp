// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See time_limit.h.
#include "pipe/time_limit.h"

#include <charconv>
#include <cstdio>

#include "winsys/environment/environment.h"

namespace terrazzo::pipe {

bool parse_time_limit(std::string_view text, uint64_t* out_ns) {
    if (text == "off") {
        *out_ns = kNoTimeLimit_ns;
        return true;
    }
    constexpr double kMax_s = 1e9;  // no clock counts further
    double seconds = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
    if (result.ec != std::errc() || result.ptr != end || !(seconds > 0 && seconds <= kMax_s)) return false;
    const auto ns = uint64_t(seconds * 1e9);
    if (ns == 0) return false;
    *out_ns = ns;
    return true;
}

uint64_t draw_limit_ns(bool robust) {
    if (!robust) return kNoTimeLimit_ns;
    uint64_t limit_ns = kDrawLimit_ns;
    const char* const text = winsys::environment(winsys::Variable::DrawLimit);
    if (text && *text && !parse_time_limit(text, &limit_ns))
        std::fprintf(stderr, "terrazzo: TERRAZZO_DRAW_LIMIT is '%s', which is neither seconds nor 'off'\n",
                     text);
    return limit_ns;
}

}  // namespace terrazzo::pipe

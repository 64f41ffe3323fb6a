// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TERRAZZO_COUNTERS: the counters of a context's device, one line per frame or flush, for `terrazzo
// counters`:
//   counters CONTEXT MILLISECONDS NAME...             once per context, when it begins; "group/counter"s
//   sample CONTEXT MILLISECONDS frame|flush VALUE...  the counts since the context's previous line
// CONTEXT is a different word for each context of each process. MILLISECONDS are those of CLOCK_MONOTONIC,
// which all processes share. While the log runs, the program's own performance monitors cannot count.
#pragma once

#include <cstdint>

namespace terrazzo::st {

class Context;

/// Call at the end of a frame, at a flush, and before a context is destroyed. Does nothing if the log was not
/// asked for, or the device has no counters.
void log_counters(Context& ctx, bool end_of_frame);
/// Call before the first log_counters(): the counts begin here.
void begin_counter_log(Context& ctx);

}  // namespace terrazzo::st

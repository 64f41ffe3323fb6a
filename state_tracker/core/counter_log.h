// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TERRAZZO_COUNTERS: what a context's device counts, a line a frame or flush, for `terrazzo counters`. Lines of text:
//   counters NAME...                      once a context: "group/counter", with blanks between
//   sample MILLISECONDS frame|flush VALUE...   since the line before
// While it runs, no monitor of the program's can count.
#pragma once

#include <cstdint>

namespace terrazzo::st {

class Context;

/// At the end of a frame, at a flush, and before a context is destroyed. Nothing where nobody asked for it, or the device does not count.
void log_counters(Context& ctx, bool end_of_frame);
/// Before the first of them: counts from there on.
void begin_counter_log(Context& ctx);

}  // namespace terrazzo::st

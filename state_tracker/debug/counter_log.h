// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TERRAZZO_COUNTERS: what a context's device counts, a line a frame or flush, for `terrazzo counters`. Lines of text:
//   counters CONTEXT MILLISECONDS NAME...                  once a context: when it began, "group/counter"s
//   sample CONTEXT MILLISECONDS frame|flush VALUE...       since the context's line before
// CONTEXT is a word of its own for each context of each process, MILLISECONDS are CLOCK_MONOTONIC's, which is
// one for all of them.
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

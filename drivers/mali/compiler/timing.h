// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Times of instructions, for the scheduler and statistics. The rates are those of isa::cost (G78). Latencies
// are not public: these are guesses, and only their order is meaningful.
#pragma once

#include <cstdint>
#include <span>

#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::compiler {

/// Clocks until the warp's next instruction may begin.
[[nodiscard]] unsigned issue_clk(const isa::Instr& i);
/// Clocks from the issue of a message to its result.
[[nodiscard]] unsigned latency_clk(const isa::Instr& i);

/// The clocks of a warp that runs alone and executes each instruction once, including waits for messages.
[[nodiscard]] uint32_t alone_clk(std::span<const uint64_t> code);

}  // namespace terrazzo::mali::compiler

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How long things take, for choices of order and for statistics. Rates are isa::cost's (G78). Latencies are
// in no public source: these are guesses, of which only the order is meant.
#pragma once

#include <cstdint>
#include <span>

#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::compiler {

/// Clocks until the warp's next instruction may begin.
[[nodiscard]] unsigned issue_clk(const isa::Instr& i);
/// Clocks from the issue of a message to its result.
[[nodiscard]] unsigned latency_clk(const isa::Instr& i);

/// Clocks that a warp which is alone takes, waiting for messages, each instruction executed once.
[[nodiscard]] uint32_t alone_clk(std::span<const uint64_t> code);

}  // namespace terrazzo::mali::compiler

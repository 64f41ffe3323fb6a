// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How a wave's run ends, and the report of a fault.
#pragma once

#include <cstdint>
#include <string>

#include "drivers/common/window/window.h"

namespace terrazzo::core {

struct CoreFault {
    uint64_t pc = 0;
    std::string reason;       // the broken rule
    std::string instruction;  // its text, or the word
    uint32_t lane = 0;        // the first lane concerned
    bool memory = false;      // an access was refused: `access` has it
    window::AccessFault access;
};
/// "shader 0x1000+0x18, lane 3: r0.x is read 2 cycles too early (add.f r0.y, r0.x, r0.z)".
std::string to_string(const CoreFault& fault, uint64_t shader_va);

/// Barrier: all lanes have reached one. Run the workgroup's other waves to it, then call again.
enum class Outcome : uint8_t { Done, Barrier, Fault };

/// Instructions of all waves between two questions whether to stop, about a millisecond's work: a wave may be
/// short, and there may be millions of them.
inline constexpr uint64_t kTurnsPerQuestion = 1 << 14;

}  // namespace terrazzo::core

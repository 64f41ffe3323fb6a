// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A driver's shader compiler without its device: what `terrazzo shader-db` measures. Each driver has a list
// of them, one a chip, in its shader_db.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pipe/state.h"

namespace terrazzo::pipe {

/// What a part of a program became.
struct OfflineCode {
    bool present = true;  // false: the part has nothing to do
    std::string error;    // not empty: the shader was refused, and why
    uint32_t instructions = 0, loops = 0;
    uint32_t registers = 0;  // of a thread
    uint32_t threads = 0;    // that a core can have at once with so many registers
    uint32_t spills = 0;     // 32-bit words of a thread that are kept in memory
    uint32_t code_B = 0;
    std::vector<double> cycles;  // by unit, as if each instruction ran once: a core's clocks for one thread
};

/// A unit of a core that works beside the others.
struct OfflineUnit {
    const char* name;     // of its column: "fma"
    const char* meaning;  // what it executes
};

/// Lives for ever. Thread: any number may compile at once.
class OfflineCompiler {
  public:
    virtual ~OfflineCompiler() = default;
    /// As users say it: "mali-g610".
    [[nodiscard]] virtual const char* name() const = 0;
    /// The core's units that work side by side: the busiest is the bound.
    [[nodiscard]] virtual std::span<const OfflineUnit> units() const = 0;
    /// What a program is compiled to, of which each is a row: "vertex", "fragment", or finer.
    [[nodiscard]] virtual std::span<const char* const> parts() const = 0;
    /// `program` is linked; `part` is an index of parts().
    [[nodiscard]] virtual OfflineCode compile(const ProgramDesc& program, unsigned part) const = 0;
};

}  // namespace terrazzo::pipe

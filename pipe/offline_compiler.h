// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A driver's shader compiler without its device, for `terrazzo shader-db`. Each driver has a list of them,
// one per chip, in its shader_db.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pipe/state.h"

namespace terrazzo::pipe {

/// The compiled code of one part of a program.
struct OfflineCode {
    bool present = true;  // false: the part is empty
    std::string error;    // not empty: why the shader was refused
    uint32_t instructions = 0, loops = 0;
    uint32_t registers = 0;  // per thread
    uint32_t threads = 0;    // number of threads that fit into a core with so many registers
    uint32_t spills = 0;     // 32-bit words per thread that are kept in memory
    uint32_t code_B = 0;
    std::vector<double> cycles;  // by unit: a core's clock cycles per thread, if each instruction runs once
};

/// A unit of a core, which works in parallel with the others.
struct OfflineUnit {
    const char* name;     // name of its column: "fma"
    const char* meaning;  // what it executes
};

/// Lives until the process ends. Any number of threads may compile at the same time.
class OfflineCompiler {
  public:
    virtual ~OfflineCompiler() = default;
    /// The chip's name for users: "mali-g610".
    [[nodiscard]] virtual const char* name() const = 0;
    /// The core's parallel units: the busiest one limits the speed.
    [[nodiscard]] virtual std::span<const OfflineUnit> units() const = 0;
    /// The parts that a program is compiled to, one row each: "vertex", "fragment", or finer ones.
    [[nodiscard]] virtual std::span<const char* const> parts() const = 0;
    /// `program` is linked; `part` is an index in parts().
    [[nodiscard]] virtual OfflineCode compile(const ProgramDesc& program, unsigned part) const = 0;
};

}  // namespace terrazzo::pipe

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Decoded shader code: what the executor needs of each instruction without table look-ups.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "drivers/common/core/program_cache.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/core/memory.h"

namespace terrazzo::mali::sim {

struct Context;
using Handler = void (*)(Context&);

/// The part of the core that executes an instruction.
enum class StepKind : uint8_t { Arithmetic, Message, Branch, Kill, Nothing };

/// An instruction and its registers, as masks of r0..r63.
struct Step {
    isa::Instr instr;
    uint64_t word = 0;
    Handler run = nullptr;  // for arithmetic; null: not executed
    StepKind kind = StepKind::Arithmetic;
    uint16_t uniforms = 0;  // the number of words that must exist
    uint64_t reads = 0, writes = 0;
    uint64_t dies = 0;                             // those of `reads` that are marked as no longer needed
    uint64_t staged_reads = 0, staged_writes = 0;  // by a message, until its slot was waited for
    int8_t slot = -1;
    uint8_t waits = 0;  // slots that are waited for after it
    bool good = false;  // false: see `reasons` of the program
};

/// A sequence of code, from its first instruction to where decoding stopped.
struct Program {
    uint64_t va = 0;
    std::vector<uint64_t> words;
    std::vector<Step> steps;
    std::vector<std::string> reasons;  // by step; "" for valid ones
    bool reads_tile = false;           // before its first end
};

inline constexpr uint32_t kMostInstructions = 1u << 11;

/// Decodes up to `limit` instructions from `va`. Stops at the program's end that no branch crosses, at the
/// first unmapped word, or at the second invalid word in a row. Invalid words become steps that fault when
/// they are reached.
std::shared_ptr<const Program> decode_program(Window& memory, uint64_t va,
                                              uint32_t limit = kMostInstructions);

using ProgramCache = core::ProgramCache<Program, decode_program, kMostInstructions>;

}  // namespace terrazzo::mali::sim

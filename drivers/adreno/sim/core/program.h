// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader code decoded once: what the executor needs of each instruction without searching the tables again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "drivers/adreno/isa/isa.h"
#include "drivers/adreno/sim/core/alu.h"
#include "drivers/adreno/sim/core/registers.h"
#include "drivers/adreno/sim/core/runs.h"
#include "drivers/common/core/program_cache.h"
#include "drivers/common/window/window.h"

namespace terrazzo::adreno::sim {

struct Operand {
    From from = From::None;
    Numbers numbers = Numbers::Bits;
    bool half = false, neg = false, abs = false, repeat = false;
    uint8_t late = 0;    // cycles after the instruction's start at which the ALU reads it
    int16_t index = 0;   // the register in its file; the offset from a0.x
    uint32_t value = 0;  // a number's bits, before neg and abs
};

/// The file of a register field, and the register in it.
From file_of(unsigned index, bool half, int16_t* in_file);

/// The part of the core that executes an instruction.
enum class StepKind : uint8_t { Alu, Special, Move, Moves, Flow, Message, Barrier };

struct Step {
    isa::Instr instr;
    uint64_t word = 0;
    const AluRow* alu = nullptr;  // of Alu and Special
    StepKind kind = StepKind::Flow;
    bool good = false;  // false: the program's `reasons` has the cause
    bool sy = false, ss = false, jp = false, sat = false, half = false;
    bool scalar = false;     // for the scalar ALU, if the chip has one
    bool straight = false;   // of a straight run: categories 1 to 4 with rows for its registers, bary.f, nops
    bool is_target = false;  // of a jump
    uint8_t repeat = 0;      // additional executions
    uint8_t cycles = 0;      // its cycles, as instructions that wait for ALU results count them
    uint8_t source_count = 0, category = 0;
    Operand src[4];
    Operand dst[4];
};

struct Program : core::WordProgram<Step> {
    std::unique_ptr<Runs> runs = std::make_unique<Runs>();
};

inline constexpr uint32_t kMostInstructions = 1u << 14;

/// core::decode_words() says where it stops.
std::shared_ptr<const Program> decode_program(window::Window& memory, uint64_t va,
                                              uint32_t limit = kMostInstructions);

using ProgramCache = core::ProgramCache<Program, decode_program, kMostInstructions>;

}  // namespace terrazzo::adreno::sim

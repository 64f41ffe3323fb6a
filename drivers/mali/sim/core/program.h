// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader code decoded once: what the executor needs of each instruction without asking the tables again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/core/memory.h"

namespace terrazzo::mali::sim {

struct Context;
using Handler = void (*)(Context&);

/// What part of the core executes an instruction.
enum class StepKind : uint8_t { Arithmetic, Message, Branch, Kill, Nothing };

/// An instruction and the registers it touches, as masks of r0..r63.
struct Step {
    isa::Instr instr;
    uint64_t word = 0;
    Handler run = nullptr;  // of arithmetic; null: not executed
    StepKind kind = StepKind::Arithmetic;
    uint16_t uniforms = 0;  // words that there must be
    uint64_t reads = 0, writes = 0;
    uint64_t dies = 0;                             // of what is read: said not to be needed any more
    uint64_t staged_reads = 0, staged_writes = 0;  // by a message: until its slot was waited for
    int8_t slot = -1;
    uint8_t waits = 0;  // slots that are waited for afterwards
    bool good = false;  // else `reason` of the program says why it is none
};

/// A run of code, from its first instruction to where decoding stopped.
struct Program {
    uint64_t va = 0;
    std::vector<uint64_t> words;
    std::vector<Step> steps;
    std::vector<std::string> reasons;  // by step; "" for good ones
    bool reads_tile = false;           // before its first end
};

/// Decodes up to `limit` instructions from `va`, ending where the program ends and no branch leads on, at the
/// first that is unmapped, or the second word in a row that is no instruction. Bad words become steps that
/// fault when they are reached.
std::shared_ptr<const Program> decode_program(Window& memory, uint64_t va, uint32_t limit = 1u << 11);

/// Decoded programs by address. A program is decoded again when the words in memory are others: they are
/// compared by each find(), or, for those who tell when a job begins, by the first of a job. Not thread-safe.
class ProgramCache {
  public:
    std::shared_ptr<const Program> find(Window& memory, uint64_t va);
    void begin_job() { ++job_; }

  private:
    struct Entry {
        std::shared_ptr<const Program> program;
        uint64_t job = 0;  // that saw it unchanged
    };
    std::unordered_map<uint64_t, Entry> programs_;
    uint64_t job_ = 0;
};

}  // namespace terrazzo::mali::sim

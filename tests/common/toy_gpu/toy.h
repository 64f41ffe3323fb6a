// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The smallest virtual GPU: what a third vendor has to write, part by part (drivers/common/host/README.md). A
// packet has 64 bits: opcode (8), register (8), value (48). A shader has up to twelve instructions of 32
// bits: opcode, destination, two sources (8 bits each). A thread has 16 registers; r0 and r1 begin with the
// thread's position.
#pragma once

#include <array>
#include <string>

#include "drivers/common/host/chip.h"

namespace terrazzo::toy {

// ---- hw/: the command stream ----
enum class Packet : uint8_t {
    Set = 1,       // register = value
    Wait = 2,      // until the word at `value` is at least register 0
    Write = 3,     // the word at `value` = register 0, after earlier work has ended
    Draw = 4,      // the shader colours every pixel of the target
    Dispatch = 5,  // the shader runs `value` threads
};
enum Register : uint8_t { kValue, kShader, kTarget, kWidth, kHeight, kUniform, kRegisters };

constexpr uint64_t packet(Packet p, uint64_t value, unsigned reg = 0) {
    return uint64_t(p) << 56 | uint64_t(reg) << 48 | (value & 0xffff'ffff'ffff);
}
constexpr uint64_t set(Register reg, uint64_t value) {
    return packet(Packet::Set, value, reg);
}

// ---- isa/: instructions ----

enum class Op : uint8_t {
    End,   // a draw's pixel is `dst`
    Move,  // dst = the next word
    Add,   // dst = a + b; the following ones likewise:
    Sub,
    Mul,
    And,
    Or,
    Shl,
    Less,    // 1 or 0
    Branch,  // if a is not 0, continue at instruction dst
    Load,    // dst = memory[uniform + a]
    Store,   // memory[uniform + a] = b
};
constexpr uint32_t op(Op o, unsigned dst = 0, unsigned a = 0, unsigned b = 0) {
    return uint32_t(o) | dst << 8 | a << 16 | b << 24;
}

// ---- sim/: the virtual GPU ----

/// What the units share.
struct Machine {
    explicit Machine(host::Host& h) : host(h), memory(h.space()) {}
    host::Host& host;
    window::Window memory;
    host::Counters counters;
    uint64_t instructions = 0;
    std::array<uint64_t, kRegisters> registers{};
};

/// The executor: runs a thread. False, with `why`, after a fault, or if the host stopped it.
[[nodiscard]] bool run_thread(Machine& machine, uint32_t x, uint32_t y, uint32_t* result, std::string* why);

/// The command processor of a queue.
class CommandProcessor {
  public:
    CommandProcessor(Machine& machine, bool draws_nothing)
        : machine_(machine), draws_nothing_(draws_nothing) {}
    [[nodiscard]] host::RunResult run(const host::Submit& submit);

  private:
    host::RunStatus execute(uint64_t word, std::string* why);
    host::RunStatus run_threads(uint32_t width, uint32_t height, uint64_t target, std::string* why);

    Machine& machine_;
    const bool draws_nothing_;
    uint64_t submit_ = 0, at_B_ = 0;  // the submit's number, and the address of its stream
    size_t stream_ = 0;
};

/// The chip "toy-1", whose kernel driver is msm.
[[nodiscard]] const host::Vendor& vendor();

}  // namespace terrazzo::toy

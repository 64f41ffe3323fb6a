// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints a v10 command stream by interpreting it: each instruction when it runs, and at each RUN everything
// that the registers point to: resource tables, descriptors, shaders, framebuffers. Memory is read through a
// callback and never written; what the stream stores is remembered and read back. Any bytes are accepted:
// what is not mapped, not known or not allowed is said and passed over, and a stream that does not end is
// left after Options::max_instructions.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/capture/memory.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::mali::decode {

using terrazzo::capture::Memory;

/// A queue's registers; a stream may be given those that the one before it left.
struct Registers {
    static constexpr unsigned kCount = 256;  // an instruction can name so many
    std::array<uint32_t, kCount> value{};
    std::bitset<kCount> is_set;

    void set(unsigned i, uint32_t v) {
        value[i % kCount] = v;
        is_set.set(i % kCount);
    }
};

/// Counts of what was interpreted.
struct Statistics {
    uint64_t submissions = 0;
    uint64_t instructions = 0;  // run, those of loops each time
    uint64_t idvs = 0, fragment = 0, compute = 0, other_runs = 0;
    /// A draw (RUN_IDVS): bytes of the instructions since the one before it, or the stream's beginning.
    std::vector<uint32_t> draw_B;
};

struct Options {
    unsigned register_count = 96;        // that the hardware has
    uint64_t max_instructions = 100000;  // run, those in loops each time
    uint64_t max_lines = 4000000;
    bool shaders = true;               // disassemble them
    Statistics* statistics = nullptr;  // added to
};

/// A file of captures (drivers/common/capture/capture.h), each submission in turn, the registers of a queue
/// kept from one to the next. False, with a reason, where the file is damaged or of another vendor's chip;
/// what came before is printed.
[[nodiscard]] bool print_capture(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                                 std::string* error);

/// One stream as the ring of a kernel's queue would CALL it: size_B bytes at va. False where it could not be
/// followed to its end (the reason was printed).
bool print_stream(const Memory& memory, uint64_t va, uint64_t size_B, Registers* registers,
                  fields::Sink& sink, const Options& options = {});

/// The text of one instruction, in pandecode's terms: "MOVE d40, #0x1000". Reserved bits follow in
/// parentheses.
std::string instruction_text(uint64_t word);

}  // namespace terrazzo::mali::decode

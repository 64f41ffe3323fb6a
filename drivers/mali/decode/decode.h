// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints a v10 command stream by interpreting it. It prints each instruction when it runs, and at each RUN
// everything that the registers point to: resource tables, descriptors, shaders, framebuffers. Memory is read
// through a callback and never written; stores of the stream are remembered for later loads. Any bytes are
// accepted: unmapped, unknown or invalid data are reported and skipped, and a stream that does not end is
// left after Options::max_instructions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/capture/memory.h"
#include "drivers/common/decode/file.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::mali::decode {

using terrazzo::capture::Memory;

/// A queue's registers, as many as an instruction can name. A stream may start with those of the stream
/// before it.
using Registers = terrazzo::capture::RegisterFile<256>;

/// Counts of interpreted instructions.
struct Statistics {
    uint64_t submissions = 0;
    uint64_t instructions = 0;  // executed, in loops each time
    uint64_t idvs = 0, fragment = 0, compute = 0, other_runs = 0;
    /// For each draw (RUN_IDVS): bytes of the instructions since the draw before it, or the stream's
    /// beginning.
    std::vector<uint32_t> draw_B;
};

struct Options {
    unsigned register_count = 96;        // of the hardware
    uint64_t max_instructions = 100000;  // executed, in loops each time
    uint64_t max_lines = 4000000;
    bool shaders = true;               // disassemble shaders
    Statistics* statistics = nullptr;  // counts are added to it
};

/// The traits of captures (capture.cpp).
struct Captures;

/// Prints a file of captures (drivers/common/capture/capture.h), each submission in turn. A queue's registers
/// are kept between its submissions. False, with a reason: the file is damaged or belongs to another vendor's
/// chip; the part before the error is printed.
inline constexpr auto& print_capture = terrazzo::decode::print_captures<Captures, Options>;

/// Prints a stream as the ring of a kernel's queue would CALL it: size_B bytes at va. False: it could not be
/// followed to its end; the reason was printed.
bool print_stream(const Memory& memory, uint64_t va, uint64_t size_B, Registers* registers,
                  fields::Sink& sink, const Options& options = {});

/// The text of an instruction, in pandecode's terms: "MOVE d40, #0x1000". Reserved bits follow in
/// parentheses.
std::string instruction_text(uint64_t word);

// --- for drivers/vendors

inline constexpr auto& may_be_tools_file = terrazzo::decode::is_no_tools_file;
inline constexpr auto& decode_file = terrazzo::decode::decode_captures<Captures>;

}  // namespace terrazzo::mali::decode
